import Glibc

/// Contents of a folder: the one walk of the tests. A folder that cannot be read is an error, not empty.
public enum FolderListing {
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// The names in a folder, sorted, without `.` and `..`.
  public static func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw failure(folder) }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw failure(folder) }
    return names.sorted()
  }

  /// The paths of the files under a folder, relative to it and sorted. Links are not followed.
  public static func files(below folder: String) throws -> [String] {
    var found: [String] = []
    var folders = [""]
    while let relative = folders.popLast() {
      for name in try names(in: folder + "/" + relative) {
        let path = relative.isEmpty ? name : relative + "/" + name
        var status = stat()
        guard lstat(folder + "/" + path, &status) == 0 else { throw failure(folder + "/" + path) }
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(path) } else { found.append(path) }
      }
    }
    return found.sorted()
  }

  private static func failure(_ path: String) -> Failure {
    Failure(description: "\(path): \(String(cString: strerror(errno)))")
  }
}
