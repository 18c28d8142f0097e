internal import Bytes
internal import SQLite

extension ServerStore {
  /// What is damaged in the database, in SQLite's words; nothing where it is whole.
  public func integrityProblems() throws -> [String] {
    try connection.withLock { try $0.integrityProblems() }
  }
}

extension WorkerLease {
  /// How many workers live that file what the queue holds.
  public static func living(in store: ServerStore) throws -> Int {
    FolderNames.of(store.home + "/intake")
      .count { $0.hasPrefix("worker-") && isHeld($0, in: store) }
  }
}
