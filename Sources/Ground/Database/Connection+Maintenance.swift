extension Connection {
  /// The damage as the database reports it: the first lines of a long list; empty for a sound database.
  public borrowing func integrityProblems() throws(DatabaseError) -> [String] {
    try driver.integrityProblems()
  }

  /// The number of the last step of ``Migrations`` that was run.
  public var schemaVersion: Int {
    get throws(DatabaseError) { try driver.schemaState().version }
  }

  /// The columns of a table, in order; empty where there is no such table.
  public borrowing func columns(of table: String) throws(DatabaseError) -> [ColumnDescription] {
    try driver.columns(of: table)
  }

  /// Allows rows to be inserted before the rows that they refer to, as long as the connection is open. Not
  /// within a transaction.
  public borrowing func stopCheckingReferences() throws(DatabaseError) {
    try driver.stopCheckingReferences()
  }

  /// A table with a row that refers to a missing row; `nil` where there is none.
  public borrowing func tableWithMissingReference() throws(DatabaseError) -> String? {
    try driver.tableWithMissingReference()
  }

  /// Gives at most so many freed pages back to the disk.
  ///
  /// - Returns: Whether there are more.
  public borrowing func releaseSpace(pages: Int) throws(DatabaseError) -> Bool {
    try driver.releaseSpace(pages: pages)
  }

  /// Frees as much space as a full disk allows: the log, then free pages, in steps so small that the log
  /// stays short.
  ///
  /// - Throws: ``DatabaseError`` other than a full disk.
  public borrowing func makeRoom() throws(DatabaseError) {
    do throws(DatabaseError) {
      try truncateLog()
      while try releaseSpace(pages: Self.fullDiskPages) { try truncateLog() }
      try truncateLog()
    } catch {
      guard error.kind == .full else { throw error }
    }
  }

  /// Pages freed in one step where the disk is full.
  private static let fullDiskPages = 32

  /// Frees the memory of pages that no statement needs.
  borrowing func releaseMemory() { driver.releaseMemory() }

  /// Removes all traces of former rows from the files beside the database. While a reader is active, some of
  /// them stay until the next call.
  public borrowing func truncateLog() throws(DatabaseError) { try driver.truncateLog() }
}
