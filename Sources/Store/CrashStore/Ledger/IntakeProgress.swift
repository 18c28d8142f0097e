internal import Database
public import Identifiers
internal import Leases

/// How much of a submission of an intake queue the store and its ledger have.
///
/// A worker that is killed after it stored a submission leaves it in the queue, and the next one works on it
/// again. Nothing is stored twice then, as the bytes are known; the progress, written in the same transaction
/// as what it counts, shows that they are known from this very submission and not from an earlier one.
public struct IntakeProgress: Equatable, Sendable {
  public let id: IntakeID
  /// The number of its outcomes in the ledger. An outcome is that of a file in it, in their order: stored,
  /// known before or refused.
  public var outcomes: Int
  /// Whether anything in it was new when it was stored.
  public var isNew: Bool

  public init(_ id: IntakeID, outcomes: Int = 0, isNew: Bool = false) {
    self.id = id
    self.outcomes = outcomes
    self.isNew = isNew
  }

  /// Records it inside the transaction that counts the outcomes. Work that is repeated begins with the first of
  /// them again, so what was recorded before is never reduced.
  func write(to database: borrowing Connection) throws {
    try database.insert(
      into: "intake_progress",
      ["intake": id.bytes, "outcomes": outcomes, "is_new": isNew, "is_discarded": false],
      onConflict: """
        ON CONFLICT (intake) DO UPDATE SET
          outcomes = CASE WHEN intake_progress.outcomes > excluded.outcomes
            THEN intake_progress.outcomes ELSE excluded.outcomes END,
          is_new = CASE WHEN intake_progress.is_new = 1 THEN 1 ELSE excluded.is_new END
        """)
  }

  /// Records that a submission was discarded, inside the transaction that counts it as refused.
  ///
  /// - Returns: Whether it was not recorded before.
  static func discard(_ id: IntakeID, in database: borrowing Connection) throws -> Bool {
    try IntakeProgress(id).write(to: database)
    try database.run(
      "UPDATE intake_progress SET is_discarded = 1 WHERE intake = ?1 AND is_discarded = 0",
      id.bytes)
    return database.changes > 0
  }
}

extension CrashStore.Accounts {
  /// Number of submissions whose progress is checked at a time.
  private static let progressBatch = 4_096

  /// The progress of submissions that a queue has handed out; there is none for those that are not begun.
  ///
  /// - Throws: `DatabaseError`.
  public func progress(of ids: [IntakeID]) throws -> [IntakeID: IntakeProgress] {
    guard !ids.isEmpty else { return [:] }
    return try store.read { database in
      var progress: [IntakeID: IntakeProgress] = [:]
      for id in ids {
        let rows = try database.prepare(
          "SELECT outcomes, is_new FROM intake_progress WHERE intake = ?1", [id.bytes])
        guard try rows.step() else { continue }
        progress[id] = try IntakeProgress(
          id, outcomes: rows.count("outcomes"), isNew: rows.bool("is_new"))
      }
      return progress
    }
  }

  /// Forgets the progress of submissions that have left the queue, unless a backup is being made: it may have
  /// them in its copy of the queue.
  ///
  /// - Parameter isQueued: Returns those of the given submissions that are still in the queue.
  /// - Throws: What `isQueued` throws; `DatabaseError`, `FileError`.
  public func forgetProgress(
    unless isQueued: (_ ids: [IntakeID]) throws -> Set<IntakeID>
  ) throws {
    var last: [UInt8] = []
    while true {
      // Before the queue is asked: what leaves it after that is not begun again.
      let ids = try store.read { database in
        var ids: [IntakeID] = []
        let rows = try database.prepare(
          "SELECT intake FROM intake_progress WHERE intake > ?1 ORDER BY intake LIMIT ?2",
          [last, Self.progressBatch])
        while try rows.step() { try ids.append(IntakeID(rows.blob("intake"))) }
        return ids
      }
      guard let end = ids.last else { return }
      last = end.bytes
      let queued = try isQueued(ids)
      let left = ids.filter { !queued.contains($0) }
      guard !left.isEmpty else { continue }
      guard let lock = try store.leases.take(.contents) else { return }
      defer { withExtendedLifetime(lock) {} }
      try store.write(.global) { database in
        for id in left {
          try database.run("DELETE FROM intake_progress WHERE intake = ?1", id.bytes)
        }
      }
    }
  }
}
