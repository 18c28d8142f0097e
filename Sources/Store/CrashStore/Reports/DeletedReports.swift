internal import CrashModel
internal import Database
internal import Identifiers

/// Records of reports and submissions that were deleted, inside a transaction.
///
/// A report's record shows that its origin counts it, and when it was seen. A submission's record has enough
/// of its digest to recognise the same bytes when they come again.
enum DeletedReports {
  /// The part of a digest that is kept, long enough to tell submissions apart.
  static func mark(of digest: [UInt8]) -> [UInt8] { Array(digest.prefix(16)) }

  /// Why a report is deleted.
  enum Cause {
    /// Its app keeps no more; crash-free rates continue to count it.
    case expired
    /// A user deletes it.
    case removed
    /// Its person is erased: nothing is kept that may be about them.
    case erased
  }

  /// Records `count` reports that an origin counts.
  static func remember(
    _ count: Int, first: Timestamp, last: Timestamp, on origin: RowID<Tables.Origins>,
    in database: borrowing Connection
  ) throws {
    try remember([origin: Past(count: count, first: first, last: last)], in: database)
  }

  /// Reports of an origin that are not stored.
  private struct Past {
    var count = 0
    var first: Timestamp
    var last: Timestamp

    mutating func add(_ time: Timestamp) {
      count += 1
      if time < first { first = time }
      if time > last { last = time }
    }
  }

  private static func remember(
    _ past: [RowID<Tables.Origins>: Past], in database: borrowing Connection
  ) throws {
    try database.insertMany(
      into: "past_reports", columns: ["origin", "count", "first_seen", "last_seen"],
      past.sorted { $0.key < $1.key }.flatMap { origin, past in
        [
          origin.sqlValue, past.count.sqlValue, past.first.microseconds.sqlValue,
          past.last.microseconds.sqlValue,
        ]
      },
      onConflict: """
        ON CONFLICT (origin) DO UPDATE SET count = past_reports.count + excluded.count,
          first_seen = CASE WHEN excluded.first_seen < past_reports.first_seen
            THEN excluded.first_seen ELSE past_reports.first_seen END,
          last_seen = CASE WHEN excluded.last_seen > past_reports.last_seen
            THEN excluded.last_seen ELSE past_reports.last_seen END
        """)
  }

