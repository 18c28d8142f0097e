internal import Database

/// A file of a watched folder as it was when it was processed.
public struct WatchedFileRecord: Hashable, Sendable {
  /// The absolute path, as bytes.
  public var path: [UInt8]
  public var inode: UInt64
  /// In bytes.
  public var size: Int
  /// In nanoseconds since 1970.
  public var modified: Int64

  public init(path: [UInt8], inode: UInt64, size: Int, modified: Int64) {
    self.path = path
    self.inode = inode
    self.size = size
    self.modified = modified
  }
}

extension CrashStore.Reports {
  /// Processed files that remained in their folders, by path.
  ///
  /// - Throws: `DatabaseError`.
  public func watchedFiles() throws -> [WatchedFileRecord] {
    try store.read { database in
      let rows = try database.prepare(
        "SELECT path, inode, size, modified FROM watched ORDER BY path")
      var files: [WatchedFileRecord] = []
      while try rows.step() {
        try files.append(
          WatchedFileRecord(
            path: rows.blob("path"), inode: UInt64(bitPattern: Int64(rows.int("inode"))),
            size: rows.int("size"),
            modified: Int64(rows.int("modified"))))
      }
      return files
    }
  }

  /// Remembers processed files and forgets others, all or none.
  ///
  /// - Throws: `DatabaseError`.
  public func remember(
    watched files: [WatchedFileRecord], forgetting gone: [[UInt8]] = []
  ) throws {
    guard !files.isEmpty || !gone.isEmpty else { return }
    try store.write(.global) { database in
      for path in gone { try database.run("DELETE FROM watched WHERE path = ?1", path) }
      for file in files {
        try database.insert(
          into: "watched",
          [
            "path": file.path, "inode": Int(Int64(bitPattern: file.inode)), "size": file.size,
            "modified": Int(file.modified),
          ],
          onConflict: """
            ON CONFLICT (path) DO UPDATE SET inode = excluded.inode,
              size = excluded.size,
              modified = excluded.modified
            """)
      }
    }
  }
}
