public import Bytes
internal import Database
public import Identifiers

extension IntakeQueue {
  /// Number of submissions whose rows are read in one transaction.
  private static let archiveBatch = 64

  /// Passes every submission to `body` that was acknowledged before the call and is not stored, in the order
  /// of arrival, while others continue. A missing one was stored, or discarded, before this returns: a store
  /// that is read afterwards contains it.
  ///
  /// - Throws: What `body` throws; ``IntakeError/storage(_:)`` where a submission cannot be read;
  ///   `DatabaseError`.
  public func forEachQueued(
    _ body: (ArchivedSubmission, ByteView) throws -> Void
  ) throws {
    try collectAll()
    let mark = try store.read { try $0.integer("SELECT max(id) FROM intake") } ?? 0
    var last = 0
    while last < mark {
      let rows = try queued(
        "id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3", [last, mark, Self.archiveBatch])
      guard let end = rows.last?.submission.id else { return }
      for row in rows { try read(row, body) }
      last = end
    }
  }

  private struct QueuedRow: Sendable {
    let submission: ArchivedSubmission
    let body: StoredBody
  }

  private func queued(_ condition: String, _ values: [Int]) throws -> [QueuedRow] {
    try store.read { database in
      var found: [QueuedRow] = []
      let rows = try database.prepare(
        """
        SELECT id, route, received, facts, attempts, problem, counted, state, intake_id,
          \(StoredBody.columns)
        FROM intake WHERE \(condition)
        """, values)
      while try rows.step() {
        try found.append(
          QueuedRow(
            submission: ArchivedSubmission(
              id: rows.int("id"), route: rows.text("route"), received: rows.int("received"),
              facts: Self.facts(rows.text("facts")), attempts: rows.int("attempts"),
              problem: rows.int("state") == IntakeState.quarantined.rawValue
                ? rows.text("problem") : nil,
              isCounted: rows.bool("counted"), identity: IntakeID(rows.blob("intake_id"))),
            body: StoredBody(rows)))
      }
      return found
    }
  }

  /// The body may have been moved since its row was read, or deleted with it.
  private func read(
    _ row: QueuedRow, _ body: (ArchivedSubmission, ByteView) throws -> Void
  ) throws {
    var row = row
    while true {
      let bytes: ByteView
      do {
        bytes = try self.body(row.body)
      } catch {
        guard let now = try queued("id = ?1", [row.submission.id]).first else { return }
        guard now.body.isElsewhere(than: row.body) else {
          throw IntakeError.storage(
            "submission \(row.submission.id) of the queue cannot be read: \(error);"
              + " once it is quarantined (mayday intake list), it can be discarded")
        }
        row = now
        continue
      }
      return try body(row.submission, bytes)
    }
  }
}

extension IntakeQueue {
  /// The submissions whose separate body files are missing, or have another size, in the order of arrival.
  /// The bytes are not read.
  ///
  /// - Throws: `DatabaseError`; `FileError` where a file cannot be checked.
  public func missingBodies() throws -> [Int] {
    let files = try store.read { database in
      let rows = try database.prepare(
        "SELECT id, file, size FROM intake WHERE file IS NOT NULL ORDER BY id")
      var files: [(id: Int, name: String, size: Int)] = []
      while try rows.step() {
        try files.append((rows.int("id"), rows.text("file"), rows.int("size")))
      }
      return files
    }
    let missing = try files.filter { try store.bodies.size(of: $0.name) != $0.size }
    // A submission that was stored meanwhile was deleted with its body.
    return try store.read { database in
      try missing.map(\.id).filter {
        try database.integer("SELECT 1 FROM intake WHERE id = ?1 AND file IS NOT NULL", $0) != nil
      }
    }
  }

  /// Returns the given submissions that are in the queue, whatever their state.
  ///
  /// - Throws: `DatabaseError`.
  public func queued(_ ids: [IntakeID]) throws -> Set<IntakeID> {
    try store.read { database in
      Set(
        try ids.filter {
          try database.integer("SELECT 1 FROM intake WHERE intake_id = ?1", $0.bytes) != nil
        })
    }
  }

  /// The identity of a submission in the store; `nil` for an unknown number.
  ///
  /// - Throws: `DatabaseError`.
  public func identity(of id: Int) throws -> IntakeID? {
    try store.read { database in
      let rows = try database.prepare("SELECT intake_id FROM intake WHERE id = ?1", [id])
      return try rows.step() ? IntakeID(rows.blob("intake_id")) : nil
    }
  }
}
