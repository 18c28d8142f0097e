public import Bytes

/// A library of object files that a linker takes members from.
///
///     OFFSET  SIZE  FIELD
///          0     8  "!<arch>\n"
///     then for each member, beginning at an even offset
///          0    16  name, padded with blanks: `part.o/` (GNU), `part.o` (BSD), `#1/20` (the name has
///                   20 bytes and precedes the contents), `/7` (it is 7 bytes into the
///                   member `//`, up to a slash)
///         16    12  when it was last written: seconds since 1970, decimal
///         28    20  owner, group, mode
///         48    10  size of the contents in bytes, decimal
///         58     2  "`\n"
///         60        contents
///
/// Source: ar(5) of FreeBSD; LLVM's `Object/Archive.h` names the same variants.
public struct StaticArchive: Sendable {
  public struct Member: Sendable {
    public let name: String
    /// When it was last written, in seconds since 1970; 0 where the library does not record it.
    public let modified: UInt64
    public let bytes: ByteView
  }

  static let magic: [UInt8] = Array("!<arch>\n".utf8)
  private static let headerSize = 60

  private let bytes: ByteView

  /// Whether a file that begins with `head` is a static archive.
  public static func isArchive(_ head: ByteView) -> Bool { head.starts(with: magic) }

  /// Whether `bytes` are a universal file of libraries.
  public static func isUniversal(_ bytes: ByteView) -> Bool {
    guard FatHeader.isHeader(bytes), let slice = try? FatHeader(parsing: bytes).slices.first,
      let part = try? bytes.slice(at: slice.offset, count: slice.size, of: "universal file")
    else { return false }
    return isArchive(part)
  }

  /// Returns `nil` for other files.
  public init?(_ bytes: ByteView) {
    guard Self.isArchive(bytes) else { return nil }
    self.bytes = bytes
  }

  /// Calls `body` with each member, in order, until it returns `false`; a damaged one is the last.
  ///
  /// - Complexity: O(n) in the number of members.
  public func forEachMember(_ body: (Member) -> Bool) {
    var offset = Self.magic.count
    var longNames = ByteView.empty
    while bytes.count - offset >= Self.headerSize {
      let header = bytes.clamped(offset..<(offset + Self.headerSize))
      guard header[58] == 0x60, header[59] == 0x0a, let size = Self.number(header, 48..<58),
        let contents = try? bytes.slice(
          at: UInt64(offset + Self.headerSize), count: size, of: "archive member")
      else { return }
      let field = Self.text(header, 0..<16)
      if field == "//" {
        longNames = contents
      } else if field != "/", field != "/SYM64/" {
        let modified = Self.number(header, 16..<28) ?? 0
        guard let (name, bytes) = Self.name(field, contents, longNames) else { return }
        guard body(Member(name: name, modified: modified, bytes: bytes)) else { return }
      }
      offset += Self.headerSize + contents.count + contents.count % 2
    }
  }

  /// The name encoded in `field`, and the rest of the member.
  private static func name(
    _ field: String, _ contents: ByteView, _ longNames: ByteView
  ) -> (String, ByteView)? {
    if field.hasPrefix("#1/") {
      guard let count = Int(field.dropFirst(3)), count >= 0, count <= contents.count else {
        return nil
      }
      let bytes = contents.clamped(0..<count)
      let length = bytes.bytes.textLength(from: 0, limit: min(count, ObjectLimits.pathBytes))
      return (bytes.clamped(0..<length).text, contents.clamped(count..<contents.count))
    }
    if field.hasPrefix("/"), let start = Int(field.dropFirst()) {
      guard start >= 0, start < longNames.count else { return nil }
      let rest = longNames.clamped(start..<min(longNames.count, start + ObjectLimits.pathBytes))
      var count = 0
      while count < rest.count, rest[count] != 0x0a, rest[count] != 0 { count += 1 }
      if count > 0, rest[count - 1] == UInt8(ascii: "/") { count -= 1 }
      return (rest.clamped(0..<count).text, contents)
    }
    return (field.hasSuffix("/") ? String(field.dropLast()) : field, contents)
  }

  /// A field without the blanks after it.
  private static func text(_ header: ByteView, _ range: Range<Int>) -> String {
    var end = range.upperBound
    while end > range.lowerBound, header[end - 1] == 0x20 { end -= 1 }
    return header.clamped(range.lowerBound..<end).text
  }

  private static func number(_ header: ByteView, _ range: Range<Int>) -> UInt64? {
    UInt64(text(header, range))
  }
}
