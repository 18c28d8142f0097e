extension Connection {
  /// The damage, in the database's words: the first lines of a long list, empty for a sound database.
  public borrowing func integrityProblems() throws(DatabaseError) -> [String] {
    try driver.integrityProblems()
  }

  /// The number of the last step of ``Migrations`` that ran.
  public var schemaVersion: Int {
    get throws(DatabaseError) { try driver.schemaState().version }
  }

  /// The columns of a table, in their order; empty where there is no such table.
  public borrowing func columns(of table: String) throws(DatabaseError) -> [ColumnDescription] {
    try driver.columns(of: table)
  }

  /// Lets rows come before those that they refer to, as long as the connection is open. Not within a
  /// transaction.
  public borrowing func stopCheckingReferences() throws(DatabaseError) {
    try driver.stopCheckingReferences()
  }

  /// A table with a row that refers to a missing row; `nil` where there is none.
  public borrowing func tableWithMissingReference() throws(DatabaseError) -> String? {
    try driver.tableWithMissingReference()
  }

  /// Whether ``releaseSpace(pages:)`` works; else ``rewrite()`` has to come first.
  public borrowing func canReleaseSpace() throws(DatabaseError) -> Bool {
    try driver.canReleaseSpace()
  }

  /// Writes the database anew, without freed room.
  ///
  /// - Throws: ``DatabaseError``, also where the disk has no room for it.
  public borrowing func rewrite() throws(DatabaseError) { try driver.rewrite() }

  /// Gives at most so many freed pages back to the disk.
  ///
  /// - Returns: Whether there are more.
  public borrowing func releaseSpace(pages: Int) throws(DatabaseError) -> Bool {
    try driver.releaseSpace(pages: pages)
  }

  /// Gives as much room back as a full disk allows: the log, then freed pages, in steps so small that the log
  /// stays short.
  ///
  /// - Throws: ``DatabaseError`` of another kind than a full disk.
  public borrowing func makeRoom() throws(DatabaseError) {
    do throws(DatabaseError) {
      try truncateLog()
      while try releaseSpace(pages: Self.fullDiskPages) { try truncateLog() }
      try truncateLog()
    } catch {
      guard error.kind == .full else { throw error }
    }
  }

  /// Pages that are given back in one step where the disk is full.
  private static let fullDiskPages = 32

  /// Gives the memory of pages that no statement needs back.
  borrowing func releaseMemory() { driver.releaseMemory() }

  /// Leaves no trace of former rows in the files beside the database. Where a reader is in the middle,
  /// some of them stay until the next time.
  public borrowing func truncateLog() throws(DatabaseError) { try driver.truncateLog() }
}
