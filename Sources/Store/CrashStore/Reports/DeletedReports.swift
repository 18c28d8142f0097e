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

  static func add(_ report: Report, in database: borrowing Connection) throws {
    try remember(1, first: report.time, last: report.time, on: report.origin, in: database)
  }

  /// Records `count` reports that an origin counts.
  static func remember(
    _ count: Int, first: Timestamp, last: Timestamp, on origin: RowID<Tables.Origins>,
    in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "past_reports",
      [
        "origin": origin, "count": count, "first_seen": first.microseconds,
        "last_seen": last.microseconds,
      ],
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

    init?(_ row: RowID<Tables.Reports>, in database: borrowing Connection) throws {
      let rows = try database.prepare(
        """
        SELECT name, app, grp, origin, time, submission, install, variant FROM reports
        WHERE id = ?1
        """, [row])
      guard try rows.step() else { return nil }
      self.row = row
      name = try rows.text("name")
      group = try rows.id("grp")
      origin = try rows.id("origin")
      time = try rows.timestamp("time")
      submission = try rows.id("submission")
      install = try rows.optionalBlob("install")
      app = try rows.id("app")
      variant = try rows.text("variant")
    }
  }

  /// Deletes a report from every table, with its submission when that has no other, and records both. The
  /// group continues to count it.
  ///
  /// - Parameter isExpired: Whether crash-free rates continue to count it, unlike one that a user deletes.
  /// - Returns: The bytes of the submission, if it was deleted too.
  static func erase(
    _ report: Report, isExpired: Bool, in database: borrowing Connection
  ) throws -> Int? {
    try MissingTable.remove(report.row, of: report.group, in: database)
    try SearchIndex.remove(report, in: database)
    for table in StoreTable.all {
      guard let column = table.reportColumn else { continue }
      try database.run("DELETE FROM \(table.name) WHERE \(column) = ?1", report.row)
    }
    if isExpired { try rememberCrash(report, in: database) }
    try RowNumbers.reports.keep(in: database)
    try database.run("DELETE FROM reports WHERE id = ?1", report.row)
    try StacksTable.forget(report.variant, app: report.app, in: database)
    try add(report, in: database)
    let rows = try database.prepare(
      """
      SELECT app, digest, bytes FROM submissions WHERE id = ?1
        AND NOT EXISTS (SELECT 1 FROM reports WHERE submission = ?1)
      """, [report.submission])
    guard try rows.step() else { return nil }
    let app: RowID<Tables.Apps> = try rows.id("app")
    let (digest, bytes) = try (rows.blob("digest"), rows.int("bytes"))
    try RowNumbers.submissions.keep(in: database)
    try database.run("DELETE FROM submissions WHERE id = ?1", report.submission)
    try database.insert(
      into: "past_submissions", ["app": app, "digest": mark(of: digest), "bytes": bytes],
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
  private static func rememberCrash(
    _ report: Report, in database: borrowing Connection
  ) throws {
    let kinds = crashKinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    try database.run(
      """
      INSERT INTO past_crashes (app, report, kind, time, version, build, person, session, received)
        SELECT app, name, kind, happened, version, build, person, session, received FROM reports
        WHERE id = ?1 AND kind IN (\(kinds))
        ON CONFLICT DO NOTHING
      """, report.row)
  }

  /// Forgets that a removed report was from an installation, and the installation when no other report of its
  /// origin is from it. The group has to be recounted.
  ///
  /// - Parameter isErased: Whether to forget the installation even if reports that were only counted are from
  ///   it.
  static func forget(
    _ install: [UInt8], of report: Report, isErased: Bool = false,
    in database: borrowing Connection
  ) throws {
    try database.run(
      "UPDATE group_installs SET count = count - 1 WHERE grp = ?1 AND install = ?2 AND origin = ?3",
      report.group, install, report.origin)
    try database.run(
      """
      DELETE FROM group_installs WHERE grp = ?1 AND install = ?2 AND origin = ?3 AND (count <= 0
        OR NOT EXISTS (SELECT 1 FROM reports WHERE grp = ?1 AND install = ?2 AND origin = ?3)
          AND (?4 OR NOT EXISTS (
            SELECT 1 FROM counted_reports WHERE install = ?2 AND origin = ?3)))
      """, report.group, install, report.origin, isErased)
    let isLeft = try database.integer(
      "SELECT 1 FROM group_installs WHERE grp = ?1 AND install = ?2 AND origin = ?3", report.group,
      install, report.origin)
    guard isLeft == nil else { return }
    try SearchIndex.forget(install, at: report.origin, in: database)
    try CountedReports.forget(install, at: report.origin, in: database)
  }
}
