import Rendering
import CrashService
import CrashModel
import CrashStore
import Query

/// The trends of the groups of a list, over the same days.
struct GroupTrends: Sendable {
  private let trends: [String: Trend]

  /// - Parameters:
  ///   - query: Of which reports.
  ///   - days: How many days.
  init(
    of groups: [GroupSummary], _ query: Query, days: Int, now: Timestamp,
    from service: any CrashService
  ) throws {
    guard let newest = groups.compactMap(\.lastSeen).max() else {
      trends = [:]
      return
    }
    let window = TrendWindow(days: days, newest: newest, now: now)
    let counts = try service.dailyReports(
      of: query, inGroups: groups.map(\.id),
      days: window.before.lowerBound..<window.days.upperBound)
    trends = Dictionary(
      groups.map { ($0.id, Trend(window, counts: counts[$0.id] ?? [:])) },
      uniquingKeysWith: { first, _ in first })
  }

  subscript(group: GroupSummary) -> Trend? { trends[group.id] }

  /// The most columns of a line.
  private static let widest = 20

  /// A line of bars, and the change against the days before.
  var columns: [ListColumn<GroupSummary>] {
    var line = ListColumn<GroupSummary>.whole("trend") { group in
      trends[group.id].map {
        Sparkline.line($0.buckets(columns: Self.widest).counts, styles: .plain)
      } ?? ""
    }
    line.style = { styles, text in styles.chart(text) }
    return [line, ListColumn(name: "change", isNumber: true) { trends[$0.id]?.change ?? "" }]
  }

  /// The days one by one, for CSV.
  var csvColumns: [ListColumn<GroupSummary>] {
    [
      .number("reports-in-days") { trends[$0.id]?.total },
      .number("reports-before") { trends[$0.id]?.before },
    ]
  }
}
