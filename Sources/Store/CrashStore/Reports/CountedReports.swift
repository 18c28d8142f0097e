internal import CrashModel
internal import Database
internal import Identifiers

/// The rows of `counted_reports`, inside a transaction: reports that were counted but not stored.
///
/// A row counts all that agree in origin, key, stack, release, day, system, device and installation. It lets
/// their counts follow the stored reports with the same key and stack when those get another key.
enum CountedReports {
  /// Counts one more report.
  ///
  /// - Returns: The row that counts it.
  static func add(
    _ report: ReportRow, at origin: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws -> RowID<Tables.CountedReports> {
    let counted = report.counted
    let row = Row(
      key: report.signature.key, variant: report.variant, version: counted.version,
      build: counted.build, day: counted.day, os: counted.os, device: counted.device,
      install: counted.install ?? [], count: 1, first: counted.time, last: counted.time)
    return try add(row, at: origin, in: database)
  }

  private struct Row {
    var key: String
    var variant: String
    let version: String
    let build: String
    let day: Int
    let os: String
    let device: String
    /// The installation; empty where none is named.
    var install: [UInt8]
    let count: Int
    let first: Timestamp
    let last: Timestamp

    init(
      key: String, variant: String, version: String, build: String, day: Int, os: String,
      device: String, install: [UInt8], count: Int, first: Timestamp, last: Timestamp
    ) {
      self.key = key
      self.variant = variant
      self.version = version
      self.build = build
      self.day = day
      self.os = os
      self.device = device
      self.install = install
      self.count = count
      self.first = first
      self.last = last
    }

    init(_ rows: borrowing Statement) throws(DatabaseError) {
      key = try rows.text("key")
      variant = try rows.text("variant")
      version = try rows.text("version")
      build = try rows.text("build")
      day = try rows.int("day")
      os = try rows.text("os")
      device = try rows.text("device")
      install = try rows.blob("install")
      count = try rows.int("count")
      first = try rows.timestamp("first_seen")
      last = try rows.timestamp("last_seen")
    }
  }

  private static func add(
    _ row: Row, at origin: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws -> RowID<Tables.CountedReports> {
    try database.requiredID(
      """
      INSERT INTO counted_reports (origin, key, variant, version, build, day, os, device, install,
        count, first_seen, last_seen)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      ON CONFLICT (origin, key, variant, version, build, day, os, device, install) DO UPDATE SET
        count = counted_reports.count + excluded.count,
        first_seen = CASE WHEN excluded.first_seen < counted_reports.first_seen
          THEN excluded.first_seen ELSE counted_reports.first_seen END,
        last_seen = CASE WHEN excluded.last_seen > counted_reports.last_seen
          THEN excluded.last_seen ELSE counted_reports.last_seen END
      RETURNING id
      """, origin, row.key, row.variant, row.version, row.build, row.day, row.os, row.device,
      row.install, row.count, row.first.microseconds, row.last.microseconds)
  }

  // MARK: Changes

  /// Rewrites rows with changes; the search index follows.
  private static func change(
    where condition: String, _ values: [any SQLBindable], to origin: RowID<Tables.Origins>,
    in database: borrowing Connection, _ body: (inout Row) -> Void = { _ in }
  ) throws {
    var found: [(id: RowID<Tables.CountedReports>, row: Row)] = []
    do {
      let rows = try database.prepare(
        "SELECT * FROM counted_reports WHERE \(condition) ORDER BY id", values)
      while try rows.step() { try found.append((rows.id("id"), Row(rows))) }
    }
    for (id, row) in found {
      var row = row
      body(&row)
      try database.run("DELETE FROM counted_reports WHERE id = ?1", id)
      let new = try add(row, at: origin, in: database)
      if new != id { try SearchIndex.count(under: new, insteadOf: id, in: database) }
    }
  }

  /// Moves everything that an origin counts to another one.
  static func move(
    _ old: RowID<Tables.Origins>, into new: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws {
    try change(where: "origin = ?1", [old], to: new, in: database)
  }

  /// Moves an origin's counts for the reports of a key to another origin, with all figures except those of
  /// `groups`, which have to be recounted.
  ///
  /// - Returns: The number of reports.
  static func move(
    key: String, from source: Origin, to target: Origin, in database: borrowing Connection
  ) throws -> Int {
    let sums = try database.prepare(
      """
      SELECT sum(count) AS count, min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM counted_reports WHERE origin = ?1 AND key = ?2 HAVING count(*) > 0
      """, [source.id, key])
    guard try sums.step() else { return 0 }
    let count = try sums.int("count")
    let (first, last) = try (sums.timestamp("first_seen"), sums.timestamp("last_seen"))
    try CountersTable.move(
      countedOf: key, from: (source.group, source.id), to: (target.group, target.id), in: database)
    for (origin, sign) in [(target, 1), (source, -1)] {
      try database.run(
        """
        INSERT INTO group_installs (grp, install, origin, count)
        SELECT ?3, install, ?4, ?5 * sum(count) FROM counted_reports
        WHERE origin = ?1 AND key = ?2 AND length(install) > 0 GROUP BY install
        ON CONFLICT (grp, install, origin) DO UPDATE SET count = group_installs.count + excluded.count
        """, source.id, key, origin.group, origin.id, sign)
    }
    try database.run(
      "DELETE FROM group_installs WHERE grp = ?1 AND origin = ?2 AND count <= 0", source.group,
      source.id)
    try DeletedReports.remember(count, first: first, last: last, on: target.id, in: database)
    try database.run(
      "UPDATE past_reports SET count = count - ?2 WHERE origin = ?1", source.id, count)
    try database.run("DELETE FROM past_reports WHERE origin = ?1 AND count <= 0", source.id)
    try SearchIndex.moveCounted(of: key, from: source, to: target, in: database)
    try change(where: "origin = ?1 AND key = ?2", [source.id, key], to: target.id, in: database)
    // Times are known where all past reports of the source were only counted.
    try database.run(
      """
      UPDATE past_reports SET (first_seen, last_seen) =
        (SELECT min(first_seen), max(last_seen) FROM counted_reports WHERE origin = ?1)
      WHERE origin = ?1
        AND count = (SELECT sum(count) FROM counted_reports WHERE origin = ?1)
      """, source.id)
    return count
  }

  /// Maximum number of stored reports of a stack that are compared.
  private static let comparedLimit = 2_000

  /// The reports of a build with a key and a stack in an origin.
  static func build(
    of report: CountedReport, _ key: String, _ variant: String, at origin: RowID<Tables.Origins>
  ) -> RowKey {
    RowKey(
      origin.sqlValue, key.sqlValue, variant.sqlValue, report.version.sqlValue,
      report.build.sqlValue)
  }

  private static let ofBuild =
    "origin = ?1 AND key = ?2 AND variant = ?3 AND version = ?4 AND build = ?5"

  /// Whether some reports of builds, which ``build(of:_:_:at:)`` returned, were only counted.
  static func areCounted(
    _ builds: [RowKey], in database: borrowing Connection
  ) throws -> Bool {
    var isCounted = false
    try database.readMany("SELECT 1 FROM counted_reports WHERE \(ofBuild) LIMIT 1", builds) {
      _, _ in
      isCounted = true
    }
    return isCounted
  }

  /// Gives the counted reports of a build with a key and a stack the key and the stack that the last of the
  /// stored ones got: the same addresses of one build have the same names.
  ///
  /// - Parameters:
  ///   - report: The new state of that stored report.
  ///   - old: Its release, key and stack before.
  static func follow(
    _ report: ReportRow, row: RowID<Tables.Reports>,
    from old: (report: CountedReport, key: String, variant: String), at origin: Origin,
    in database: borrowing Connection
  ) throws {
    let build = build(of: old.report, old.key, old.variant, at: origin.id)
    guard try areCounted([build], in: database) else { return }
    let values: [any SQLBindable] = build.values
    // Reprocessed reports have left the stack, so the first few are enough.
    let others = try database.prepare(
      """
      SELECT 1 AS is_left FROM (SELECT origin, key, variant, version, build FROM reports
        WHERE grp = ?6 AND variant = ?3 LIMIT \(comparedLimit)) AS others
      WHERE \(ofBuild) LIMIT 1
      """, values + [origin.group])
    guard try !others.step() else { return }
    try SearchIndex.follow(row, where: ofBuild, values, in: database)
    try change(where: ofBuild, values, to: origin.id, in: database) {
      $0.key = report.signature.key
      $0.variant = report.variant
    }
  }

  /// Forgets the installation of an origin's counted reports.
  static func forget(
    _ install: [UInt8], at origin: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws {
    try change(where: "install = ?1 AND origin = ?2", [install, origin], to: origin, in: database) {
      $0.install = []
    }
  }
}
