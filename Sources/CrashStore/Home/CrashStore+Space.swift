internal import SQLite

extension CrashStore {
  /// Pages that are given back in one step, for which others wait.
  private static let stepPages = 1000

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
        try database.withLock { database in
          try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
          try database.execute("VACUUM")
        }
        try contents.clampAges()
      }
      while try database.withLock({ try $0.requiredInteger("PRAGMA freelist_count") }) > 0 {
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
