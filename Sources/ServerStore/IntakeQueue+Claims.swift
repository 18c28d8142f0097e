internal import Files
public import Bytes
internal import CrashModel
internal import Glibc
internal import JSON
internal import Database

extension IntakeQueue {
  /// Finishes what a worker did, and hands it what comes next, in the order of arrival.
  ///
  /// What was taken before without an end comes alone, after all that is new: if it kills its worker,
  /// nothing else waits for it. Each taking is counted before it begins.
  ///
  /// - Parameters:
  ///   - lease: The worker.
  ///   - done: Those that it has stored.
  ///   - count: The most to hand out.
  ///   - bytes: About as many bytes of bodies, but one submission at least.
  public func next(
    for lease: WorkerLease, finishing done: [FinishedRecord] = [], atMost count: Int = 512,
    bytes: Int = 64 << 20
  ) throws -> [QueuedRecord] {
    let bytes = reserve.batch(atMost: bytes)
    let (taken, left) = try store.write { database in
      let left = try Self.finish(done, in: database)
      try Self.forgetErasures(in: database)
      try collect(atMost: Self.collected, in: database)
      return (try take(for: lease, count: count, bytes: bytes, in: database), left)
    }
    for file in left.files { store.bodies.remove(file) }
    // Nobody waits for the database while the bodies are read.
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
      // What kept the bodies from being read may pass: nothing of it counts as tried.
      try giveBack(taken.map(\.id))
      throw error
    }
  }

  /// Clients see this text: it has no path in it.
  private static func reason(of error: any Error) -> String {
    switch error {
    case let error as FileError: error.reason
    case let error as DatabaseError: error.message
    default: "\(error)"
    }
  }

  /// How many submissions are noted at a time: others want to write too.
  static let collected = 4_096

  /// Gives back what a worker has.
  ///
  /// - Parameter isTried: Whether it comes again alone, after all that is new; else as if nobody had
  ///   taken it.
  public func giveBack(_ records: [QueuedRecord], isTried: Bool = false) throws {
    try giveBack(records.map(\.id), isTried: isTried)
  }

  private func giveBack(_ ids: [Int], isTried: Bool = false) throws {
    try store.write { database in
      for id in ids {
        try database.run(
          """
          UPDATE intake SET state = \(IntakeState.waiting.rawValue), worker = NULL, attempts = attempts - ?2
          WHERE id = ?1 AND state = \(IntakeState.working.rawValue)
          """, id, isTried ? 0 : 1)
      }
    }
  }

  /// Sets aside what cannot be processed, with the reason, for a person to look at.
  ///
  /// - Parameter isCounted: Whether the ledger of the store has counted it as refused.
  public func quarantined(
    _ record: QueuedRecord, problem: String, isCounted: Bool = false
  ) throws {
    try quarantined(record.id, problem: problem, isCounted: isCounted)
  }

  /// Whether an error says that a body is lost or damaged, which no second try mends; others, such as of
  /// too many open files, pass.
  private static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case let error as FileError: error.code == ENOENT
    case is ParseError, is IntakeError: true
    default: false
    }
  }

  private func quarantined(_ id: Int, problem: String, isCounted: Bool = false) throws {
    try store.write { database in
      try database.run(
        "UPDATE intake SET state = \(IntakeState.quarantined.rawValue), worker = NULL, problem = ?1, counted = ?2 WHERE id = ?3",
        problem, isCounted, id)
      do {
        try detach([id], in: database)
      } catch let error as DatabaseError {
        throw error
      } catch {
        // What cannot be read stays where it is, and keeps its log.
      }
    }
  }

  /// Takes back what workers had that are no more; what was taken too often is quarantined. Clears away
  /// files that nothing is left of.
  ///
  /// - Returns: How many were taken back, and how many of them quarantined.
  @discardableResult
  public func reclaim() throws -> (takenBack: Int, quarantined: Int) {
    let workers = try store.read { database in
      var workers: [String] = []
      let rows = try database.prepare(
        "SELECT DISTINCT worker FROM intake WHERE worker IS NOT NULL")
      while try rows.step() { workers.append(rows.text("worker")) }
      return workers
    }
    let gone = try workers.filter { try !WorkerLease.isHeld($0, in: store) }
    try collectAll()
    try removeLeftovers()
    try removeLogs()
    guard !gone.isEmpty else { return (0, 0) }
    return try store.write { database in
      var counts = (takenBack: 0, quarantined: 0)
      for worker in gone {
        try detach(try Self.exhausted(worker, limits, in: database), in: database)
        try database.run(
          """
          UPDATE intake SET state = \(IntakeState.quarantined.rawValue), worker = NULL,
            problem = 'its worker died ' || attempts || ' times'
          WHERE worker = ?1 AND attempts >= ?2
          """, worker, limits.attempts)
        counts.quarantined += database.changes
        try database.run(
          "UPDATE intake SET state = \(IntakeState.waiting.rawValue), worker = NULL WHERE worker = ?1",
          worker)
        counts.takenBack += database.changes
      }
      counts.takenBack += counts.quarantined
      return counts
    }
  }

  /// Removes bodies that no submission names, and files that were never finished.
  private func removeLeftovers() throws {
    let left = try store.bodies.leftovers()
    for file in left.unfinished { _ = file.remove() }
    guard !left.bodies.isEmpty else { return }
    try store.write { database in
      // Whoever wrote them is done, as they are not held: what names them is in a row or in a log.
      while try collect(atMost: Self.collected, in: database) > 0 {}
      for file in left.bodies
      where try database.integer("SELECT 1 FROM intake WHERE file = ?1", file.name) == nil {
        _ = file.remove()
      }
    }
  }

  /// What a worker took so often that it is not tried again.
  private static func exhausted(
    _ worker: String, _ limits: IntakeLimits, in database: borrowing Connection
  ) throws -> [Int] {
    var ids: [Int] = []
    let rows = try database.prepare(
      "SELECT id FROM intake WHERE worker = ?1 AND attempts >= ?2", [worker, limits.attempts])
    while try rows.step() { ids.append(rows.int("id")) }
    return ids
  }

  /// The quarantined submissions, oldest first.
  ///
  /// - Parameter last: The number behind which to go on.
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
        records.append(
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

  /// Lets what was quarantined be tried again, as if it had just come.
  ///
  /// - Parameter ids: Which; `nil` for all.
  /// - Returns: How many.
  public func retry(_ ids: [Int]? = nil) throws -> Int {
    try store.write { database in
      guard let ids else {
        try database.run(
          "UPDATE intake SET state = \(IntakeState.waiting.rawValue), attempts = 0, problem = NULL WHERE state = \(IntakeState.quarantined.rawValue)"
        )
        return database.changes
      }
      var count = 0
      for id in ids {
        try database.run(
          "UPDATE intake SET state = \(IntakeState.waiting.rawValue), attempts = 0, problem = NULL WHERE state = \(IntakeState.quarantined.rawValue) AND id = ?1",
          id)
        count += database.changes
      }
      return count
    }
  }

  /// The body of one that was quarantined; `nil` where there is none of that number.
  public func body(ofQuarantined id: Int) throws -> ByteView? {
    try store.read { database -> StoredBody? in
      let rows = try database.prepare(
        "SELECT \(StoredBody.columns) FROM intake WHERE state = \(IntakeState.quarantined.rawValue) AND id = ?1",
        [id])
      return try rows.step() ? StoredBody(rows) : nil
    }.map { try body($0) }
  }

  /// Takes one that was quarantined away for good.
  ///
  /// - Returns: Whether it was there.
  public func discard(_ id: Int) throws -> Bool {
    let files = try store.write { database -> [String]? in
      guard
        try database.integer(
          "SELECT 1 FROM intake WHERE state = \(IntakeState.quarantined.rawValue) AND id = ?1", id)
          != nil
      else { return nil }
      try Self.rememberDiscarded(id, in: database)
      let rows = try database.prepare("DELETE FROM intake WHERE id = ?1 RETURNING file", [id])
      let file = try rows.step() ? rows.optionalText("file") : nil
      _ = try rows.step()
      try Self.count(1, as: .discarded, in: database)
      try Self.forgetErasures(in: database)
      return file.map { [$0] } ?? []
    }
    for file in files ?? [] { store.bodies.remove(file) }
    return files != nil
  }

  // MARK: Rows

  private func take(
    for lease: WorkerLease, count: Int, bytes: Int, in database: borrowing Connection
  ) throws -> [Row] {
    var ids: [Int] = []
    do {
      let rows = try database.prepare(
        "SELECT id, size, attempts FROM intake WHERE state = \(IntakeState.waiting.rawValue) ORDER BY attempts, id LIMIT ?1",
        [count])
      var size = 0
      while try rows.step() {
        let isTriedBefore = rows.int("attempts") > 0
        let more = rows.count("size")
        if !ids.isEmpty, isTriedBefore || more > bytes - size { break }
        ids.append(rows.int("id"))
        size += min(more, bytes)
        if isTriedBefore { break }
      }
    }
    return try ids.map { id in
      try database.run(
        "UPDATE intake SET state = \(IntakeState.working.rawValue), worker = ?1, attempts = attempts + 1 WHERE id = ?2",
        lease.name, id)
      return try row(id, in: database)
    }
  }

  private struct Row: Sendable {
    let id: Int
    let route: String
    let received: Int
    let facts: String
    let attempts: Int
    let body: StoredBody
  }

  private func row(_ id: Int, in database: borrowing Connection) throws -> Row {
    let rows = try database.prepare(
      "SELECT received, route, facts, attempts, \(StoredBody.columns) FROM intake WHERE id = ?1",
      [id])
    guard try rows.step() else {
      throw IntakeError.storage("the database is damaged: there is no submission \(id)")
    }
    return Row(
      id: id, route: rows.text("route"), received: rows.int("received"), facts: rows.text("facts"),
      attempts: rows.int("attempts"), body: StoredBody(rows))
  }

  private func record(_ row: Row) throws -> QueuedRecord {
    QueuedRecord(
      id: row.id,
      record: IntakeRecord(
        route: row.route, received: Timestamp(microseconds: row.received),
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
