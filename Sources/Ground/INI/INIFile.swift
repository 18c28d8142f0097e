public import Bytes
internal import CInih

/// The values of an INI file:
///
///     # a comment, as is what follows a semicolon at the start of a line
///     [section]
///     name = value
///
/// A value is the rest of its line; there is no quoting, and a value does not go on in the next
/// line.
public struct INIFile: Sendable {
  /// In the order of the file.
  public let entries: [INIEntry]

  /// The longest line, in bytes.
  public static let longestLine = 4000
  /// The longest name of a section or a value, in bytes: the library cuts longer ones.
  public static let longestName = 49

  /// - Parameter bytes: UTF-8; bounded by whoever read it.
  /// - Throws: ``INIError`` for the first line that is neither a section, a value, a comment nor
  ///   empty, that is too long, or that is not text.
  public init(parsing bytes: ByteView) throws(INIError) {
    let lines = try Self.lines(of: bytes)
    _ = Self.isConfigured
    let source = LineSource(lines)
    let damaged = ini_parse_stream(
      { buffer, size, stream in LineSource.from(stream)?.fill(buffer, size) },
      Unmanaged.passUnretained(source).toOpaque(),
      { user, section, name, value in
        LineSource.from(user)?.take(section, name, value)
        return 1
      }, Unmanaged.passUnretained(source).toOpaque())
    guard damaged == 0 else {
      let line = Int(damaged)
      let text = lines.indices.contains(line - 1) ? lines[line - 1] : []
      throw INIError(line: max(line, 1), reason: Self.reason(for: text))
    }
    entries = source.entries
  }

  private static let isConfigured: Bool = {
    // Room for the line, its end and the final zero.
    mayday_ini_configure(Int32(longestLine + 3))
    return true
  }()

  private static func lines(of bytes: ByteView) throws(INIError) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for line in bytes.array.split(separator: 0x0a, omittingEmptySubsequences: false) {
      let number = lines.count + 1
      guard line.count <= longestLine else {
        throw INIError(line: number, reason: "the line is longer than \(longestLine) bytes")
      }
      guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
        throw INIError(line: number, reason: "the line is not UTF-8 text")
      }
      lines.append(Array(line))
    }
    return lines
  }

  private static func reason(for line: [UInt8]) -> String {
    let text = String(decoding: line, as: UTF8.self)
    guard text.drop(while: \.isWhitespace).first == "[" else {
      return "neither a [section] nor name = value"
    }
    return "the ] after the name of a section is missing"
  }
}
