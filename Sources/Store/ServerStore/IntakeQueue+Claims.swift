public import Bytes
internal import Database
internal import Files
internal import Glibc
internal import Identifiers
internal import JSON
internal import Synchronization

extension IntakeQueue {
  /// Finishes a worker's submissions, and hands it the next ones: some of each app in turn, in the order of
  /// arrival.
  ///
  /// A submission that was taken before and not finished comes alone, after all new ones: if it kills its
  /// worker, nothing else waits for it. Each attempt is counted before it begins.
  ///
  /// - Parameters:
  ///   - lease: The worker.
  ///   - done: The submissions that it has stored.
  ///   - count: Maximum number of submissions to hand out.
  ///   - bytes: Approximate number of bytes of bodies; at least one submission is handed out.
  ///   - excluded: Turns to skip, as returned by ``turn(of:)``.
  public func next(
    for lease: WorkerLease, finishing done: [FinishedRecord] = [], atMost count: Int = 512,
    bytes: Int = 64 << 20, excluding excluded: Set<String> = []
  ) throws -> [QueuedRecord] {
    let bytes = reserve.batch(atMost: bytes)
    let (taken, left) = try store.write { database in
      let left = try Self.finish(done, in: database)
      try Self.forgetErasures(in: database)
      try collect(atMost: Self.collected, in: database)
      return (
        try take(for: lease, count: count, bytes: bytes, excluding: excluded, in: database), left
      )
    }
    for file in left.files { store.bodies.remove(file) }
    // Other processes need not wait for the database while the bodies are read.
    do {
      try release(left.logs)
      if taken.isEmpty { try removeLogs() }
      return try taken.compactMap { row in
        do {
          return try record(row)
        } catch let error where Self.isDamage(error) {
          try quarantined(row.id, problem: "its body cannot be read: \(Self.reason(of: error))")
          return nil
        }
      }
    } catch {
      // The error that prevented reading may be temporary: none of these count as tried.
      try giveBack(taken.map(\.id))
      throw error
    }
  }

  /// Clients see this text, so it contains no path.
  private static func reason(of error: any Error) -> String {
    switch error {
    case let error as FileError: error.reason
    case let error as DatabaseError: error.message
    default: "\(error)"
    }
  }

  /// Number of submissions collected at a time, as others want to write too.
  static let collected = 4_096

  /// Returns a worker's submissions to the queue.
  ///
  /// - Parameter isTried: Whether they come again alone, after all new ones; otherwise as if they had not
  ///   been taken.
  public func giveBack(_ records: [QueuedRecord], isTried: Bool = false) throws {
    try giveBack(records.map(\.id), isTried: isTried)
  }

  private func giveBack(_ ids: [Int], isTried: Bool = false) throws {
    try store.write { database in
      var change = IntakeStateChange()
      for id in ids {
        let rows = try database.prepare(
          """
          UPDATE intake SET state = ?3, worker = NULL, attempts = attempts - ?2
          WHERE id = ?1 AND state = ?4 RETURNING size
          """, [id, isTried ? 0 : 1, IntakeState.waiting, IntakeState.working])
        while try rows.step() {
          try change.move(bytes: rows.int("size"), from: .working, to: .waiting)
        }
      }
      try change.write(to: database)
    }
  }

  /// Quarantines a submission that cannot be processed, with the reason, for an operator to check.
  ///
  /// - Parameter isCounted: Whether the store's ledger has counted it as refused.
  public func quarantined(
    _ record: QueuedRecord, problem: String, isCounted: Bool = false
  ) throws {
    try quarantined(record.id, problem: problem, isCounted: isCounted)
  }

