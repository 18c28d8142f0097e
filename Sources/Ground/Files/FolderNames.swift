public import Bytes
internal import Glibc

/// The names in a folder.
public enum FolderNames {
  /// The names in a folder without `.` and `..`, in no order; none where it cannot be read.
  public static func of(_ path: String) -> [String] { (try? listed(path)) ?? [] }

  /// The names in a folder without `.` and `..`, in no order.
  ///
  /// - Throws: ``FileError`` where it cannot be opened or read.
  public static func listed(_ path: String) throws(FileError) -> [String] {
    guard let folder = opendir(path) else { throw FileError("open", path: path) }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else { break }
      // The entry may be shorter than its type says: it is not copied.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)
        ) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError("read", path: path) }
    return names
  }
}
