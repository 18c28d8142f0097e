internal import Bytes
internal import Files
internal import Glibc

extension HomeFolder {
  /// Removes the leftover files of processes that died while writing.
  ///
  /// - Parameters:
  ///   - suffix: The suffix of their names.
  ///   - age: Seconds after which no process is still writing.
  static func removeLeftovers(in folder: String, suffix: String = "", olderThan age: Int = 86_400) {
    let now = WallClock.seconds
    for name in FolderNames.of(folder) {
      var status = stat()
      guard !name.hasPrefix("."), name.hasSuffix(suffix), stat("\(folder)/\(name)", &status) == 0,
        now - status.st_mtim.tv_sec > age
      else { continue }
      unlink("\(folder)/\(name)")
    }
  }
}
