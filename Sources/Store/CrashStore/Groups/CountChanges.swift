internal import Database
internal import Identifiers

/// Additions to the counts of groups, installations and releases by the reports of a transaction.
///
/// The value knows no database. Reports are added to it one by one, and each row that they change is written
/// once, in the order of the tables' keys. Nothing may read these counts before they are written.
struct CountChanges {
  private var counters = RowSums()
  private var installs = RowSums()
  private var groups: [RowID<Tables.Groups>: GroupSums] = [:]
  private var origins: [RowID<Tables.Origins>: TimeSpan] = [:]
  private var releases: [RowKey: ReleaseSums] = [:]

  var isEmpty: Bool { groups.isEmpty && releases.isEmpty }

  /// Adds a report to an origin.
  ///
  /// - Parameter isStored: Whether the report itself is stored, and may become the exemplar.
  mutating func add(_ report: CountedReport, to origin: Origin, isStored: Bool = true) {
    counters.add(
      1,
      to: RowKey(
        origin.group.sqlValue, report.version.sqlValue, report.build.sqlValue, report.day.sqlValue,
        report.os.sqlValue, report.device.sqlValue, origin.id.sqlValue))
    if let install = report.install {
      installs.add(
        1, to: RowKey(origin.group.sqlValue, install.sqlValue, origin.id.sqlValue))
    }
    groups[origin.group, default: GroupSums(report)].add(report, isStored: isStored)
    origins[origin.id, default: TimeSpan(report.time)].add(report.time)
  }

  /// Adds a report to its release, or takes it out.
  ///
  /// - Parameter received: When the report arrived.
  mutating func add(
    _ report: CountedReport, by step: Int = 1, toReleaseOf app: RowID<Tables.Apps>,
    received: Timestamp
  ) {
    guard !report.version.isEmpty || !report.build.isEmpty else { return }
    let key = RowKey(app.sqlValue, report.version.sqlValue, report.build.sqlValue)
    releases[key, default: ReleaseSums(added: received, span: TimeSpan(report.time))]
      .add(step, report.time)
  }

  /// Whether a report of a group that may become its exemplar is among them.
  func hasExemplar(of group: RowID<Tables.Groups>) -> Bool { groups[group]?.exemplar != nil }
}

/// The time of the first and of the last of some reports.
private struct TimeSpan {
  var first: Timestamp
  var last: Timestamp

  init(_ time: Timestamp) { (first, last) = (time, time) }

  mutating func add(_ time: Timestamp) {
    if time < first { first = time }
    if time > last { last = time }
  }
}

private struct ReleaseSums {
  /// When the first of the reports arrived.
  let added: Timestamp
  var span: TimeSpan
  var reports = 0

  init(added: Timestamp, span: TimeSpan) {
    self.added = added
    self.span = span
  }

  mutating func add(_ step: Int, _ time: Timestamp) {
    reports += step
    span.add(time)
  }
}

/// Additions to the row of a group.
private struct GroupSums {
  var span: TimeSpan
  var reports = 0
  /// The latest report; among several, the one with the greatest reason.
  var latest: CountedReport
  /// The stored report with the most symbols; among several, the one with the smallest id.
  var exemplar: CountedReport?

  init(_ report: CountedReport) {
    span = TimeSpan(report.time)
    latest = report
  }

