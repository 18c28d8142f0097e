internal import Bytes
internal import Database
internal import Files
internal import Glibc
internal import Identifiers
internal import Synchronization

/// Transfer from the logs, in which submissions are acknowledged, to the rows that workers take.
extension IntakeQueue {
  private var folder: String { store.bodies.path }

  /// Creates rows for submissions in the logs that have none yet.
  ///
  /// - Parameter count: Maximum number of submissions.
  /// - Returns: The number of rows created.
  @discardableResult
  func collect(atMost count: Int, in database: borrowing Connection) throws -> Int {
    var left = count
    var change = IntakeStateChange()
    for name in try IntakeLogFile.names(in: folder) where left > 0 {
      guard let file = try IntakeLogFile(name, in: folder) else { continue }
      let start = try collected(of: name, database).offset
      var offset = start
      var bytes = 0
      let before = left
      let end = try file.read(from: &offset, isChecked: true) { entry in
        try add(entry, of: name, in: database)
        change.add(bytes: entry.size, to: .waiting)
        bytes = bytes &+ entry.size
        left -= 1
        return left > 0
      }
      if file.isClosed, let problem = Self.problem(end, of: file, at: offset) {
        let size = try quarantined(rest: file, from: offset, problem, in: database)
        change.add(bytes: size, to: .quarantined)
        offset = max(file.count, file.synced)
      }
      guard offset != start else { continue }
      try database.insert(
        into: "intake_logs",
        ["name": name, "position": offset, "count": before - left, "bytes": bytes],
        onConflict: """
          ON CONFLICT (name) DO UPDATE SET position = excluded.position,
            count = intake_logs.count + excluded.count,
            bytes = intake_logs.bytes + excluded.bytes
          """)
    }
    try change.write(to: database)
    try Self.count(count - left, as: .accepted, in: database)
    return count - left
  }

  /// The problem where a closed log cannot be read further; `nil` for its end, and for data that was
  /// never acknowledged.
  private static func problem(
    _ reading: IntakeLogRecord.Reading?, of file: IntakeLogFile, at offset: Int
  ) -> String? {
    switch reading {
    case .damage(let problem): problem
    case .end where offset < file.synced:
      "it ends within what was acknowledged: \(file.synced) bytes were there, of which"
        + " \(offset) can be read"
    default: nil
    }
  }

  /// Creates rows for everything in the logs.
  func collectAll() throws {
    while try store.write({ try collect(atMost: Self.collected, in: $0) }) > 0 {}
  }

  /// The part of a log that has rows.
  private func collected(
    of name: String, _ database: borrowing Connection
  ) throws -> LogUsage {
    let rows = try database.prepare(
      "SELECT position, count, bytes FROM intake_logs WHERE name = ?1", [name])
    return try rows.step()
      ? LogUsage(
        // A row that was tampered with may have any value; there is nothing before the first record.
        offset: max(rows.int("position"), IntakeLog.headLength), count: rows.count("count"),
        bytes: rows.count("bytes"))
      : LogUsage()
  }

  private func add(
    _ entry: IntakeLogRecord.Entry, of name: String, in database: borrowing Connection
  ) throws {
    let facts = Self.facts(entry.facts)
    try database.run(
      """
      INSERT INTO intake (received, route, facts, size, file, log, place, submission, turn, intake_id)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """, entry.received.microseconds, entry.route, entry.facts, entry.size,
      entry.file.map(SQLValue.text) ?? .null,
      entry.file == nil ? SQLValue.text(name) : .null,
      entry.file == nil ? SQLValue.integer(Int64(entry.body.lowerBound)) : .null,
      facts[Self.submissionFact], Self.turn(of: facts),
      IntakeID(log: name, offset: entry.body.lowerBound).bytes)
  }

  /// Quarantines data that cannot be read, for an operator to check: it may have been acknowledged, and
  /// counts as one submission.
  ///
  /// - Returns: Its number of bytes.
  private func quarantined(
    rest file: IntakeLogFile, from offset: Int, _ problem: String,
    in database: borrowing Connection
  ) throws -> Int {
    // A row that was tampered with may have an offset beyond the end.
    let rest = try file.bytes(min(offset, file.count)..<file.count)
    try database.run(
      """
      INSERT INTO intake (received, route, facts, size, file, state, problem, intake_id)
      VALUES (?1, '', '{}', ?2, ?3, ?4, ?5, ?6)
      """, IntakeLog.now.microseconds, rest.count, try store.bodies.write(rest).name,
      IntakeState.quarantined,
      "\(file.name): \(problem)", IntakeID(log: file.name, offset: offset).bytes)
    try Self.count(1, as: .accepted, in: database)
    return rest.count
  }

  /// The number of submissions without rows, the bytes of their bodies, and when the first arrived.
  ///
  /// Only data written since the last call is read: a log grows only at its end.
  func uncollected(
    _ database: borrowing Connection
  ) throws -> (count: Int, bytes: Int, oldest: Timestamp?) {
    var result: (count: Int, bytes: Int, oldest: Timestamp?) = (0, 0, nil)
    let known = tallies.withLock { $0 }
    var now: [String: LogUsage] = [:]
    for name in try IntakeLogFile.names(in: folder) {
      guard let file = try IntakeLogFile(name, in: folder) else { continue }
      let collected = try collected(of: name, database)
      var tally = known[name] ?? collected
      if tally.offset <= collected.offset { tally = collected }
      try tally.count(through: file)
      if tally.count > collected.count {
        try tally.findFirst(at: collected.offset, in: file)
        result.oldest = result.oldest ?? tally.first?.received
      }
      result.count = result.count.addingClamped(
        max(0, tally.count.subtractingClamped(collected.count)))
      result.bytes = result.bytes.addingClamped(
        max(0, tally.bytes.subtractingClamped(collected.bytes)))
      now[name] = tally
    }
    tallies.withLock { current in
      // Submissions written meanwhile are counted already.
      for (name, tally) in current
      where now[name].map({ $0.offset < tally.offset }) ?? (known[name] == nil) {
        now[name] = tally
      }
      current = now
    }
    return result
  }

