internal import Glibc
package import Identifiers

/// Folders in which a system keeps debug files by build id: `.build-id/ab/cdef.debug`.
///
/// Source: GDB's manual, "Debugging Information in Separate Files".
package struct DebugFolders {
  package static let standard = "/usr/lib/debug"

  package let paths: [String]

  /// Returns the debug file of a build, if there is one.
  package func file(of id: CodeID) -> String? {
    let digits = id.description
    guard digits.count > 2 else { return nil }
    let name = "/.build-id/\(digits.prefix(2))/\(digits.dropFirst(2)).debug"
    return paths.map { $0 + name }.first { access($0, R_OK) == 0 }
  }

  package init(paths: [String]) {
    self.paths = paths
  }
}
