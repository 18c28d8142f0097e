internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Query
internal import Rendering
internal import ServerCore
internal import TriageModel

/// The reports per day above the list of groups, with the releases that began on these days.
struct GroupListChart {
  let call: PageCall
  let filter: GroupListFilter

  /// The maximum number of releases that are marked.
  private static let most = 6

  func figure(of query: Query) throws -> HTML {
    let window = TrendWindow(days: filter.days, through: call.now.day, now: call.now)
    // The days before are outside of what the time menu chooses.
    let compared = filter.hasOwnTimes ? query : query.withoutTimes
    let points = try call.service.trend(
      of: compared, from: TrendWindow.midnight(window.before.lowerBound), through: call.now)
    var counts: [Int: Int] = [:]
    for point in points { counts[point.day.day, default: 0] += point.reports }
    let covers =
      filter.isNarrow
      ? "that match the search, in \(filter.tab.rawValue) groups"
      : "in \(filter.tab.rawValue) groups"
    var chart = DayChart(days: window.days, counts: counts)
    chart.change = filter.hasOwnTimes ? nil : Trend(window, counts: counts)
    chart.releases = try releases(in: window.days)
    return chart.chart("Reports per day", covers: covers)
  }

  /// The releases of the chosen or only app that were first seen on some days, newest first.
  private func releases(in days: Range<Int>) throws -> [DayChart.Mark] {
    let apps = try call.service.apps().map(\.name)
    let chosen = filter.chosen(.app)
    guard let app = apps.count == 1 ? apps.first : apps.first(where: { $0 == chosen }) else {
      return []
    }
    let found = try call.service.releases(of: app).filter { record in
      !record.release.isEmpty && record.firstSeen.map { days.contains($0.day) } == true
    }
    return found.sorted { ($0.firstSeen ?? $0.added) > ($1.firstSeen ?? $1.added) }
      .prefix(Self.most).map { record in
        DayChart.Mark(
          day: (record.firstSeen ?? record.added).day, name: record.release.name,
          address: "/releases/\(app.inAddress)/\(record.release.name.inAddress)")
      }
  }
}
