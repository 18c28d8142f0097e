internal import Database
public import Identifiers
public import Query

/// How many reports arrived in a period and in the period before it.
public struct ArrivalCount: Hashable, Sendable {
  /// `TERN-12`, or the app's name if all its reports are counted.
  public var name: String
  public var app: String
  public var recent: Int
  /// Distinct installations among ``recent``; a report that names none counts as one.
  public var installs: Int
  public var past: Int
  /// When the app's first report that matches the query arrived.
  public var since: Timestamp

  public init(
    name: String, app: String, recent: Int, installs: Int, past: Int, since: Timestamp
  ) {
    self.name = name
    self.app = app
    self.recent = recent
    self.installs = installs
    self.past = past
    self.since = since
  }
}

extension CrashStore.Search {
  /// How ``arrivals(of:before:recent:past:by:atLeast:)`` groups its counts.
  public enum ArrivalBasis: Sendable {
    case groups, apps
  }

  /// Counts the reports of a query that arrived in a period and in the period before it.
  ///
  /// Reports that arrived more than a week after the crash are not counted, because imports of old reports
  /// say nothing about users now.
  ///
  /// - Parameters:
  ///   - now: The end of the recent period.
  ///   - recent: Its length, in seconds.
  ///   - past: The length of the time before it, in seconds.
  ///   - least: The minimum number of recent reports of an item.
  /// - Returns: The counts, and the number of items with any recent or past reports.
  /// - Throws: `DatabaseError`.
  /// - Complexity: O(*n*) in three columns of the index of reports, a few nanoseconds each.
  public func arrivals(
    of query: Query, before now: Timestamp, recent: Int, past: Int, by basis: ArrivalBasis,
    atLeast least: Int
  ) throws -> (counts: [ArrivalCount], all: Int) {
    let end = now.microseconds
    let start = end - recent * 1_000_000
    let first = start - past * 1_000_000
    let late = 7 * 86_400 * 1_000_000
    return try store.read { database in
      var apps: [Int: Int] = [:]
      do {
        let rows = try database.prepare("SELECT id, app FROM groups")
        while try rows.step() { try apps[rows.int("id")] = rows.int("app") }
      }
      var tallies: [Int: ArrivalCounts] = [:]
      var beginnings: [Int: Int] = [:]
      let conditions = try SearchCompiler().compile(query, in: database)
      try SearchScan(conditions).run([.received, .time, .install], in: database) {
        chunk, positions in
        let (groups, times) = (chunk[.group], chunk[.time])
        let (received, installs) = (chunk[.received], chunk[.install])
        for position in positions {
          let arrival = received[position]
          guard let app = apps[groups[position]] else { continue }
          // From all reports: after a silent week, reports before it show that the week counts.
          beginnings[app] = min(beginnings[app] ?? arrival, arrival)
          guard arrival >= first, arrival < end, arrival - times[position] <= late else { continue }
          let key = basis == .groups ? groups[position] : app
          tallies[key, default: ArrivalCounts()].add(
            install: installs[position], isRecent: arrival >= start)
        }
      }
      var counts: [ArrivalCount] = []
      for (key, tally) in tallies where tally.recent >= least {
        let app = basis == .groups ? apps[key] ?? 0 : key
        let appName = try database.requiredText("SELECT name FROM apps WHERE id = ?1", app)
        let name = basis == .groups ? try GroupsTable.name(of: RowID(key), in: database) : appName
        counts.append(
          ArrivalCount(
            name: name, app: appName, recent: tally.recent,
            installs: tally.installs.count + tally.unnamed, past: tally.past,
            since: Timestamp(microseconds: beginnings[app] ?? start)))
      }
      return (counts.sorted { ($0.app, $0.name) < ($1.app, $1.name) }, tallies.count)
    }
  }
}

private struct ArrivalCounts {
  private(set) var recent = 0
  private(set) var past = 0
  private(set) var installs: Set<Int> = []
  /// Recent reports that name no installation.
  private(set) var unnamed = 0

  mutating func add(install: Int, isRecent: Bool) {
    guard isRecent else { return past += 1 }
    recent += 1
    if install == 0 { unnamed += 1 } else { installs.insert(install) }
  }
}