  /// Deletes logs in which everything is done, and frees the space of finished submissions in others.
  ///
  /// - Parameter names: The logs with newly finished submissions.
  func release(_ names: Set<String>) throws {
    for name in names.sorted() where BodyFolder.isOwn(name) {
      if try LockedFile.remove(leftAt: folder + "/" + name, if: { try isDone(name) }) { continue }
      try freeStart(of: name)
    }
  }

  /// Frees the space of the first records of a log, if all of them are done and take enough space.
  private func freeStart(of name: String) throws {
    // No other process does this meanwhile, as this one holds the write lock of the database. The gap in
    // the log stays, whatever the outcome of the transaction.
    var hole: FreedLogRange?
    try store.write { database in
      guard let file = try IntakeLogFile(name, in: folder) else { return }
      let collected = try collected(of: name, database).offset
      // Rows of a log are in its order.
      let first = try database.integer(
        "SELECT place FROM intake WHERE log = ?1 ORDER BY id LIMIT 1", name)
      let end = min(first ?? collected, collected)
      guard end <= file.count, end.subtractingClamped(file.start) >= limits.freedBytes else {
        return
      }
      var (offset, last) = (file.start, file.start)
      _ = try file.read(from: &offset, isChecked: false) { entry in
        guard entry.body.upperBound <= end else { return false }
        last = entry.body.upperBound
        return true
      }
      guard last - file.start >= limits.freedBytes else { return }
      hole = try IntakeLogGap.write(upTo: last, in: folder + "/" + name)
    }
    hole?.punch()
  }

  /// Deletes the logs in which everything is done.
  func removeLogs() throws {
    for name in try IntakeLogFile.names(in: folder) {
      try LockedFile.remove(leftAt: folder + "/" + name) { try isDone(name) }
    }
    // Known logs are listed before existing ones: if a log were forgotten while it exists, all of its
    // submissions would come again.
    let known = try store.read { database in
      var known: [String] = []
      let rows = try database.prepare("SELECT name FROM intake_logs")
      while try rows.step() { try known.append(rows.text("name")) }
      return known
    }
    let names = Set(try IntakeLogFile.names(in: folder))
    let gone = known.filter { !names.contains($0) }
    guard !gone.isEmpty else { return }
    try store.write { database in
      for name in gone { try database.run("DELETE FROM intake_logs WHERE name = ?1", name) }
    }
  }

  /// Whether everything in a log is done. The caller holds its lock.
  private func isDone(_ name: String) throws -> Bool {
    guard let file = try IntakeLogFile(name, in: folder, isClosed: true) else { return false }
    return try store.read { database in
      guard try database.integer("SELECT 1 FROM intake WHERE log = ?1 LIMIT 1", name) == nil
      else { return false }
      var offset = try collected(of: name, database).offset
      // Submissions that wait, or data to be quarantined.
      guard offset >= file.synced else { return false }
      if case .end? = try file.read(from: &offset, isChecked: true, { _ in false }) { return true }
      return false
    }
  }

  /// The body of a row of `intake`: in the row, in a file of its own, or in a log.
  func body(_ row: StoredBody) throws -> ByteView {
    if let file = row.file { return try store.bodies.read(file) }
    guard let log = row.log else { return ByteView(row.bytes) }
    let (end, isTooFar) = row.offset.addingReportingOverflow(row.size)
    guard BodyFolder.isOwn(log), row.offset >= 0, row.size >= 0, !isTooFar else {
      throw FileError("read", path: folder + "/" + log, code: EINVAL)
    }
    let bytes = try ByteView(reading: folder + "/" + log, range: row.offset..<end)
    // If it was finished since the row was read, it counts as deleted with its log.
    guard try IntakeLogGap.end(in: folder + "/" + log) <= row.offset else {
      throw FileError("read", path: folder + "/" + log, code: ENOENT)
    }
    return try bytes.slice(at: 0, count: UInt64(row.size), of: "submission")
  }

  /// The location of a row's body.
  struct StoredBody: Sendable {
    let size: Int
    let bytes: [UInt8]
    let file: String?
    let log: String?
    let offset: Int

    static let columns = "size, body, file, log, place"

    /// - Parameter row: A row with ``columns``.
    init(_ row: borrowing Statement) throws(DatabaseError) {
      size = try row.int("size")
      bytes = try row.blob("body")
      file = try row.optionalText("file")
      log = try row.optionalText("log")
      // NULL where the body is not in a log.
      offset = try row.optionalInt("place") ?? 0
    }

    /// Whether it was moved since the other was read.
    func isElsewhere(than other: StoredBody) -> Bool {
      (file, log, offset) != (other.file, other.log, other.offset)
    }
  }

  /// Moves bodies from their logs into their rows: a log is deleted when nothing of it is left, and
  /// quarantined submissions may stay long.
  func detach(_ ids: [Int], in database: borrowing Connection) throws {
    for id in ids {
      let stored: StoredBody?
      do {
        let rows = try database.prepare(
          "SELECT \(StoredBody.columns) FROM intake WHERE id = ?1 AND log IS NOT NULL", [id])
        stored = try rows.step() ? StoredBody(rows) : nil
      }
      guard let stored else { continue }
      try database.run(
        "UPDATE intake SET body = ?1, log = NULL, place = NULL WHERE id = ?2",
        SQLValue.blob(try body(stored).array), id)
    }
  }
}
