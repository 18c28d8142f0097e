internal import Glibc

extension HomeFolder {
  /// Removes the files that a process left that died while it wrote.
  ///
  /// - Parameters:
  ///   - suffix: What their names end in.
  ///   - age: Seconds after which no process still writes.
  static func removeLeftovers(in folder: String, suffix: String = "", olderThan age: Int = 86_400) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    let now = time(nil)
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard !name.hasPrefix("."), name.hasSuffix(suffix), stat("\(folder)/\(name)", &status) == 0,
        now - status.st_mtim.tv_sec > age
      else { continue }
      unlink("\(folder)/\(name)")
    }
  }
}
