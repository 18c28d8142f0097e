public import CrashModel
internal import Database

extension CrashStore {
  /// The damage in the databases, in SQLite's words; empty when they are sound.
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

  /// When the last report came in; `nil` without any.
  public func lastReceived() throws -> Timestamp? {
    try read { database in
      try database.integer("SELECT received FROM reports ORDER BY id DESC LIMIT 1").map(
        Timestamp.init(microseconds:))
    }
  }
}