  /// Whether an error shows that a body is lost or damaged, which trying again cannot fix; other errors, such
  /// as too many open files, are temporary.
  private static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case let error as FileError: error.code == ENOENT
    case is ParseError, is IntakeError: true
    default: false
    }
  }

  private func quarantined(_ id: Int, problem: String, isCounted: Bool = false) throws {
    try store.write { database in
      try Self.quarantine(id, problem, isCounted: isCounted, in: database)
      do {
        try detach([id], in: database)
      } catch let error as DatabaseError {
        throw error
      } catch {
        // A body that cannot be read stays where it is, and keeps its log.
      }
    }
  }

  private static func quarantine(
    _ id: Int, _ problem: String, isCounted: Bool, in database: borrowing Connection
  ) throws {
    var change = IntakeStateChange()
    do {
      let rows = try database.prepare("SELECT state, size FROM intake WHERE id = ?1", [id])
      guard try rows.step() else { return }
      let bytes = try rows.int("size")
      if let state = try IntakeState(rawValue: rows.int("state")) {
        change.remove(bytes: bytes, from: state)
      }
      change.add(bytes: bytes, to: .quarantined)
    }
    try database.run(
      """
      UPDATE intake SET state = ?2, worker = NULL, problem = ?3, counted = ?4 WHERE id = ?1
      """, id, IntakeState.quarantined, problem, isCounted)
    try change.write(to: database)
  }

  /// Takes back submissions of dead workers; those that were taken too often are quarantined. Deletes files
  /// that are no longer needed.
  ///
  /// - Returns: The number of submissions taken back, and the number of those quarantined.
  @discardableResult
  public func reclaim() throws -> (takenBack: Int, quarantined: Int) {
    let workers = try store.read { database in
      var workers: [String] = []
      let rows = try database.prepare(
        "SELECT DISTINCT worker FROM intake WHERE worker IS NOT NULL")
      while try rows.step() { try workers.append(rows.text("worker")) }
      return workers
    }
    let gone = try workers.filter { try !WorkerLease.isHeld($0, in: store) }
    try collectAll()
    try removeLeftovers()
    try removeLogs()
    guard !gone.isEmpty else { return (0, 0) }
    return try store.write { database in
      var counts = (takenBack: 0, quarantined: 0)
      var change = IntakeStateChange()
      for worker in gone {
        try detach(try Self.exhausted(worker, limits, in: database), in: database)
        counts.quarantined += try Self.move(
          """
          UPDATE intake SET state = ?2, worker = NULL,
            problem = 'its worker died ' || attempts || ' times'
          WHERE worker = ?1 AND attempts >= ?3 RETURNING size
          """, [worker, IntakeState.quarantined, limits.attempts],
          from: .working, to: .quarantined, &change, in: database)
        counts.takenBack += try Self.move(
          "UPDATE intake SET state = ?2, worker = NULL WHERE worker = ?1 RETURNING size",
          [worker, IntakeState.waiting], from: .working, to: .waiting, &change, in: database)
      }
      try change.write(to: database)
      counts.takenBack += counts.quarantined
      return counts
    }
  }

  /// Runs a statement that moves rows from one state to another and returns their sizes.
  ///
  /// - Returns: The number of moved rows.
  private static func move(
    _ sql: String, _ values: [any SQLBindable], from old: IntakeState, to new: IntakeState,
    _ change: inout IntakeStateChange, in database: borrowing Connection
  ) throws -> Int {
    let rows = try database.prepare(sql, values)
    var count = 0
    while try rows.step() {
      try change.move(bytes: rows.int("size"), from: old, to: new)
      count += 1
    }
    return count
  }

  /// Deletes bodies that no submission references, and files that were never finished.
  private func removeLeftovers() throws {
    let left = try store.bodies.leftovers()
    for file in left.unfinished { _ = file.remove() }
    guard !left.bodies.isEmpty else { return }
    try store.write { database in
      // Their writers are done, as the files are not held: a row or a log references them.
      while try collect(atMost: Self.collected, in: database) > 0 {}
      for file in left.bodies
      where try database.integer("SELECT 1 FROM intake WHERE file = ?1", file.name) == nil {
        _ = file.remove()
      }
    }
  }

  /// The submissions of a worker that have reached the limit of attempts.
  private static func exhausted(
    _ worker: String, _ limits: IntakeLimits, in database: borrowing Connection
  ) throws -> [Int] {
    var ids: [Int] = []
    let rows = try database.prepare(
      "SELECT id FROM intake WHERE worker = ?1 AND attempts >= ?2", [worker, limits.attempts])
    while try rows.step() { try ids.append(rows.int("id")) }
    return ids
  }

  /// The quarantined submissions, oldest first.
  ///
  /// - Parameter last: The number after which to continue.
  public func quarantined(atMost count: Int = 1_000, after last: Int = 0) throws
    -> [QuarantinedSubmission]
  {
    try quarantined("AND id > ?1 ORDER BY id LIMIT ?2", [last, count])
  }

  /// The quarantined submission with this number; `nil` if there is none.
  public func quarantined(_ id: Int) throws -> QuarantinedSubmission? {
    try quarantined("AND id = ?1", [id]).first
  }

  private func quarantined(_ condition: String, _ values: [Int]) throws -> [QuarantinedSubmission] {
    try store.read { database in
      var records: [QuarantinedSubmission] = []
      let rows = try database.prepare(
        """
        SELECT id, route, received, facts, size, attempts, problem, counted FROM intake
        WHERE state = \(IntakeState.quarantined.rawValue) \(condition)
        """, values)
      while try rows.step() {
        try records.append(
          QuarantinedSubmission(
            id: rows.int("id"), route: rows.text("route"),
            received: rows.timestamp("received"),
            facts: Self.facts(rows.text("facts")), size: rows.int("size"),
            attempts: rows.int("attempts"),
            problem: rows.text("problem"), isCounted: rows.bool("counted")))
      }
      return records
    }
  }

  /// Returns quarantined submissions to the queue, as if they were new.
  ///
  /// - Parameter ids: The submissions; `nil` for all.
  /// - Returns: The number of submissions.
  public func retry(_ ids: [Int]? = nil) throws -> Int {
    try store.write { database in
      var change = IntakeStateChange()
      var count = 0
      let states: [any SQLBindable] = [IntakeState.waiting, IntakeState.quarantined]
      if let ids {
        for id in ids {
          count += try Self.move(
            """
            UPDATE intake SET state = ?1, attempts = 0, problem = NULL
            WHERE state = ?2 AND id = ?3 RETURNING size
            """, states + [id], from: .quarantined, to: .waiting, &change, in: database)
        }
      } else {
        count = try Self.move(
          """
          UPDATE intake SET state = ?1, attempts = 0, problem = NULL WHERE state = ?2
          RETURNING size
          """, states, from: .quarantined, to: .waiting, &change, in: database)
      }
      try change.write(to: database)
      return count
    }
  }

  /// The body of a quarantined submission; `nil` for an unknown number.
  public func body(ofQuarantined id: Int) throws -> ByteView? {
    try store.read { database -> StoredBody? in
      let rows = try database.prepare(
        "SELECT \(StoredBody.columns) FROM intake WHERE state = \(IntakeState.quarantined.rawValue) AND id = ?1",
        [id])
      return try rows.step() ? StoredBody(rows) : nil
    }.map { try body($0) }
  }

  /// Deletes a quarantined submission permanently.
  ///
  /// - Returns: Whether it existed.
  public func discard(_ id: Int) throws -> Bool {
    let files = try store.write { database -> [String]? in
      guard
        try database.integer(
          "SELECT 1 FROM intake WHERE state = \(IntakeState.quarantined.rawValue) AND id = ?1", id)
          != nil
      else { return nil }
      try Self.rememberDiscarded(id, in: database)
      let rows = try database.prepare(
        "DELETE FROM intake WHERE id = ?1 RETURNING file, size", [id])
      var change = IntakeStateChange()
      var file: String?
      while try rows.step() {
        file = try rows.optionalText("file")
        try change.remove(bytes: rows.int("size"), from: .quarantined)
      }
      try change.write(to: database)
      try Self.count(1, as: .discarded, in: database)
      try Self.forgetErasures(in: database)
      return file.map { [$0] } ?? []
    }
    for file in files ?? [] { store.bodies.remove(file) }
    return files != nil
  }

  // MARK: Rows

  private func take(
    for lease: WorkerLease, count: Int, bytes: Int, excluding excluded: Set<String>,
    in database: borrowing Connection
  ) throws -> [Row] {
    guard count > 0 else { return [] }
    let turns = try Self.turns(
      after: lastTurn.withLock { $0 }, excluding: excluded, in: database)
    // An equal share for each; what one does not use is for the others the next time.
    let share = max(1, count / max(turns.count, 1))
    var ids: [Int] = []
    var change = IntakeStateChange()
    var size = 0
    for turn in turns where ids.count < count {
      let rows = try database.prepare(
        """
        SELECT id, size FROM intake WHERE state = ?1 AND attempts = 0 AND turn = ?2
        ORDER BY id LIMIT ?3
        """, [IntakeState.waiting, turn, share])
      var own = 0
      // Large bodies of one turn must not keep those of others from being taken.
      let most = turns.count == 1 ? bytes : max(1, bytes / turns.count)
      while try rows.step() {
        let more = try rows.count("size")
        if own > 0, more > most - own { break }
        if !ids.isEmpty, more > bytes - size { break }
        try ids.append(rows.int("id"))
        try change.move(bytes: rows.int("size"), from: .waiting, to: .working)
        own += min(more, bytes)
        size += min(more, bytes)
      }
      if own > 0 { lastTurn.withLock { $0 = turn } }
    }
    if ids.isEmpty, let tried = try triedBefore(excluding: excluded, in: database) {
      ids.append(tried.id)
      change.move(bytes: tried.size, from: .waiting, to: .working)
    }
    try change.write(to: database)
    return try ids.map { id in
      try database.run(
        "UPDATE intake SET state = ?2, worker = ?3, attempts = attempts + 1 WHERE id = ?1", id,
        IntakeState.working, lease.name)
      return try row(id, in: database)
    }
  }

  /// The first submission that was taken before and not finished; these come alone, after all new ones.
  private func triedBefore(
    excluding excluded: Set<String>, in database: borrowing Connection
  ) throws -> (id: Int, size: Int)? {
    let rows = try database.prepare(
      """
      SELECT id, size, turn FROM intake WHERE state = ?1 AND attempts > 0 ORDER BY attempts, id
      LIMIT ?2
      """, [IntakeState.waiting, Self.triedBeforeLooks])
    while try rows.step() {
      guard try !excluded.contains(rows.text("turn")) else { continue }
      return try (rows.int("id"), rows.int("size"))
    }
    return nil
  }

  /// Maximum number of submissions to check for one that was taken before.
  private static let triedBeforeLooks = 1_000

  private struct Row: Sendable {
    let id: Int
    let route: String
    let received: Timestamp
    let facts: String
    let attempts: Int
    let identity: IntakeID
    let body: StoredBody
  }

  private func row(_ id: Int, in database: borrowing Connection) throws -> Row {
    let rows = try database.prepare(
      """
      SELECT received, route, facts, attempts, intake_id, \(StoredBody.columns) FROM intake
      WHERE id = ?1
      """, [id])
    guard try rows.step() else {
      throw IntakeError.storage("the database is damaged: there is no submission \(id)")
    }
    return try Row(
      id: id, route: rows.text("route"), received: rows.timestamp("received"),
      facts: rows.text("facts"),
      attempts: rows.int("attempts"), identity: IntakeID(rows.blob("intake_id")),
      body: StoredBody(rows))
  }

  private func record(_ row: Row) throws -> QueuedRecord {
    QueuedRecord(
      id: row.id, identity: row.identity,
      record: IntakeRecord(
        route: row.route, received: row.received,
        facts: Self.facts(row.facts), body: try body(row.body)),
      attempts: row.attempts)
  }

  static func facts(_ text: String) -> [String: String] {
    guard let document = try? JSONDocument.parse(ByteView(text.utf8)) else { return [:] }
    let members = (document.value.object ?? []).compactMap { member in
      member.value.string.map { (member.key, $0) }
    }
    return Dictionary(members) { first, _ in first }
  }
}
