public import Bytes
internal import Crypto

/// The comments at the start of a mapping of R8.
///
///     # compiler: R8
///     # compiler_version: 8.3.36
///     # {"id":"com.android.tools.r8.mapping","version":"2.2"}
///     # pg_map_id: 48ffd94
///     # pg_map_hash: SHA-256 48ffd9478fda293e1c713db4cc7c449781a9e799fa504e389ee32ed19775a3ba
///
/// ProGuard writes none of them.
///
/// Source: "R8 retrace" in R8's documentation (`doc/retrace.md`).
public struct R8Header: Sendable, Equatable {
  /// `R8`, `D8`.
  public private(set) var compiler: String?
  public private(set) var compilerVersion: String?
  /// The build's name for the mapping: usually the first seven digits of ``mapHash``.
  public private(set) var mapID: String?
  /// The SHA-256 of the mapping without these comments, in lower-case hexadecimal.
  public private(set) var mapHash: String?

  /// The bytes of the start that determine whether a file is a mapping.
  public static let headCount = 4096
  /// The bytes searched for comments.
  private static let mostBytes = 64 << 10
  private static let mostTextBytes = 512

  /// Whether a file that begins with `head` is a mapping: it has comments of R8, or begins with a class.
  public static func recognises(_ head: ByteView) -> Bool {
    let count = min(head.count, headCount)
    let bytes = head.bytes
    var lines = R8Lines(start(of: bytes)..<count)
    while let line = lines.next(in: bytes) {
      if line.isEmpty { continue }
      if bytes.byte(line.lowerBound) == UInt8(ascii: "#") {
        if isMark(bytes.string(line)) { return true }
        continue
      }
      // The rest of a line that is cut off is unknown.
      guard lines.isEnded || count < headCount, !lines.isIndented else { return false }
      return R8ClassLine(line, in: bytes) != nil
    }
    return false
  }

  private static func isMark(_ comment: String) -> Bool {
    let text = comment.dropFirst().drop { $0 == " " }
    return ["compiler: R8", "compiler: D8", "pg_map_id: ", "pg_map_hash: "].contains {
      text.hasPrefix($0)
    } || text.hasPrefix("{") && text.contains("\"com.android.tools.r8.")
  }

  /// The start of a text that may have a byte order mark.
  static func start(of bytes: RawSpan) -> Int {
    bytes.byteCount >= 3 && bytes.byte(0) == 0xEF && bytes.byte(1) == 0xBB && bytes.byte(2) == 0xBF
      ? 3 : 0
  }

  /// Reads the comments before the first class.
  public init(of mapping: ByteView) {
    let bytes = mapping.bytes
    var lines = R8Lines(Self.start(of: bytes)..<min(bytes.byteCount, Self.mostBytes))
    while let line = lines.next(in: bytes) {
      if line.isEmpty { continue }
      guard bytes.byte(line.lowerBound) == UInt8(ascii: "#") else { return }
      guard line.count <= Self.mostTextBytes else { continue }
      let text = bytes.string(line).dropFirst().drop { $0 == " " }
      guard let colon = text.firstIndex(of: ":"), !text.hasPrefix("{") else { continue }
      let value = text[text.index(after: colon)...].drop { $0 == " " }
      guard !value.isEmpty else { continue }
      switch text[..<colon] {
      case "compiler": compiler = String(value)
      case "compiler_version": compilerVersion = String(value)
      case "pg_map_id": mapID = String(value)
      case "pg_map_hash": mapHash = Self.digest(value)
      default: continue
      }
    }
  }

  /// Whether a mapping names a hash that its content does not have: it was cut off, or changed by hand. The
  /// hash covers everything after the line with it, with line feeds alone.
  ///
  /// - Complexity: O(n) in the size of the file.
  package static func contradicts(_ mapping: ByteView) -> Bool {
    let bytes = mapping.bytes
    var lines = R8Lines(start(of: bytes)..<min(bytes.byteCount, mostBytes))
    while let line = lines.next(in: bytes) {
      if line.isEmpty { continue }
      guard bytes.byte(line.lowerBound) == UInt8(ascii: "#") else { return false }
      guard line.count <= mostTextBytes else { continue }
      let text = bytes.string(line).dropFirst().drop { $0 == " " }
      guard text.hasPrefix("pg_map_hash:"), let wanted = digest(text) else { continue }
      var end = line.upperBound
      while end < mapping.count, mapping[end] != 0x0a { end += 1 }
      let rest = mapping.clamped(min(end + 1, mapping.count)..<mapping.count)
      if SHA256.hex(of: rest) == wanted { return false }
      let isPlain = !rest.array.contains(0x0d)
      return isPlain || SHA256.hex(of: ByteView(rest.array.filter { $0 != 0x0d })) != wanted
    }
    return false
  }

  private static func digest(_ value: Substring) -> String? {
    let digits = value.split(separator: " ").last.map { $0.lowercased() } ?? ""
    return digits.utf8.count == 64 && digits.allSatisfy(\.isHexDigit) ? digits : nil
  }
}
