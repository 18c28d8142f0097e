public import Bytes
internal import Glibc

/// Folders, by their paths.
public enum Folder {
  /// Makes a folder for its owner only, unless it is there; its name is on the disk then.
  ///
  /// - Throws: `FileError` where it cannot be made, or is not a folder.
  public static func make(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 { return try sync(parent(of: path)) }
    let code = errno
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError("make folder", path: path, code: code)
    }
  }

  /// Makes a folder as ``make(_:)`` does, and those above it that are not there.
  public static func makeAll(_ path: String) throws(FileError) {
    do throws(FileError) {
      try make(path)
    } catch {
      let above = parent(of: path)
      guard error.code == ENOENT, above != path, above != "." else { throw error }
      try makeAll(above)
      try make(path)
    }
  }

  /// Waits until the names in a folder are on the disk.
  ///
  /// The system does it in its time where it cannot be asked: a folder that may be written to but not
  /// read, a file system that syncs no folders.
  ///
  /// - Throws: `FileError` where the disk fails.
  public static func sync(_ path: String) throws(FileError) {
    let folder: OpenFile
    do throws(FileError) {
      folder = try OpenFile.folder(path)
    } catch {
      if error.code == EACCES { return }
      throw error
    }
    guard fsync(folder.number) != 0, ![EINVAL, EROFS, ENOTSUP].contains(errno) else { return }
    throw FileError("sync", path: path)
  }

  /// Where temporary files are made: `$TMPDIR`, by default `/tmp`.
  public static var temporary: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  /// Where this user's files lie that can be made again: `$XDG_CACHE_HOME/mayday`, by default
  /// `~/.cache/mayday`; `nil` where the environment names neither.
  ///
  /// Source: the XDG Base Directory Specification.
  public static var userCaches: String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    if let cache = variable("XDG_CACHE_HOME"), cache.hasPrefix("/") { return cache + "/mayday" }
    return variable("HOME").map { $0 + "/.cache/mayday" }
  }

  /// The path of the folder that a path lies in.
  public static func parent(of path: String) -> String {
    var end = path.endIndex
    while end > path.startIndex, path[..<end].hasSuffix("/") { end = path.index(before: end) }
    guard end > path.startIndex else { return path.isEmpty ? "." : "/" }
    guard let slash = path[..<end].lastIndex(of: "/") else { return "." }
    return slash > path.startIndex ? String(path[..<slash]) : "/"
  }

  /// Removes a folder with all that is in it; links are removed, not followed.
  public static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    // Folders come before what is in them, and go after it.
    var folders = [path]
    var index = 0
    while index < folders.count {
      let folder = folders[index]
      index += 1
      for name in FolderNames.of(folder) {
        let inside = "\(folder)/\(name)"
        guard lstat(inside, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(inside) } else { unlink(inside) }
      }
    }
    for folder in folders.reversed() { rmdir(folder) }
  }

  /// Gives a folder, or a file in it, another name on the same file system.
  ///
  /// - Throws: `FileError`, also where a folder has that name that is not empty.
  public static func rename(_ path: String, to new: String) throws(FileError) {
    guard Glibc.rename(path, new) == 0 else { throw FileError("rename", path: path) }
  }
}
