internal import Bytes
internal import Glibc

/// The paths that the user named.
package enum InputPaths {
  /// Refuses a path that does not exist: it is misspelt, and silence would look like success.
  ///
  /// - Throws: ``FileError`` for the first path that does not exist.
  package static func check(_ paths: [String]) throws {
    for path in paths where path != "-" {
      var status = stat()
      guard stat(path, &status) == 0 else { throw FileError("open", path: path) }
    }
  }
}
