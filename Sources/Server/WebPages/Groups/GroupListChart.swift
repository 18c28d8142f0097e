internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import TriageModel

/// The reports per day above the list of groups, with the releases that began on these days.
struct GroupListChart {
  let call: PageCall
  let filter: GroupListFilter
  let apps: GroupListApps

  /// The maximum number of releases that are marked.
  private static let most = 6

  /// The days of the chart.
  static func window(_ filter: GroupListFilter, now: Timestamp) -> TrendWindow {
    TrendWindow(days: filter.days, through: now.day, now: now)
  }

  /// - Parameter counts: The reports per day, in the window and before it.
  func figure(_ counts: [Int: Int]) -> HTML {
    let window = Self.window(filter, now: call.now)
    let covers =
      filter.isNarrow
      ? "that match the search, in \(filter.tab.rawValue) groups"
      : "in \(filter.tab.rawValue) groups"
    var chart = DayChart(days: window.days, counts: counts)
    chart.change = filter.hasOwnTimes ? nil : Trend(window, counts: counts)
    chart.releases = releases(in: window.days)
    return chart.chart("Reports per day", covers: covers)
  }

  /// The releases of the chosen or only app that were first seen on some days, newest first.
  private func releases(in days: Range<Int>) -> [DayChart.Mark] {
    guard let app = apps.one else { return [] }
    let found = apps.releases.filter { record in
      record.app == app && !record.release.isEmpty
        && record.firstSeen.map { days.contains($0.day) } == true
    }
    return found.sorted { ($0.firstSeen ?? $0.added) > ($1.firstSeen ?? $1.added) }
      .prefix(Self.most).map { record in
        DayChart.Mark(
          day: (record.firstSeen ?? record.added).day, name: record.release.name,
          address: "/releases/\(app.inAddress)/\(record.release.name.inAddress)")
      }
  }
}
