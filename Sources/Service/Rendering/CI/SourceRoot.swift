/// The folder of a checkout, as debug files name it: CI services find source files by their paths below it.
package struct SourceRoot: Sendable {
  private let prefix: String

  /// - Parameter folder: The folder, with or without a slash at its end; empty for none.
  package init(_ folder: String) {
    var folder = Self.slashed(folder)
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    prefix = folder.isEmpty || folder == "/" ? folder : folder + "/"
  }

  /// The path of a source file, with slashes; below the root it is relative to it.
  package func path(of file: String) -> String {
    var path = Self.slashed(file)[...]
    if !prefix.isEmpty, prefix != "/", path.hasPrefix(prefix) {
      path = path.dropFirst(prefix.count)
    }
    while path.hasPrefix("./") { path = path.dropFirst(2).drop { $0 == "/" } }
    return String(path)
  }

  /// The path as a URI reference (RFC 3986): relative below the root, otherwise a `file` URI.
  package func uri(of file: String) -> String {
    let path = path(of: file)
    let escaped = Self.escaped(path)
    if path.hasPrefix("/") { return "file://" + escaped }
    // A drive would be taken for a scheme.
    return path.dropFirst().hasPrefix(":/") ? "file:///" + escaped : escaped
  }

  private static func slashed(_ path: String) -> String { path.replacing("\\", with: "/") }

  /// Escapes everything but the unreserved characters and slashes: a colon could end a scheme.
  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 47, 95, 126: bytes.append(byte)
      default: bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
