internal import Database
internal import Identifiers
internal import Query
internal import Segments
internal import TriageModel

/// The groups of the reports that match a query, and what lists show of them, from one scan of the index.
///
/// Conditions on the time of reports may be left to the end, for figures that have days of their own.
struct GroupScan {
  /// The reports to count by day, in addition to the groups.
  struct Days {
    /// Rows of groups; `nil` for all.
    var groups: CodeSet?
    /// Whether conditions on the time of reports hold.
    var limitsTimes: Bool
  }

  /// The matching groups by row.
  let groups: [Int: GroupCounts]
  /// The reports per day.
  let days: DayCounter
  /// Conditions that the found reports may not meet.
  private let times: [CompiledCondition]
  private let found: FoundPositions

  /// - Parameters:
  ///   - keepsTimes: Whether reports at other times are needed as well.
  ///   - days: `nil` to count none.
  init(
    _ query: GroupQuery, keepsTimes: Bool, days: Days? = nil, in database: borrowing Connection
  ) throws {
    let compiler = SearchCompiler()
    let conditions = try compiler.compile(
      keepsTimes ? query.query.withoutTimes : query.query, in: database)
    let times = keepsTimes ? try compiler.compile(query.query.onlyTimes, in: database) : []
    var tallies = GroupCountsOfQuery(
      countsVersions: query.order == .versions, countsInstalls: query.order == .installs)
    var counter = DayCounter()
    var found = FoundPositions()
    try SearchScan(conditions).run(
      tallies.fields, withPast: true, in: database,
      segment: { part, rows in
        let matching = try part.rows(of: rows, matching: times.compactMap(\.ofSegments))
        let counts = try SegmentCounts(
          matching, of: part, versions: query.order == .versions,
          installs: query.order == .installs)
        var dayCounts: [ValueCount] = []
        if let days {
          var counted = days.limitsTimes ? matching : rows
          if let groups = days.groups {
            let condition = SegmentCondition([.values(SegmentColumn(.group), groups.values)])
            counted = try part.rows(of: counted, matching: [condition])
          }
          dayCounts = try part.segment.countsByDay(of: counted)
        }
        tallies.add(counts)
        found.add(rows, of: part)
        for count in dayCounts { counter.add(count.count, onDay: count.value) }
      }
    ) { chunk, positions in
      let matching = SearchScan.kept(positions, times, of: chunk)
      tallies.add(matching, of: chunk)
      found.add(positions, of: chunk)
      guard let days else { return }
      var counted = days.limitsTimes ? matching : positions
      if let groups = days.groups {
        counted = groups.filter(counted, by: chunk[.group], isNegated: false)
      }
      let column = chunk[.time]
      for position in counted { counter.add(column[position]) }
    }
    tallies.finish()
    groups = tallies.groups
    (self.days, self.times, self.found) = (counter, times, found)
  }

  /// Counts the reports of all groups in a window and before it, at whatever time the query asks for.
  func counts(
    in window: TrendWindow, _ database: borrowing Connection
  ) throws -> [Int: (now: Int, before: Int)] {
    var counts: [Int: (now: Int, before: Int)] = [:]
    try SearchScan.visit(
      found, [.time], in: database,
      segment: { part, rows in
        let now = try part.countsByOrigin(of: rows, on: window.days)
        let before = try part.countsByOrigin(of: rows, on: window.before)
        for group in now { counts[group.origin, default: (0, 0)].now += group.count }
        for group in before { counts[group.origin, default: (0, 0)].before += group.count }
      }
    ) { chunk, positions in
      let (groups, times) = (chunk[.group], chunk[.time])
      for position in positions {
        let day = Timestamp(microseconds: times[position]).day
        if window.days.contains(day) {
          counts[groups[position], default: (0, 0)].now += 1
        } else if window.before.contains(day) {
          counts[groups[position], default: (0, 0)].before += 1
        }
      }
    }
    return counts
  }

  /// Reads more about some of the groups.
  ///
  /// - Parameters:
  ///   - rows: The rows of the groups.
  ///   - days: Days for which stored reports are counted, at whatever time the query asks for.
  /// - Returns: Versions and installations, and the counts by row and day.
  func details(
    of rows: [Int], days: Range<Int>?, in database: borrowing Connection
  ) throws -> (details: GroupDetailTallies, days: [Int: [Int: Int]]) {
    var details = GroupDetailTallies(groups: rows)
    var counts: [Int: [Int: Int]] = [:]
    let wanted = CodeSet(rows)
    let columns = details.fields + (days == nil && times.isEmpty ? [] : [.time])
    try SearchScan.visit(
      found, columns, of: wanted, in: database,
      segment: { part, rows in
        try details.add(part.rows(of: rows, matching: times.compactMap(\.ofSegments)), of: part)
        guard let days else { return }
        let onDays = try SegmentRows(part.rows(of: rows, on: days), of: part, [.time])
        onDays.forEachChunk { chunk, positions in
          let (groups, times) = (chunk[.group], chunk[.time])
          for position in positions {
            let day = Timestamp(microseconds: times[position]).day
            counts[groups[position], default: [:]][day, default: 0] += 1
          }
        }
      }
    ) { chunk, positions in
      details.add(SearchScan.kept(positions, times, of: chunk), of: chunk)
      guard let days, !chunk.isPast else { return }
      let (groups, times) = (chunk[.group], chunk[.time])
      for position in positions {
        let day = Timestamp(microseconds: times[position]).day
        if days.contains(day) { counts[groups[position], default: [:]][day, default: 0] += 1 }
      }
    }
    details.finish()
    return (details, counts)
  }
}
