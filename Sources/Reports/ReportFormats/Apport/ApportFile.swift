internal import Bytes
internal import Compression

/// The fields of a file that Apport wrote:
///
///     ProblemType: Crash
///     Stacktrace:
///      #0  0x00007f… in raise () from /lib/libc.so.6      a value over lines: each after one blank
///     CoreDump: base64
///      H4sICAAAAAAC/0NvcmVEdW1w                           packed, each line with a padding of its own
///      7Jx7fBxlvf+…
///
/// Source: `problem_report.py` of Apport.
struct ApportFile {
  /// The most bytes kept of one value. The stacks of many threads with their variables are long.
  private static let valueBytes = 16 << 20
  /// The most bytes that are kept of all values.
  private static let bytes = 64 << 20
  /// The most bytes of an unpacked core.
  private static let coreBytes = 512 << 20

  private(set) var values: [String: String] = [:]
  /// The range of the packed core's lines.
  private(set) var core: Range<Int>?
  private let text: ByteView

  /// - Parameter keys: The keys to read; others may hold secrets.
  init(_ bytes: ByteView, keys: Set<String>) {
    text = bytes
    let text = bytes.bytes
    var cursor = LineCursor(0..<text.byteCount)
    var key: String?
    var value = ""
    var kept = 0
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      if line.byteOrZero(0).isBlank {
        if key == "CoreDump" {
          core = (core?.lowerBound ?? range.lowerBound)..<range.upperBound
        } else if key != nil, value.utf8.count < Self.valueBytes, kept < Self.bytes {
          if !value.isEmpty { value += "\n" }
          value += Self.part(line.from(1))
          kept += line.byteCount
        }
        continue
      }
      if let key { values[key] = value }
      key = nil
      guard let colon = line.find(":"), colon < 256 else { continue }
      let name = line.upTo(colon).name
      guard keys.contains(name) else { continue }
      key = name
      value = Self.part(line.from(colon + 1).trimmed)
    }
    if let key { values[key] = value }
  }

  private static func part(_ line: RawSpan) -> String {
    let end = line.byteOrZero(line.byteCount - 1) == 13 ? line.byteCount - 1 : line.byteCount
    return line.upTo(min(end, FormatLimits.nameBytes)).text
  }

  subscript(key: String) -> String? {
    values[key].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The core, with a sentence about any missing part; `nil` if there is none.
  func unpackedCore() -> (bytes: ByteView, note: String?)? {
    guard let core else { return nil }
    let lines = text.bytes
    var cursor = LineCursor(core)
    var output: [UInt8] = []
    var inflater: StreamInflater?
    do {
      while let range = cursor.next(in: lines) {
        guard let bytes = Base64.decode(lines.part(range).trimmed.text) else {
          return (ByteView(output), "the core is damaged: what follows is missing")
        }
        if inflater == nil {
          inflater = try StreamInflater(
            Self.format(of: bytes), limit: Self.coreBytes, ratio: Zlib.largestRatio)
        }
        try unsafe bytes.withUnsafeBytes { bytes in
          try unsafe inflater?.write(bytes) { unsafe output.append(contentsOf: $0) }
        }
      }
      try inflater?.finish()
    } catch {
      return output.isEmpty
        ? nil : (ByteView(output), "the core is cut off or damaged: what follows is missing")
    }
    return output.isEmpty ? nil : (ByteView(output), nil)
  }

  /// gzip since 2007, zlib before, Zstandard in new versions.
  private static func format(of bytes: [UInt8]) -> StreamInflater.Format {
    if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return .zstd }
    return bytes.starts(with: [0x1F, 0x8B]) ? .gzip : .deflate
  }
}
