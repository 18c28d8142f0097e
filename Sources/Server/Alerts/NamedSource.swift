internal import Bytes
internal import Files
internal import Glibc
internal import ServerStore

/// The places of secrets that the home does not have: a file, as `file:/path`, or a variable, as `env:NAME`.
enum NamedSource {
  private static let limit = 4_096

  /// Reads a secret, which is the first line at its place.
  ///
  /// - Parameter what: What it is: `password`, `token`.
  /// - Throws: ``AlertError`` for a missing variable and an empty place; `FileError`.
  static func secret(at source: String, _ what: String) throws -> String {
    let text: String
    if source.hasPrefix("env:") {
      let name = String(source.dropFirst("env:".count))
      guard let value = getenv(name) else {
        throw AlertError.invalid("the environment variable \(name) is not set")
      }
      text = String(cString: value)
    } else {
      text = try ByteView(reading: String(source.dropFirst("file:".count)), limit: limit).text
    }
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard !line.isEmpty else { throw AlertError.invalid("\(source) has no \(what)") }
    return line
  }
}
