internal import Bytes
internal import Files

/// The folder that contains everything: readable by its owner only.
///
///     mayday.db            the database, with its -wal and -shm beside it
///     blobs/small.db       small contents, see ContentStore
///     blobs/ab/<digest>    large contents, see BlobFolder
///     blobs/new/           files that are still being written
///     caches/              rebuildable files: symbol caches
///     search/              files of the search index, see SearchSegments
struct HomeFolder: Sendable {
  let path: String

  var database: String { path + "/mayday.db" }
  var blobs: String { path + "/blobs" }
  var contents: String { blobs + "/small.db" }
  var caches: String { path + "/caches" }
  var segments: String { Self.segments(besides: database) }

  /// The folder of the search index's files.
  static func segments(besides database: String) -> String {
    Folder.parent(of: database) + "/search"
  }

  /// Opens the folder, and creates it and its contents where they are missing.
  ///
  /// - Throws: `FileError` when it cannot be created.
  init(opening path: String) throws(FileError) {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.path = path
    try Folder.makeAll(path)
    for folder in [blobs, blobs + "/new", caches, segments] { try Folder.make(folder) }
    // SQLite gives the files beside a database the permissions of the database. An existing one is not
    // opened: closing it would release the locks that this process has on it, and another process that ends
    // would delete the log under our connections (sqlite.org/howtocorrupt.html, 2.2).
    for database in [database, contents] { try OpenFile.makeUnlessThere(database) }
  }
}