  mutating func add(_ report: CountedReport, isStored: Bool) {
    reports += 1
    span.add(report.time)
    if report.time > latest.time
      || report.time == latest.time && Self.precedes(latest.reason ?? "", report.reason ?? "")
    {
      latest = report
    }
    guard isStored else { return }
    guard let best = exemplar else { return exemplar = report }
    if report.symbols > best.symbols
      || report.symbols == best.symbols && Self.precedes(report.id, best.id)
    {
      exemplar = report
    }
  }

  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension CountChanges {
  /// Writes the changes, and forgets them.
  mutating func write(to database: borrowing Connection) throws {
    guard !isEmpty else { return }
    let versionsNew = try CountersTable.add(counters, to: database)
    let installsNew = try Self.write(installs, to: database)
    let sums = groups.sorted { $0.key < $1.key }.map { group, sums in
      (
        sums.exemplar,
        Self.values(
          of: sums, group, installs: installsNew[group, default: 0],
          versions: versionsNew[group, default: 0])
      )
    }
    try database.runMany(Self.sums, sums.filter { $0.0 == nil }.map(\.1))
    try database.runMany(
      Self.storedSums,
      sums.compactMap { exemplar, values in
        exemplar.map { values + [$0.id.sqlValue, $0.symbols.sqlValue] }
      })
    try database.runMany(
      """
      UPDATE origins SET
        first_seen = CASE WHEN first_seen <= ?2 THEN first_seen ELSE ?2 END,
        last_seen = CASE WHEN last_seen >= ?3 THEN last_seen ELSE ?3 END
      WHERE id = ?1
      """,
      origins.sorted { $0.key < $1.key }.map { origin, span in
        [origin.sqlValue, span.first.microseconds.sqlValue, span.last.microseconds.sqlValue]
      })
    try database.insertMany(
      into: "releases",
      columns: ["app", "version", "build", "added", "first_seen", "last_seen", "reports"],
      releases.sorted { $0.key < $1.key }.flatMap { key, release in
        key.values + [
          release.added.microseconds.sqlValue, release.span.first.microseconds.sqlValue,
          release.span.last.microseconds.sqlValue, release.reports.sqlValue,
        ]
      },
      onConflict: """
        ON CONFLICT (app, version, build) DO UPDATE SET reports = releases.reports + excluded.reports,
          first_seen = CASE WHEN releases.first_seen <= excluded.first_seen
            THEN releases.first_seen ELSE excluded.first_seen END,
          last_seen = CASE WHEN releases.last_seen >= excluded.last_seen
            THEN releases.last_seen ELSE excluded.last_seen END
        """)
    self = CountChanges()
  }

  /// - Returns: The number of installations that are new to each group.
  private static func write(
    _ installs: RowSums, to database: borrowing Connection
  ) throws -> [RowID<Tables.Groups>: Int] {
    // An installation may have reports in several origins of a group.
    var wanted = Set(installs.sorted.map { RowKey($0.key.values[0], $0.key.values[1]) })
    try database.readMany(
      "SELECT 1 FROM group_installs WHERE grp = ?1 AND install = ?2 LIMIT 1", wanted.sorted()
    ) { key, _ in wanted.remove(key) }
    var new: [RowID<Tables.Groups>: Int] = [:]
    for key in wanted {
      guard case .integer(let group) = key.values[0] else { continue }
      new[RowID(Int(group)), default: 0] += 1
    }
    try database.addMany(installs, to: "group_installs", key: ["grp", "install", "origin"])
    return new
  }

  /// - Parameters:
  ///   - installs: The number of its new installations.
  ///   - versions: The number of its new releases.
  private static func values(
    of sums: GroupSums, _ group: RowID<Tables.Groups>, installs: Int, versions: Int
  ) -> [SQLValue] {
    [
      group.sqlValue, sums.span.first.microseconds.sqlValue, sums.span.last.microseconds.sqlValue,
      sums.latest.time.microseconds.sqlValue, sums.latest.reason.sqlValue, sums.reports.sqlValue,
      installs.sqlValue, versions.sqlValue,
    ]
  }

  private static let sums = "UPDATE groups SET \(summing) WHERE id = ?1"

  private static let summing = """
    reports = reports + ?6, installs = installs + ?7, versions = versions + ?8,
      first_seen = CASE WHEN ?2 < first_seen THEN ?2 ELSE first_seen END,
      last_seen = CASE WHEN ?3 > last_seen THEN ?3 ELSE last_seen END,
      reason = CASE WHEN ?4 > reason_time OR ?4 = reason_time AND coalesce(?5, '') > coalesce(reason, '')
        THEN ?5 ELSE reason END,
      reason_time = CASE WHEN ?4 > reason_time THEN ?4 ELSE reason_time END
    """

  /// Among reports with equally good symbols, the one with the smallest id, which follows from its bytes, is
  /// the exemplar.
  private static let storedSums = """
    UPDATE groups SET \(summing),
      exemplar = CASE WHEN \(isBest) THEN ?9 ELSE exemplar END,
      exemplar_symbols = CASE WHEN \(isBest) THEN ?10 ELSE exemplar_symbols END,
      kind = CASE WHEN \(isBest) THEN (SELECT kind FROM reports WHERE name = ?9) ELSE kind END,
      category = CASE WHEN \(isBest) THEN (SELECT category FROM reports WHERE name = ?9)
        ELSE category END
    WHERE id = ?1
    """

  private static let isBest =
    "(?10 > exemplar_symbols OR ?10 = exemplar_symbols AND ?9 <= exemplar)"
}
