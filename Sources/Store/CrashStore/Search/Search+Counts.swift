internal import Database
public import Identifiers
public import Query
internal import Segments

extension CrashStore.Search {
  /// Counts the reports or groups with each value of a field.
  ///
  /// - Parameters:
  ///   - query: The reports to count; conditions on groups apply to the group that a report is in.
  ///   - limit: The most values; `nil` for all.
  /// - Returns: Counts by descending frequency. A report counts once for each value that it has, and
  ///   for an empty one if it has none.
  /// - Throws: ``StoreError/uncountable(field:)``; `DatabaseError`.
  public func counts(
    of query: Query, by field: QueryField, counting what: FieldCounts.What = .reports,
    limit: Int? = nil
  ) throws -> FieldCounts {
    guard field.isCountable, let source = field.sources.first else {
      throw StoreError.uncountable(field: field.name)
    }
    return try store.read { database in
      var counter = FieldCounter(source, what)
      let conditions = try SearchCompiler().compile(query, in: database)
      try SearchScan(conditions).run(
        counter.fields, withPast: true, in: database,
        segment: { part, rows in try counter.add(rows, of: part) }
      ) { chunk, positions in
        counter.add(positions, of: chunk)
      }
      return try counter.result(tag: field.tag, limit: limit, in: database)
    }
  }

  /// Counts the reports of each day, in UTC.
  ///
  /// - Parameters:
  ///   - query: The reports to count.
  ///   - first: The first day. Default: the day of the oldest report.
  ///   - last: The last day. Default: the day of the newest report.
  /// - Returns: Every day from the first to the last, including those without reports; at most
  ///   ``TrendPoint/mostDays``, the newest.
  /// - Throws: `DatabaseError`.
  /// - Complexity: If the query has conditions on groups only, O(*n*) in their days; otherwise in the
  ///   reports of the store.
  public func trend(
    of query: Query, from first: Timestamp? = nil, through last: Timestamp? = nil
  ) throws -> [TrendPoint] {
    let counts: [Int: Int] = try store.read { database in
      if query.conditions.allSatisfy(\.asksForGroups) {
        guard let filter = try GroupFilter(query, in: database) else { return [:] }
        return try Self.dailyReports(
          ofGroups: filter, from: first?.day, through: last?.day, in: database)
      }
      var days = DayCounter()
      let conditions = try SearchCompiler().compile(query, in: database)
      try SearchScan(conditions).run(
        [.time], withPast: true, in: database,
        segment: { part, rows in
          for count in try part.segment.countsByDay(of: rows) {
            days.add(count.count, onDay: count.value)
          }
        }
      ) { chunk, positions in
        let times = chunk[.time]
        for position in positions { days.add(times[position]) }
      }
      return days.counts
    }
    guard let end = last?.day ?? counts.keys.max(), let start = first?.day ?? counts.keys.min(),
      start <= end
    else { return [] }
    return (max(start, end - TrendPoint.mostDays + 1)...end).map { day in
      TrendPoint(day: Timestamp(seconds: Int64(day) * 86_400), reports: counts[day] ?? 0)
    }
  }

  /// The number of reports on each day for the matching groups, from the counters.
  ///
  /// - Complexity: O(*n*) in the groups and their days between `first` and `last`.
  static func dailyReports(
    ofGroups filter: GroupFilter, from first: Int?, through last: Int?,
    in database: borrowing Connection
  ) throws -> [Int: Int] {
    let next = filter.values.count + 1
    let rows = try database.prepare(
      """
      SELECT day, sum(count) AS count FROM groups JOIN group_days ON group_days.grp = groups.id
        AND day BETWEEN ?\(next) AND ?\(next + 1)
      WHERE \(filter.sql) GROUP BY day
      """, filter.values + [first ?? Int(Int32.min), last ?? Int(Int32.max)])
    var counts: [Int: Int] = [:]
    while try rows.step() { try counts[rows.int("day")] = rows.int("count") }
    return counts
  }
}
