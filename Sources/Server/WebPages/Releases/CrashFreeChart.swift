internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import TriageModel

/// The daily share of crash-free sessions and users for each app that counts sessions; for other apps with
/// crashes, the reason why there is none.
struct CrashFreeChart {
  let call: PageCall
  let filter: GroupListFilter
  let apps: GroupListApps

  /// The maximum number of apps with a chart.
  private static let most = 3
  private static let height = 80
  private static let step = 10

  /// The charts, and for apps with crashes but no sessions, the reasons why they have none.
  func parts() throws -> (charts: HTML, missing: HTML) {
    let today = call.now.day
    let days = (today - filter.days + 1)..<(today + 1)
    let app = filter.chosen(.app)
    let version = filter.chosen(.version).isEmpty ? nil : filter.chosen(.version)
    var (charts, missing): ([HTML], [HTML]) = ([], [])
    for name in apps.names where app.isEmpty || name == app {
      let span = try call.context.store.sessions.crashFreeSpan(
        app: name, days: days, release: version.map { Release($0) })
      if let whole = span.whole, whole.sessions > 0 {
        charts.append(chart(of: name, whole, span.days, days, version: version))
      } else if span.hasCrashes {
        missing.append(self.missing(span.whole ?? CrashFree(), name, version))
      }
    }
    // One line for all of them leaves the room to the groups.
    let rest: HTML =
      missing.count < 2
      ? HTML(missing)
      : """
      <div class="small quiet">Crash-free <b>–</b> of \(missing.count) apps with crashes: choose one to see why</div>
      """
    return (HTML(Array(charts.prefix(Self.most))), rest)
  }

  private func chart(
    of app: String, _ whole: CrashFree, _ daily: [CrashFreeDay], _ days: Range<Int>,
    version: String?
  ) -> HTML {
    """
    <figure class="chart"><figcaption title="\(AppCrashFree.formula)">Crash-free \
    <span class="key sessions"></span>sessions <b title="\(Self.sessions(whole))">\(CrashFreeText.percent(whole.sessionRate))</b> \
    <span class="key people"></span>users <b title="\(Self.people(whole))">\(CrashFreeText.percent(whole.userRate))</b> \
    <span class="quiet">\(covers(app, version))</span></figcaption>
    \(drawing(daily, days))
    <div class="axis quiet"><span>\(DayChart.name(days.lowerBound))</span>\
    <span>\(DayChart.name(days.upperBound - 1))</span></div>
    \(Self.reasons(whole))\(table(daily, whole))</figure>
    """
  }

  /// Explains why there is no chart.
  private func missing(_ whole: CrashFree, _ app: String, _ version: String?) -> HTML {
    """
    <div class="small">Crash-free <b>–</b> <span class="quiet">\(covers(app, version)).</span> \(Self.reasons(whole))</div>
    """
  }

  /// Why a rate is missing.
  static func reasons(_ figures: CrashFree) -> HTML {
    let reasons = CrashFreeText.reasons(of: figures)
    guard !reasons.isEmpty else { return .none }
    return "<p class=\"quiet small\">\(CrashFreeText.sentence(reasons))</p>"
  }

  /// A description of the reports that the figures cover: sessions have no other search fields.
  private func covers(_ app: String, _ version: String?) -> String {
    let release = version.map { ", release \($0)" } ?? ""
    let others =
      filter.asksForMore(than: [.app, .version, .time])
      ? "; the rest of the search does not apply to sessions" : ""
    return "of \(app)\(release) in \(GroupText.count(filter.days, "day", "days"))\(others)"
  }

  private static func sessions(_ figures: CrashFree) -> String {
    "\(PageText.number(figures.crashedSessions)) of \(PageText.number(figures.sessions)) sessions crashed; "
      + AppCrashFree.formula
  }

  private static func people(_ figures: CrashFree) -> String {
    "\(PageText.number(figures.crashedInstalls)) of \(PageText.number(figures.installs)) users had a crash; "
      + AppCrashFree.formula
  }

  // MARK: The drawing

  /// Draws the lines, and beside them the values at the top and bottom.
  private func drawing(_ daily: [CrashFreeDay], _ days: Range<Int>) -> HTML {
    let rates = daily.flatMap { [$0.figures.sessionRate, $0.figures.userRate].compactMap(\.self) }
    // From 100 % down to a whole percent below all of it.
    let bottom = max(0, Int((rates.min() ?? 0) * 100 - 0.5))
    return """
      <div class="scale quiet" aria-hidden="true"><span>100 %</span><span>\(bottom) %</span></div>
      \(svg(daily, days, bottom: bottom))
      """
  }

  private func svg(_ daily: [CrashFreeDay], _ days: Range<Int>, bottom: Int) -> HTML {
    let least = Double(bottom) / 100
    func y(_ rate: Double) -> Int {
      4 + Int((1 - rate) / max(1 - least, 0.001) * Double(Self.height - 8))
    }
    func line(_ name: HTML, _ rate: (CrashFree) -> Double?) -> HTML {
      let points = daily.compactMap { day in
        rate(day.figures).map { "\((day.day.day - days.lowerBound) * Self.step + 4),\(y($0))" }
      }
      return "<polyline class=\"\(name)\" points=\"\(points.joined(separator: " "))\"/>"
    }
    // Full-height columns, so that the counts show wherever the pointer is.
    let columns = daily.map { day -> HTML in
      """
      <rect class="over" x="\((day.day.day - days.lowerBound) * Self.step)" y="0" width="\(Self.step)" height="\(Self.height)">\
      <title>\(GroupText.day(day.day)): \(CrashFreeText.percent(day.figures.sessionRate)), \
      \(Self.sessions(day.figures)); \(CrashFreeText.percent(day.figures.userRate)), \
      \(Self.people(day.figures))</title></rect>
      """
    }
    return """
      <svg class="rates" viewBox="0 0 \(days.count * Self.step) \(Self.height)" preserveAspectRatio="none" role="img" \
      aria-label="Crash-free sessions and users per day, from \(bottom) % to 100 %">\(line("sessions") { $0.sessionRate })\
      \(line("people") { $0.userRate })\(columns)</svg>
      """
  }

  private func table(_ daily: [CrashFreeDay], _ whole: CrashFree) -> HTML {
    func row(_ name: HTML, _ figures: CrashFree) -> HTML {
      """
      <tr><td>\(name)</td><td class="number">\(CrashFreeText.percent(figures.sessionRate))</td>\
      <td class="number">\(PageText.number(figures.crashedSessions)) of \(PageText.number(figures.sessions))</td>\
      <td class="number">\(CrashFreeText.percent(figures.userRate))</td>\
      <td class="number">\(PageText.number(figures.crashedInstalls)) of \(PageText.number(figures.installs))</td></tr>
      """
    }
    let rows = daily.reversed().map { row(PageText.day($0.day), $0.figures) }
    return """
      <details><summary class="quiet">Show as table</summary><p class="quiet">\(AppCrashFree.formula)</p>\
      <div class="scroll"><table><tr><th>Day</th>\
      <th class="number">Sessions</th><th class="number">crashed</th><th class="number">Users</th>\
      <th class="number">crashed</th></tr>\(row("All", whole))\(Array(rows))</table></div></details>
      """
  }
}
