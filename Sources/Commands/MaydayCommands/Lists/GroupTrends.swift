import CrashService
import CrashStore
import Identifiers
import Query
import Rendering
import TriageModel

/// The trends of the listed groups, over the same days.
struct GroupTrends: Sendable {
  private let trends: [String: Trend]

  /// - Parameters:
  ///   - query: Query of the reports to count. Its conditions on their time are left out: the trend has days
  ///     of its own, and compares them with those before.
  ///   - days: The number of days.
  ///   - isWhole: Whether these are all groups of the list; otherwise its newest report is asked for, so that
  ///     all parts of a list have the same days.
  init(
    of groups: [GroupSummary], _ query: Query, days: Int, now: Timestamp, isWhole: Bool,
    from service: any CrashService
  ) throws {
    var newest = groups.compactMap(\.lastSeen).max()
    if !isWhole {
      var last = GroupQuery(query)
      (last.order, last.limit) = (.lastSeen, 1)
      newest = try service.groups(last).first?.lastSeen ?? newest
    }
    guard let newest else {
      trends = [:]
      return
    }
    let window = TrendWindow(days: days, newest: newest, now: now)
    let counts = try service.dailyReports(
      of: query.withoutTimes, inGroups: groups.map(\.id),
      days: window.before.lowerBound..<window.days.upperBound)
    trends = Dictionary(
      groups.map { ($0.id, Trend(window, counts: counts[$0.id] ?? [:])) },
      uniquingKeysWith: { first, _ in first })
  }

  subscript(group: GroupSummary) -> Trend? { trends[group.id] }

  /// The most columns in a line.
  private static let widest = 20

  /// A line of bars, and the change from the days before.
  var columns: [ListColumn<GroupSummary>] {
    var line = ListColumn<GroupSummary>.whole("trend") { group in
      trends[group.id].map {
        Sparkline.line($0.buckets(columns: Self.widest).counts, styles: .plain)
      } ?? ""
    }
    line.style = { styles, text in styles.chart(text) }
    return [line, ListColumn(name: "change", isNumber: true) { trends[$0.id]?.change ?? "" }]
  }

  /// The count of each day, for CSV.
  var csvColumns: [ListColumn<GroupSummary>] {
    [
      .number("reports-in-days") { trends[$0.id]?.total },
      .number("reports-before") { trends[$0.id]?.before },
    ]
  }
}
