internal import Database

extension CrashStore {
  /// Number of pages that are released in one step, for which others wait.
  private static let stepPages = 1000

  /// Returns the space of deleted data to the disk, a step at a time.
  ///
  /// - Throws: `DatabaseError`.
  public func giveBackSpace() throws {
    for database in [connection, contents.database] {
      while try database.withLock({ try $0.releaseSpace(pages: Self.stepPages) }) {}
      try database.withLock { try $0.truncateLog() }
    }
  }

  /// Returns as much space as a full disk allows, in small steps: deleting needs some itself, for the logs of
  /// the databases.
  ///
  /// - Throws: `DatabaseError` of another kind than a full disk.
  func makeRoom() throws {
    for database in [connection, contents.database] {
      try database.withLock { try $0.makeRoom() }
    }
  }

  /// Returns the size of the stored contents of a report in bytes.
  func packedSize(of report: RowID<Tables.Reports>, withSubmission: Bool) throws -> Int {
    let digests = try read { database in
      let rows = try database.prepare(
        """
        SELECT reports.document, submissions.digest FROM reports
          JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1
        """, [report])
      return try rows.step()
        ? [rows.blob("document")] + (withSubmission ? [rows.blob("digest")] : []) : []
    }
    return try digests.reduce(0) { $0 + (try contents.packedSize($1)) }
  }
}
