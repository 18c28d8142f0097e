internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The releases of each app, newest first, and their order.
struct ReleasesView {
  let call: PageCall

  private static let mostReleases = 50
  /// The maximum number of apps on the page; more can be shown one by one.
  private static let mostApps = 3
  /// The maximum number of releases whose crash-free rate is shown.
  private static let mostRates = 10

  init(_ call: PageCall) { self.call = call }

  static func path(_ app: String, _ release: Release) -> String {
    "/releases/\(app.inAddress)/\(release.name.inAddress)"
  }

  func response() throws -> Response {
    let all = try call.service.releases(of: nil)
    var apps = Dictionary(grouping: all, by: \.app).sorted { $0.key < $1.key }
    let chosen = call.request.query["app"] ?? ""
    let menu: HTML =
      apps.count > Self.mostApps ? choice(of: apps.map(\.key), chosen) : .none
    let names = apps.map(\.key)
    if !chosen.isEmpty { apps = apps.filter { $0.key == chosen } }
    guard !apps.isEmpty || chosen.isEmpty else {
      throw StoreError.unknownApp(chosen, among: names)
    }
    let parts = try apps.map { app, releases -> HTML in
      """
      <section class="releases"><h2>\(app)</h2>\(try table(app, releases))\(order(app, releases))</section>

      """
    }
    let none: HTML =
      parts.isEmpty
      ? """
      <p class="empty">No releases yet. A release appears with its first report, or you can add it:</p>
      <pre class="message">mayday releases add Tern 2.4.1</pre>
      """ : .none
    let legend: HTML =
      parts.isEmpty
      ? .none
      : """
      <p class="quiet">Crash-free sessions are those of the last \(CrashStore.Releases.figureDays.usual) days, for the \
      newest \(Self.mostRates) releases of an app. “–” means no sessions, or an older release. Regressions are groups \
      that are more frequent since the release, or came back in it. Adoption is its share of all sessions in \
      \(ReleaseSummaries.adoptionDays) days.</p>
      """
    return call.page(
      "Releases", in: .releases, "<h1>Releases</h1>\n\(menu)\(legend)\(none)\(parts)")
  }

  /// A menu of the apps, if there are many.
  private func choice(of apps: [String], _ chosen: String) -> HTML {
    let options = apps.map { app -> HTML in
      let mark: HTML = app == chosen ? " selected" : .none
      return "<option value=\"\(app)\"\(mark)>\(app)</option>"
    }
    return """
      <form class="search" action="/releases"><label><span>App</span><select name="app">\
      <option value="">All</option>\(options)</select></label> <button>Show</button></form>

      """
  }

  private func table(_ app: String, _ releases: [ReleaseRecord]) throws -> HTML {
    let shown = Array(releases.reversed().prefix(Self.mostReleases))
    let comparisons = try ReleaseComparison.comparisons(of: app, for: call)
    let rates = Self.rates(shown.prefix(Self.mostRates).map(\.release), comparisons.crashFree)
    let offers = try ReleaseOffers(of: app, for: call)
    var table = CardTable([
      ("Release", .text), ("Crash-free sessions", .number), ("New groups", .number),
      ("Regressions", .number), ("Users", .number), ("Reports", .number), ("Adoption", .number),
      ("Roll-out", .text), ("File", .text), ("First seen", .side), ("Last seen", .side),
    ])
    for record in shown {
      let path = Self.path(app, record.release)
      let summary = comparisons.summaries.releases[record.release] ?? ReleaseSummary()
      table.add(
        [
          "<a href=\"\(path)\">\(record.release.name)</a>", rates[record.release] ?? "–",
          Self.count(summary.newGroups, path + "#new"),
          Self.regressions(of: record.release, summary, comparisons.regressions, path),
          "\(PageText.number(summary.installs))", "\(PageText.number(record.reports))",
          comparisons.summaries.sessions > 0
            ? "\(Percent.text(summary.sessions, of: comparisons.summaries.sessions))" : "–",
          offers.rollout(of: record.release), offers.file(of: record.release),
          PageText.time(record.firstSeen, now: call.now),
          PageText.time(record.lastSeen, now: call.now),
        ], link: true)
    }
    let rest = releases.count - Self.mostReleases
    let more: HTML =
      rest > 0 ? "<p class=\"quiet\">and \(PageText.number(rest)) earlier releases</p>" : .none
    return "\(table.markup)\(more)"
  }

  private static func count(_ count: Int, _ path: String) -> HTML {
    count > 0 ? "<a href=\"\(path)\">\(PageText.number(count))</a>" : "0"
  }

  /// The groups that are more frequent since a release, and those that came back in it.
  private static func regressions(
    of release: Release, _ summary: ReleaseSummary, _ regressions: AppRegressions, _ path: String
  ) -> HTML {
    let frequent = Set(regressions.groups.filter { $0.release == release }.map(\.group))
    let all = frequent.union(summary.regressedGroups)
    return count(all.count, path + (frequent.isEmpty ? "#back" : "#more-frequent"))
  }

  /// The rates of crash-free sessions of releases, or why there is none.
  private static func rates(
    _ releases: [Release], _ found: [Release: CrashFree]
  ) -> [Release: HTML] {
    var rates: [Release: HTML] = [:]
    for release in releases {
      let figures = found[release] ?? CrashFree()
      if let gap = figures.sessionGap, figures.crashes > 0 || figures.sessions > 0 {
        let counts: String =
          figures.sessions == 0
          ? gap
          : "\(PageText.number(figures.crashedSessions)) crashed, \(PageText.number(figures.sessions)) reported"
        rates[release] =
          "<b title=\"No rate: \(gap)\">–</b> <span class=\"quiet small\">\(counts)</span>"
      } else if figures.sessionRate != nil {
        rates[release] = """
          <b>\(CrashFreeText.percent(figures.sessionRate))</b> \
          <span class="quiet small">\(PageText.number(figures.crashedSessions)) of \
          \(PageText.number(figures.sessions)) crashed</span>
          """
      }
    }
    return rates
  }

  // MARK: The order

  private func order(_ app: String, _ releases: [ReleaseRecord]) -> HTML {
    guard releases.count > 1, call.visitor.account.allows(.triage) else { return .none }
    let isPlaced = releases.contains(where: \.isPlaced)
    let names = releases.map { $0.release.name + "\n" }.joined()
    let path = "/releases/" + app.inAddress
    return """
      <details\(call.open(path))><summary>Order\(isPlaced ? " (set manually)" : "")</summary>
      <form class="card" method="post" action="\(path)">\(call.formField)
      <p>The order determines which releases contain a fix. By default, releases are ordered by their \
      numbers.</p>
      <p><label>Oldest first, one release per line<textarea name="releases" rows="8">\(call.typed("releases", in: path, else: names))</textarea></label></p>
      <p class="actions"><button name="do" value="set" class="primary">Save order</button>\
      <button name="do" value="number">Order by number</button></p></form></details>
      """
  }

  func setOrder() throws -> Response {
    let app = call.parameter("app")
    var releases: [Release] = []
    if call.form["do"] != "number" {
      releases = (call.form["releases"] ?? "").split(whereSeparator: \.isNewline)
        .map { String($0.filter { $0 != "\r" }) }
        .filter { !$0.allSatisfy(\.isWhitespace) }.map { Release($0) }
      guard !releases.isEmpty else {
        throw ServiceError("enter at least one release, oldest first", .wrongUsage)
      }
    }
    _ = try call.service.orderReleases(releases, of: app)
    try call.note("order releases", app)
    return .empty(.seeOther, headers: ["Location": "/releases"])
  }
}
