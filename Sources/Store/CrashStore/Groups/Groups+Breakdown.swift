internal import CrashModel
internal import Database
public import Identifiers

extension CrashStore.Groups {
  /// Number of days that a breakdown lists one by one.
  public static let breakdownDays = 30

  /// Returns how the reports of a group spread over versions, systems, devices and days.
  ///
  /// - Parameters:
  ///   - name: `TERN-12`, in either letter case.
  ///   - now: The current time.
  ///   - limit: Maximum number of systems, and of devices, that are named.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the group's versions, systems and devices, independent of its reports.
  public func breakdown(
    ofGroup name: String, now: Timestamp, limit: Int = 5
  ) throws -> GroupBreakdown {
    try store.read { database in
      let group = try Self.groupRow(named: name, in: database)
      let versions = try Self.versionSpans(of: group, in: database)
      let last = versions.map(\.lastDay.day).max() ?? now.day
      return GroupBreakdown(
        reportsOfApp: try database.requiredInteger(
          """
          SELECT sum(reports) FROM groups
          WHERE app = (SELECT app FROM groups WHERE id = ?1) AND redirect IS NULL
          """, group),
        versions: versions,
        systems: try Self.ranking(of: group, by: "os", limit: limit, in: database),
        devices: try Self.ranking(of: group, by: "device", limit: limit, in: database),
        days: try Self.days(of: group, last: last, today: now.day, in: database))
    }
  }

  /// Returns the newest reports of a group, the newest first.
  ///
  /// - Parameter name: `TERN-12`, in either letter case.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func recentReports(ofGroup name: String, limit: Int = 5) throws -> [ReportSummary] {
    try store.read { database in
      let group = try Self.groupRow(named: name, in: database)
      let rows = try database.prepare(
        CrashStore.Reports.reportColumns
          + " WHERE reports.grp = ?1 ORDER BY reports.time DESC, reports.id DESC LIMIT ?2",
        [group, limit])
      var reports: [ReportSummary] = []
      while try rows.step() { try reports.append(CrashStore.Reports.summary(rows)) }
      return reports
    }
  }

  private static func versionSpans(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> [GroupBreakdown.Version] {
    let rows = try database.prepare(
      """
      SELECT version, build, count,
        (SELECT min(day) FROM counters
         WHERE grp = ?1 AND version = this.version AND build = this.build) AS first_day,
        (SELECT max(day) FROM counters
         WHERE grp = ?1 AND version = this.version AND build = this.build) AS last_day
      FROM group_versions AS this WHERE grp = ?1
      """, [group])
    var versions: [GroupBreakdown.Version] = []
    while try rows.step() {
      try versions.append(
        GroupBreakdown.Version(
          name: AppIdentity(version: rows.given("version"), build: rows.given("build")).versionText,
          reports: rows.int("count"), firstDay: Timestamp(day: rows.day("first_day")),
          lastDay: Timestamp(day: rows.day("last_day"))))
    }
    return versions.sorted { VersionOrder.precedes($0.name, $1.name) }
  }

  /// - Parameter field: A field of the table `group_spread`.
  private static func ranking(
    of group: RowID<Tables.Groups>, by field: String, limit: Int, in database: borrowing Connection
  ) throws -> GroupBreakdown.Ranking {
    let rows = try database.prepare(
      """
      SELECT value, count FROM group_spread WHERE grp = ?1 AND field = ?2
      ORDER BY count DESC, value
      """, [group, field])
    var ranking = GroupBreakdown.Ranking(top: [], others: 0, reportsOfOthers: 0)
    while try rows.step() {
      if ranking.top.count < limit {
        try ranking.top.append(
          GroupBreakdown.Share(name: rows.text("value"), reports: rows.count("count")))
      } else {
        ranking.others += 1
        ranking.reportsOfOthers += try rows.count("count")
      }
    }
    return ranking
  }

  private static func days(
    of group: RowID<Tables.Groups>, last: Int, today: Int, in database: borrowing Connection
  ) throws -> [GroupBreakdown.Day] {
    // A clock may be ahead, so that a report has tomorrow's date.
    let end = last > today - breakdownDays ? max(today, min(last, today + 1)) : last
    let start = end - breakdownDays + 1
    var counts = [Int](repeating: 0, count: breakdownDays)
    let rows = try database.prepare(
      """
      SELECT day, count FROM group_days WHERE grp = ?1 AND day BETWEEN ?2 AND ?3
      """, [group, start, end])
    while try rows.step() { try counts[rows.int("day") - start] = rows.count("count") }
    return counts.enumerated().map { index, count in
      GroupBreakdown.Day(start: Timestamp(day: start + index), reports: count)
    }
  }
}

extension Statement {
  /// Returns the text of a column; `nil` for an empty text, which means that none was given.
  fileprivate borrowing func given(_ column: StaticString) throws(DatabaseError) -> String? {
    let text = try text(column)
    return text.isEmpty ? nil : text
  }
}
