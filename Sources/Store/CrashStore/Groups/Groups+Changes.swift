internal import Database
internal import Identifiers
internal import Query
internal import Statistics
internal import TriageModel

extension CrashStore.Groups {
  /// How the number of reports of groups changed, by their rows.
  ///
  /// - Parameters:
  ///   - times: When the groups were last seen, in microseconds, by their rows.
  ///   - scan: The scan for the query; `nil` if it has conditions on groups only.
  /// - Complexity: O(*n*) in the days of the groups; with conditions on reports, in the matching reports.
  static func changes(
    _ query: GroupQuery, _ times: [Int: Int], _ scan: GroupScan? = nil,
    in database: borrowing Connection
  ) throws -> [Int: RateChange] {
    let reports = query.query.withoutTimes
    let newest =
      reports == query.query ? times.values.max() : try lastSeen(of: times.keys, in: database)
    guard let newest else { return [:] }
    let window = TrendWindow(
      days: query.changeDays, newest: Timestamp(microseconds: newest), now: query.now)
    let counts =
      if let scan, !reports.asksForGroups {
        try scan.counts(in: window, database)
      } else {
        try storedCounts(window, in: database)
      }
    return counts.filter { times[$0.key] != nil }.mapValues { count in
      // The last day counts as a whole, so that the order stays the same from page to page.
      let length = Double(window.days.count)
      return RateChange(.init(count.now, in: length), after: .init(count.before, in: length))
    }
  }

  /// When the last report of groups came, whatever the time that a query asks for, in microseconds.
  private static func lastSeen(
    of groups: some Collection<Int>, in database: borrowing Connection
  ) throws -> Int? {
    let wanted = Set(groups)
    var newest: Int?
    let rows = try database.prepare("SELECT id, last_seen FROM groups WHERE redirect IS NULL")
    while try rows.step() {
      guard try wanted.contains(rows.int("id")) else { continue }
      newest = try max(newest ?? .min, rows.int("last_seen"))
    }
    return newest
  }

  private typealias Counts = [Int: (now: Int, before: Int)]

  private static func storedCounts(
    _ window: TrendWindow, in database: borrowing Connection
  ) throws -> Counts {
    let rows = try database.prepare(
      """
      SELECT grp, sum(CASE WHEN day >= ?2 THEN count ELSE 0 END) AS recent, sum(count) AS total
      FROM groups JOIN group_days ON group_days.grp = groups.id AND day >= ?1 AND day < ?3
      WHERE groups.last_seen >= ?4 GROUP BY grp
      """,
      [
        window.before.lowerBound, window.days.lowerBound, window.days.upperBound,
        TrendWindow.midnight(window.before.lowerBound).microseconds,
      ])
    var counts: Counts = [:]
    while try rows.step() {
      let (recent, total) = try (rows.count("recent"), rows.count("total"))
      try counts[rows.int("grp")] = (recent, max(0, total - recent))
    }
    return counts
  }
}
