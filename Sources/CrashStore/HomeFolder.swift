internal import Bytes
internal import Glibc

/// The folder in which everything is: readable by its owner only.
///
///     mayday.db            the database, with its -wal and -shm beside it
///     blobs/small.db       contents that are small, see ContentStore
///     blobs/ab/<digest>    those that are large, see BlobFolder
///     blobs/new/           files that are still being written
///     caches/              what can be made again: symbol caches
struct HomeFolder: Sendable {
  let path: String

  var database: String { path + "/mayday.db" }
  var blobs: String { path + "/blobs" }
  var contents: String { blobs + "/small.db" }
  var caches: String { path + "/caches" }

  /// Opens the folder, and makes it and what belongs in it where it is not there.
  ///
  /// - Throws: `FileError` when it cannot be made.
  init(opening path: String) throws(FileError) {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.path = path
    var parent = path.startIndex
    while let slash = path[parent...].dropFirst().firstIndex(of: "/") {
      try Self.make(String(path[..<slash]))
      parent = slash
    }
    for folder in [path, blobs, blobs + "/new", caches] { try Self.make(folder) }
    // SQLite gives the files beside a database the permissions of the database. One that is there is
    // not opened: closing it would give up the locks that this process has on it, and another process
    // that ends would take the log away under our connections (sqlite.org/howtocorrupt.html, 2.2).
    for database in [database, contents] {
      let file = open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 || errno == EEXIST else { throw FileError("open", path: database) }
      if file >= 0 { close(file) }
    }
  }

  /// Waits until the names in a folder are on the disk.
  static func sync(_ path: String) throws(FileError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileError("open", path: path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw FileError("sync", path: path) }
  }

  /// Makes one folder, unless it is there.
  static func make(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 {
      let parent = path.lastIndex(of: "/").map { $0 > path.startIndex ? path[..<$0] : "/" } ?? "."
      return try sync(String(parent))
    }
    let code = errno
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError("make folder", path: path, code: code)
    }
  }
}
