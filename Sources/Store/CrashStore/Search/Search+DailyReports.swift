internal import Database
internal import Identifiers
public import Query

extension CrashStore.Search {
  /// Counts the reports of the given groups on each day, in UTC.
  ///
  /// - Parameters:
  ///   - query: The reports to count. If it has conditions on groups only, the figures are those of
  ///     the counters, which outlive the reports.
  ///   - names: Group names as in lists: `TERN-12`.
  ///   - days: Days since 1970.
  /// - Returns: Counts that are not zero, by the name of the group and the day.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the counters of the groups, or otherwise in the reports of the store.
  public func dailyReports(
    of query: Query, inGroups names: [String], days: Range<Int>
  ) throws -> [String: [Int: Int]] {
    try store.read { database in
      var rows: [RowID<Tables.Groups>: String] = [:]
      for name in names { rows[try CrashStore.Groups.groupRow(named: name, in: database)] = name }
      var counts: [String: [Int: Int]] = [:]
      if query.conditions.allSatisfy(\.asksForGroups) {
        for (row, name) in rows {
          let found = try Self.dailyReports(ofGroup: row, days: days, in: database)
          if !found.isEmpty { counts[name] = found }
        }
        return counts
      }
      let conditions = try SearchCompiler().compile(query, in: database)
      try SearchScan(conditions).run([.time], in: database) { chunk, positions in
        let (groups, times) = (chunk[.group], chunk[.time])
        for position in positions {
          guard let name = rows[RowID(groups[position])] else { continue }
          let day = Timestamp(microseconds: times[position]).day
          if days.contains(day) { counts[name, default: [:]][day, default: 0] += 1 }
        }
      }
      return counts
    }
  }

  /// The number of reports of a group on each day that has any, from the counters.
  static func dailyReports(
    ofGroup row: RowID<Tables.Groups>, days: Range<Int>, in database: borrowing Connection
  ) throws -> [Int: Int] {
    let rows = try database.prepare(
      """
      SELECT day, count FROM group_days WHERE grp = ?1 AND day >= ?2 AND day < ?3
      """, [row, days.lowerBound, days.upperBound])
    var counts: [Int: Int] = [:]
    while try rows.step() { try counts[rows.int("day")] = rows.int("count") }
    return counts
  }
}
