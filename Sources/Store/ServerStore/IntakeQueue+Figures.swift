internal import Database
internal import Identifiers

/// Counts of the outcomes of everything ever accepted, and durations; stored with the queue, and
/// updated in the transactions that change it.
extension IntakeQueue {
  /// Events that are counted.
  enum Total: String {
    case accepted, stored, duplicates, discarded, erased
    case cachesReady = "caches ready"
    case cachesMade = "caches made"
    case cachesDamaged = "caches damaged"
  }

  /// Durations that are measured.
  private enum Time: String {
    case filing, work
  }

  /// Precedes the kind of ignored items in the names of totals.
  private static let ignored = "ignored "

  static func count(
    _ count: Int, as total: Total, in database: borrowing Connection
  ) throws(DatabaseError) {
    try self.count(count, named: total.rawValue, in: database)
  }

  private static func count(
    _ count: Int, named name: String, in database: borrowing Connection
  ) throws(DatabaseError) {
    guard count > 0 else { return }
    try database.run(
      """
      INSERT INTO intake_totals VALUES (?1, ?2)
      ON CONFLICT (name) DO UPDATE SET count = intake_totals.count + ?2
      """, name, count)
  }

  /// Removes stored submissions from the queue, as far as they are in it, and counts them.
  ///
  /// - Returns: The files of the bodies, and the logs that contained the others.
  static func finish(
    _ records: [FinishedRecord], in database: borrowing Connection
  ) throws -> (files: [String], logs: Set<String>) {
    guard !records.isEmpty else { return ([], []) }
    var files: [String] = []
    var logs: Set<String> = []
    var new = 0
    var known = 0
    var filing = LatencyHistogram()
    var work = LatencyHistogram()
    var ignored: [String: Int] = [:]
    var change = IntakeStateChange()
    var charges: [IntakeCharge] = []
    for record in records {
      if try database.integer(
        "SELECT 1 FROM intake WHERE id = ?1 AND state = ?2", record.id, IntakeState.working) != nil
      {
        try remember(record.id, record.verdict, isNew: record.isNew, in: database)
      }
      let rows = try database.prepare(
        "DELETE FROM intake WHERE id = ?1 AND state = ?2 RETURNING file, received, log, size",
        [record.id, IntakeState.working])
      // Quarantined submissions are charged as well.
      if let charge = record.charge { charges.append(charge) }
      guard try rows.step() else { continue }
      try change.remove(bytes: rows.int("size"), from: .working)
      if let file = try rows.optionalText("file") { files.append(file) }
      if let log = try rows.optionalText("log") { logs.insert(log) }
      if record.isNew { new += 1 } else { known += 1 }
      // Times of rows lie between the years 0 and 9999: their difference is a number.
      let received = try rows.timestamp("received").microseconds
      filing.add(microseconds: record.finished.microseconds - received)
      work.add(microseconds: record.work)
      ignored.merge(record.ignored, uniquingKeysWith: +)
      _ = try rows.step()
    }
    try change.write(to: database)
    try note(charges, in: database)
    try count(new, as: .stored, in: database)
    try count(known, as: .duplicates, in: database)
    for (kind, count) in ignored {
      try self.count(count, named: Self.ignored + kind, in: database)
    }
    try add(filing, to: .filing, in: database)
    try add(work, to: .work, in: database)
    try forgetVerdicts(in: database)
    return (files, logs)
  }

  private static func add(
    _ spread: LatencyHistogram, to time: Time, in database: borrowing Connection
  ) throws {
    // The sum of the times is not known by bound: it is stored with the first.
    var total = spread.total
    for (index, count) in spread.counts.enumerated() where count > 0 {
      let bound = index < LatencyHistogram.bounds.count ? LatencyHistogram.bounds[index] : .max
      try database.run(
        """
        INSERT INTO intake_times VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (name, bound) DO UPDATE
        SET count = intake_times.count + ?3, total = intake_times.total + ?4
        """, time.rawValue, bound, count, total)
      total = 0
    }
  }

  private static func spread(
    of time: Time, in database: borrowing Connection
  ) throws -> LatencyHistogram {
    var spread = LatencyHistogram()
    let rows = try database.prepare(
      "SELECT bound, count, total FROM intake_times WHERE name = ?1", [time.rawValue])
    while try rows.step() {
      try spread.add(rows.count("count"), upTo: rows.int("bound"), total: rows.count("total"))
    }
    return spread
  }

  /// Counts uses of symbol caches that were present, had to be built, or could not be.
  public func countCaches(ready: Int, made: Int, damaged: Int) throws {
    guard ready + made + damaged > 0 else { return }
    try store.write { database in
      try Self.count(ready, as: .cachesReady, in: database)
      try Self.count(made, as: .cachesMade, in: database)
      try Self.count(damaged, as: .cachesDamaged, in: database)
    }
  }

  /// All figures at one moment.
  public func figures() throws -> IntakeFigures {
    try store.read { database in
      var figures = IntakeFigures(counts: try counts(in: database))
      figures.filing = try Self.spread(of: .filing, in: database)
      figures.work = try Self.spread(of: .work, in: database)
      let totals = try database.prepare("SELECT name, count FROM intake_totals")
      while try totals.step() {
        switch try Total(rawValue: totals.text("name")) {
        case .cachesReady: figures.cachesReady = try totals.count("count")
        case .cachesMade: figures.cachesMade = try totals.count("count")
        case .cachesDamaged: figures.cachesDamaged = try totals.count("count")
        default:
          let name = try totals.text("name")
          guard name.hasPrefix(Self.ignored) else { break }
          figures.ignored[String(name.dropFirst(Self.ignored.count))] = try totals.count("count")
        }
      }
      return figures
    }
  }
}

/// Figures of an intake queue.
public struct IntakeFigures: Equatable, Sendable {
  public var counts: QueueCounts
  /// Time from acknowledging a submission to storing it.
  public var filing = LatencyHistogram()
  /// Time that threads worked on a submission before it was written.
  public var work = LatencyHistogram()
  /// Uses of symbol caches by stored submissions: caches that were present, had to be built, or could
  /// not be.
  public var cachesReady = 0
  public var cachesMade = 0
  public var cachesDamaged = 0
  /// The numbers of ignored items in stored submissions, by kind.
  public var ignored: [String: Int] = [:]

  init(counts: QueueCounts) { self.counts = counts }
}
