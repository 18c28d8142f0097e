internal import Database
public import Identifiers

/// A user or installation that was erased while submissions waited that may contain more of its data.
public struct QueuedErasure: Equatable, Sendable {
  public enum Kind: String, Sendable {
    case user, install
  }

  public let kind: Kind
  public let name: String
  /// The last submission accepted before the request.
  public let mark: Int
  /// Submissions received after this time are kept.
  public let time: Timestamp
}

extension IntakeQueue {
  /// Number of rows checked in one transaction.
  private static let erasureBatch = 10_000

  /// Records that all data of a user or installation accepted so far is to be erased when it is stored.
  ///
  /// - Returns: The number of submissions that wait, are being stored or were quarantined, and the last of
  ///   them; if there are none, nothing needs to be recorded. Also the time of the request: submissions
  ///   received later are kept.
  public func erase(
    _ kind: QueuedErasure.Kind, named names: [String]
  ) throws -> (pending: Int, mark: Int, time: Timestamp) {
    try collectAll()
    return try store.write { database in
      while try collect(atMost: Self.collected, in: database) > 0 {}
      let now = IntakeLog.now
      guard let mark = try database.integer("SELECT max(id) FROM intake") else {
        return (0, 0, now)
      }
      // The clock may have been set back since the last of them arrived.
      let newest = try database.requiredInteger("SELECT max(received) FROM intake")
      let time = max(now, Timestamp(microseconds: newest))
      for name in names {
        try database.run(
          """
          INSERT INTO erasures VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT (kind, name) DO UPDATE SET
            mark = CASE WHEN erasures.mark > ?3 THEN erasures.mark ELSE ?3 END,
            time = CASE WHEN erasures.time > ?4 THEN erasures.time ELSE ?4 END
          """, kind.rawValue, name, mark, time.microseconds)
      }
      return (try pending(in: database), mark, time)
    }
  }

  /// The number of submissions that wait, are being stored or were quarantined.
  public func pendingCount() throws -> Int {
    try collectAll()
    return try store.read { try pending(in: $0) }
  }

  private func pending(in database: borrowing Connection) throws -> Int {
    try database.requiredInteger("SELECT coalesce(sum(count), 0) FROM intake_states")
  }

  /// Erasures that may apply to submissions not stored yet.
  public func erasures() throws -> [QueuedErasure] {
    try store.read { database in
      var erasures: [QueuedErasure] = []
      let rows = try database.prepare("SELECT kind, name, mark, time FROM erasures")
      while try rows.step() {
        guard let kind = try QueuedErasure.Kind(rawValue: rows.text("kind")) else { continue }
        try erasures.append(
          QueuedErasure(
            kind: kind, name: rows.text("name"), mark: rows.int("mark"),
            time: rows.timestamp("time")))
      }
      return erasures
    }
  }

  /// Deletes erasures that apply to no submission any more.
  static func forgetErasures(in database: borrowing Connection) throws {
    try database.run(
      "DELETE FROM erasures WHERE NOT EXISTS (SELECT 1 FROM intake WHERE id <= erasures.mark)")
  }

  /// Deletes waiting and quarantined submissions selected by their facts.
  ///
  /// - Parameters:
  ///   - mark: The last submission to check.
  ///   - isDry: Whether to count only.
  ///   - isMeant: Whether the submission with these facts is to be deleted.
  /// - Returns: The number of submissions deleted, or to be deleted, without those that a worker has.
  public func erase(
    upTo mark: Int = .max, isDry: Bool, where isMeant: ([String: String]) -> Bool
  ) throws -> Int {
    try collectAll()
    var erased = 0
    var last = 0
    while true {
      let found = try store.read { database in
        var found: [(id: Int, facts: String)] = []
        let rows = try database.prepare(
          """
          SELECT id, facts FROM intake WHERE id > ?1 AND id <= ?2 AND state != \(IntakeState.working.rawValue) ORDER BY id LIMIT ?3
          """, [last, mark, Self.erasureBatch])
        while try rows.step() { try found.append((rows.int("id"), rows.text("facts"))) }
        return found
      }
      guard let end = found.last?.id else { return erased }
      last = end
      let ids = found.filter { isMeant(Self.facts($0.facts)) }.map(\.id)
      erased += isDry ? ids.count : try remove(ids, from: [.waiting, .quarantined])
    }
  }

  /// Deletes submissions that a worker has, without storing them.
  public func erase(_ records: [QueuedRecord]) throws {
    _ = try remove(records.map(\.id), from: [.working])
  }

  private func remove(_ ids: [Int], from states: Set<IntakeState>) throws -> Int {
    guard !ids.isEmpty else { return 0 }
    let gone = try store.write { database in
      var gone: (count: Int, files: [String]) = (0, [])
      var change = IntakeStateChange()
      for id in ids {
        let number = try database.integer("SELECT state FROM intake WHERE id = ?1", id)
        guard let state = number.flatMap(IntakeState.init), states.contains(state) else { continue }
        let rows = try database.prepare(
          "DELETE FROM intake WHERE id = ?1 RETURNING file, size", [id])
        guard try rows.step() else { continue }
        gone.count += 1
        try change.remove(bytes: rows.int("size"), from: state)
        if let file = try rows.optionalText("file") { gone.files.append(file) }
        _ = try rows.step()
      }
      try change.write(to: database)
      try Self.count(gone.count, as: .erased, in: database)
      try Self.forgetErasures(in: database)
      return gone
    }
    for file in gone.files { store.bodies.remove(file) }
    return gone.count
  }
}