  /// Moves the records of an origin that is about to be deleted to another one.
  static func move(
    _ old: RowID<Tables.Origins>, into new: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      "SELECT count, first_seen, last_seen FROM past_reports WHERE origin = ?1", [old])
    guard try rows.step() else { return }
    try remember(
      rows.int("count"), first: rows.timestamp("first_seen"), last: rows.timestamp("last_seen"),
      on: new,
      in: database)
    try database.run("DELETE FROM past_reports WHERE origin = ?1", old)
  }

  /// A report that is about to be deleted.
  struct Report {
    /// The database row.
    let row: RowID<Tables.Reports>
    let name: String
    let group: RowID<Tables.Groups>
    /// Its origin.
    let origin: RowID<Tables.Origins>
    let time: Timestamp
    let submission: RowID<Tables.Submissions>
    let install: [UInt8]?
    let app: RowID<Tables.Apps>
    /// The id of its stack.
    let variant: String

    fileprivate init(_ rows: borrowing Statement) throws {
      row = try rows.id("id")
      name = try rows.text("name")
      group = try rows.id("grp")
      origin = try rows.id("origin")
      time = try rows.timestamp("time")
      submission = try rows.id("submission")
      install = try rows.optionalBlob("install")
      app = try rows.id("app")
      variant = try rows.text("variant")
    }

    /// Reads the reports in rows of the database; rows that do not exist are left out.
    static func read(
      _ rows: some Collection<RowID<Tables.Reports>>, in database: borrowing Connection
    ) throws -> [Report] {
      var reports: [Report] = []
      try database.readMany(
        """
        SELECT id, name, app, grp, origin, time, submission, install, variant FROM reports
        WHERE id = ?1
        """, rows.map { RowKey($0.sqlValue) }
      ) { _, row in try reports.append(Report(row)) }
      return reports
    }
  }

  /// Deletes reports from every table, with the submissions that have no others, and records both. The groups
  /// continue to count them.
  ///
  /// - Returns: For each report, the length of the submission that was deleted with it: that of several
  ///   reports with the last of them.
  static func erase(
    _ reports: [Report], _ cause: Cause, in database: borrowing Connection
  ) throws -> [Int?] {
    guard !reports.isEmpty else { return [] }
    let rows = reports.map { [$0.row.sqlValue] }
    try MissingTable.remove(reports.map { ($0.row, $0.group) }, in: database)
    try SearchIndex.remove(reports, isTextKept: cause != .erased, in: database)
    for table in StoreTable.all {
      guard let column = table.reportColumn else { continue }
      try database.runMany("DELETE FROM \(table.name) WHERE \(column) = ?1", rows)
    }
    if cause == .expired { try database.runMany(rememberingCrash, rows) }
    try RowNumbers.reports.keep(in: database)
    try database.runMany("DELETE FROM reports WHERE id = ?1", rows)
    try StacksTable.forget(reports.map { ($0.app, $0.variant) }, in: database)
    var past: [RowID<Tables.Origins>: Past] = [:]
    for report in reports {
      past[report.origin, default: Past(first: report.time, last: report.time)].add(report.time)
    }
    try remember(past, in: database)
    return try eraseSubmissions(of: reports, in: database)
  }

  /// Deletes the submissions of deleted reports that have no others.
  private static func eraseSubmissions(
    of reports: [Report], in database: borrowing Connection
  ) throws -> [Int?] {
    var last: [RowKey: Int] = [:]
    for (index, report) in reports.enumerated() {
      last[RowKey(report.submission.sqlValue)] = index
    }
    var bytes = [Int?](repeating: nil, count: reports.count)
    var gone: [[SQLValue]] = []
    var past: [SQLValue] = []
    try database.readMany(
      """
      SELECT app, digest, bytes FROM submissions WHERE id = ?1
        AND NOT EXISTS (SELECT 1 FROM reports WHERE submission = ?1)
      """, last.keys.sorted()
    ) { key, row in
      guard let index = last[key] else { return }
      let app: RowID<Tables.Apps> = try row.id("app")
      let size = try row.int("bytes")
      bytes[index] = size
      gone.append(key.values)
      past += try [app.sqlValue, mark(of: row.blob("digest")).sqlValue, size.sqlValue]
    }
    guard !gone.isEmpty else { return bytes }
    try RowNumbers.submissions.keep(in: database)
    try database.runMany("DELETE FROM submissions WHERE id = ?1", gone)
    try database.insertMany(
      into: "past_submissions", columns: ["app", "digest", "bytes"], past,
      onConflict: "ON CONFLICT DO NOTHING")
    return bytes
  }

  /// The kinds that crash-free figures count.
  private static let crashKinds: [ReportKind] = [.crash, .hang, .oom]

  /// Records a report that is not stored, so that crash-free rates count it.
  static func rememberCrash(
    _ report: ReportRow, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    guard crashKinds.contains(report.kind) else { return }
    try database.insert(
      into: "past_crashes",
      [
        "app": app, "report": report.id, "kind": report.kind.rawValue,
        "time": report.time.microseconds, "version": report.version, "build": report.build,
        "person": report.person, "session": report.session,
        "received": report.received.microseconds,
      ], onConflict: "ON CONFLICT DO NOTHING")
  }

  /// Records a report so that crash-free rates count it for as long as sessions are kept.
  private static let rememberingCrash = """
    INSERT INTO past_crashes (app, report, kind, time, version, build, person, session, received)
      SELECT app, name, kind, happened, version, build, person, session, received FROM reports
      WHERE id = ?1 AND kind IN (\(crashKinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
      ON CONFLICT DO NOTHING
    """

  /// Forgets the installations that deleted reports were from, where no other report of their origin is from
  /// them. The groups have to be recounted.
  ///
  /// - Parameter cause: If erased, installations are forgotten even if reports that were only counted are from
  ///   them.
  static func forgetInstalls(
    of reports: [Report], _ cause: Cause, in database: borrowing Connection
  ) throws {
    var owners: [RowKey: (install: [UInt8], origin: RowID<Tables.Origins>)] = [:]
    var counts = RowSums()
    for report in reports {
      guard let install = report.install else { continue }
      let key = RowKey(report.group.sqlValue, install.sqlValue, report.origin.sqlValue)
      owners[key] = (install, report.origin)
      counts.add(1, to: key)
    }
    try database.runMany(
      """
      UPDATE group_installs SET count = count - ?4
      WHERE grp = ?1 AND install = ?2 AND origin = ?3
      """, counts.sorted.map { $0.key.values + [$0.amount.sqlValue] })
    try database.runMany(
      """
      DELETE FROM group_installs WHERE grp = ?1 AND install = ?2 AND origin = ?3 AND (count <= 0
        OR NOT EXISTS (SELECT 1 FROM reports WHERE grp = ?1 AND install = ?2 AND origin = ?3)
          AND (?4 OR NOT EXISTS (
            SELECT 1 FROM counted_reports WHERE install = ?2 AND origin = ?3)))
      """, counts.sorted.map { $0.key.values + [(cause == .erased).sqlValue] })
    try database.readMany(
      "SELECT 1 FROM group_installs WHERE grp = ?1 AND install = ?2 AND origin = ?3",
      owners.keys.sorted()
    ) { key, _ in owners[key] = nil }
    for (_, owner) in owners.sorted(by: { $0.key < $1.key }) {
      try SearchIndex.forget(owner.install, at: owner.origin, in: database)
      try CountedReports.forget(owner.install, at: owner.origin, in: database)
    }
  }
}
