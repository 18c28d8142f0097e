internal import Database

extension CrashStore {
  /// Returns the damage in the databases as SQLite describes it; empty when they are sound.
  ///
  /// - Complexity: Reads all pages.
  public func integrityProblems() throws -> [String] {
    try connection.withLock { try $0.integrityProblems() }
      + contents.database.withLock { try $0.integrityProblems() }
  }

  /// The number of the schema's last step.
  public var schemaVersion: Int {
    get throws { try connection.withLock { try $0.schemaVersion } }
  }
}
