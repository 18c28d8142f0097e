import Glibc

/// What lies in a folder.
public enum FolderNames {
  /// The names in a folder without `.` and `..`, in no order; none where it cannot be read.
  public static func of(_ path: String) -> [String] { (try? listed(path)) ?? [] }

  /// The names in a folder without `.` and `..`, in no order.
  ///
  /// - Throws: ``FileError`` where it cannot be opened or read.
  public static func listed(_ path: String) throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw FileError("open", path: path) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw FileError("read", path: path) }
    return names
  }
}
