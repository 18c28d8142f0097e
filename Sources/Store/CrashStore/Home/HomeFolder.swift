internal import Bytes
internal import Files

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
    try Folder.makeAll(path)
    for folder in [blobs, blobs + "/new", caches] { try Folder.make(folder) }
    // SQLite gives the files beside a database the permissions of the database. One that is there is
    // not opened: closing it would give up the locks that this process has on it, and another process
    // that ends would take the log away under our connections (sqlite.org/howtocorrupt.html, 2.2).
    for database in [database, contents] { try OpenFile.makeUnlessThere(database) }
  }

  /// The lock of those who read all contents of a home, shared, and of those who take contents away,
  /// alone.
  ///
  /// - Parameter waits: Whether to wait for those who hold it.
  /// - Returns: `nil` when somebody holds it and it was not to be waited for.
  /// - Throws: `FileError` when it cannot be made.
  static func lock(
    _ home: String, _ lock: OpenFile.Lock, waits: Bool
  ) throws(FileError) -> LockFile? {
    try LockFile(home + "/contents.lock", lock, waits: waits)
  }
}
