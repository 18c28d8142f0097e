internal import Glibc
internal import SQLite

/// The room that a home takes.
public struct SpaceUse: Equatable, Sendable {
  /// On the disk, as `du` counts: whole blocks.
  public var disk = 0
  /// The database of apps, reports and groups, with its log.
  public var database = 0
  /// Submissions and documents: the database of small contents with its log, and larger ones.
  public var contents = 0
  /// Debug files.
  public var debugFiles = 0
  /// What can be made again.
  public var caches = 0
}

extension CrashStore {
  /// Pages that are given back in one step, for which others wait.
  private static let stepPages = 1000

  /// The room that the home takes now.
  public func spaceUse() -> SpaceUse {
    var use = SpaceUse()
    var folders = [(path: home, level: 0)]
    while let (folder, level) = folders.popLast() {
      use.disk += Self.blocks(folder)
      guard level < 8 else { continue }
      for name in BlobFolder.names(in: folder) {
        let path = "\(folder)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          folders.append((path, level + 1))
          continue
        }
        let size = Int(status.st_blocks) * 512
        use.disk += size
        let inside = path.dropFirst(home.utf8.count + 1)
        if inside.hasPrefix("mayday.db") {
          use.database += size
        } else if inside.hasPrefix("caches/") {
          use.caches += size
        } else if inside.hasPrefix("blobs/small.db") || name.hasSuffix(".zst") {
          use.contents += size
        } else if inside.hasPrefix("blobs/") {
          use.debugFiles += size
        }
      }
    }
    return use
  }

  private static func blocks(_ path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// Gives the room of what was deleted back to the disk, a step at a time.
  ///
  /// A database that an older version made is rewritten as a whole once, for which other processes
  /// wait, and for which there has to be room.
  ///
  /// - Throws: `DatabaseError`, also when the disk has no room for the rewriting.
  public func giveBackSpace() throws {
    for database in [connection, contents.database] {
      let mode = try database.withLock { try $0.integer("PRAGMA auto_vacuum") }
      if mode == 0 {
        try database.withLock { try $0.execute("VACUUM") }
        try contents.clampAges()
      }
      while try database.withLock({ try $0.integer("PRAGMA freelist_count") ?? 0 }) > 0 {
        try database.withLock {
          try $0.execute("PRAGMA incremental_vacuum(\(Self.stepPages))")
        }
      }
      // A reader that is in the middle keeps the log; the next time it goes.
      _ = try database.withLock { try $0.integer("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
  }

  /// The room that the contents of a report take, in bytes.
  func packedSize(of report: Int, withSubmission: Bool) throws -> Int {
    let digests = try read { database in
      let rows = try database.prepare(
        """
        SELECT reports.document, submissions.digest FROM reports
          JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1
        """, [report])
      return try rows.step() ? [rows.blob(0)] + (withSubmission ? [rows.blob(1)] : []) : []
    }
    return try digests.reduce(0) { $0 + (try contents.packedSize($1)) }
  }
}
