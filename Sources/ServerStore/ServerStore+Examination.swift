internal import Database

extension ServerStore {
  /// What is damaged in the database, in SQLite's words; nothing where it is whole.
  public func integrityProblems() throws -> [String] {
    try connection.withLock { try $0.integrityProblems() }
  }
}
