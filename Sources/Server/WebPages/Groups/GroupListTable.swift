internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Query
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import Statistics
internal import TriageModel

/// The rows of the list of groups: what crashes, since when, and whether it gets worse.
struct GroupListTable {
  let call: PageCall
  let filter: GroupListFilter
  /// The last line of the histories when the groups were read.
  let seen: Int

  /// The number of days in a row's trend.
  private static let days = 30

  /// Figures of a row besides those of its group.
  private struct Details {
    /// When the group was first seen, whatever the search.
    let firstSeen: Timestamp?
    let place: LocationCache.Place?
    let trend: DayChart
    let change: Trend
    let firstBad: (build: FirstBadBuild, basis: AppRegressions.Basis)?
  }

  /// The days for which reports of each group are counted.
  static func days(_ filter: GroupListFilter, now: Timestamp) -> Range<Int> {
    let (shown, window) = (shown(now), window(filter, now))
    return min(shown.lowerBound, window.before.lowerBound)..<shown.upperBound
  }

  /// The days of the trends.
  private static func shown(_ now: Timestamp) -> Range<Int> {
    (now.day - days + 1)..<(now.day + 1)
  }

  /// The days that the changes compare.
  private static func window(_ filter: GroupListFilter, _ now: Timestamp) -> TrendWindow {
    TrendWindow(days: filter.changeDays, through: now.day, now: now)
  }

  func list(_ listing: GroupListing) throws -> HTML {
    let groups = listing.groups
    let (shown, window) = (Self.shown(call.now), Self.window(filter, call.now))
    let places = try GroupLocations(service: call.service, memory: call.context.locations)
      .places(of: groups)
    let firstBad = try firstBadBuilds(of: groups)
    let mayDecide = call.visitor.account.allows(.triage)
    let severalApps = Set(groups.map(\.app)).count > 1
    let rows = groups.map { group in
      let counts = listing.daysOfGroups[group.id] ?? [:]
      return row(
        group,
        Details(
          firstSeen: listing.firstSeen[group.id], place: places[group.id],
          trend: DayChart(days: shown, counts: counts),
          change: Trend(window, counts: counts), firstBad: firstBad[group.id]),
        mayDecide: mayDecide, severalApps: severalApps)
    }
    let box: HTML =
      mayDecide
      ? "<th role=\"columnheader\" class=\"box\"><span class=\"hidden\">Select</span></th>" : .none
    return """
      \(mayDecide ? try GroupBulkForm(call: call, filter: filter, seen: seen).markup() : .none)
      <div class="list"><table class="groups" role="table">
      <thead role="rowgroup"><tr role="row">\(box)<th role="columnheader">Group</th>\
      <th role="columnheader" class="trend">\(Self.days) days</th>\(sorted("Change", .change, "side change", changeTitle))\
      \(sorted("Reports", .reports, "number"))\(sorted("Users", .installs, "number"))\
      \(sorted("First seen", .firstSeen, "side"))\(sorted("Last seen", .lastSeen, "side"))</tr></thead>
      <tbody role="rowgroup">
      \(rows)</tbody></table></div>
      <p class="quiet">\(PageText.number(groups.count)) of \(PageText.count(groups.total, "group", "groups"))</p>
      \(neighbours(groups))
      """
  }

  private func neighbours(_ groups: Page<GroupSummary>) -> HTML {
    let rows = GroupListView.rows
    let isFirst = filter.after == nil && filter.before == nil
    let first: HTML =
      isFirst
      ? .none : "<a class=\"button\" href=\"\(filter.address { _ in })\">First \(rows)</a>"
    let previous: HTML =
      groups.previous.map { cursor in
        "<a class=\"button\" rel=\"prev\" href=\"\(filter.address { $0.before = cursor })\">Previous \(rows)</a>"
      } ?? .none
    let next: HTML =
      groups.next.map { cursor in
        "<a class=\"button\" rel=\"next\" href=\"\(filter.address { $0.after = cursor })\">Next \(rows)</a>"
      } ?? .none
    return "<p class=\"actions\">\(first)\(previous)\(next)</p>"
  }

  // MARK: A row

  private func row(
    _ group: GroupSummary, _ details: Details, mayDecide: Bool, severalApps: Bool
  ) -> HTML {
    let box: HTML =
      mayDecide
      ? """
      <td role="cell" class="box"><input type="checkbox" name="id" value="\(group.id)" form="several" \
      aria-label="Select \(group.id)"\(call.mark(" checked", "id", group.id, in: "/groups", else: false))></td>
      """ : .none
    let app: HTML = severalApps ? " · \(group.app)" : .none
    let assignee: HTML = group.assignee.map { " · \($0)" } ?? .none
    let versions = group.versions.filter { !$0.version.isEmpty }.map(\.version)
    return """
      <tr role="row" class="row">\(box)<td role="cell" class="title"><div class="head">\(title(group, details.place))\
      \(marks(group, details))<span class="quiet small">\(group.id)\(app)\(assignee)</span></div>\(subtitle(group, details.place))</td>
      <td role="cell" class="trend">\(details.trend.spark("Reports per day of \(group.id)"))</td>
      <td role="cell" class="side change">\(change(details))\(firstBad(details.firstBad))</td>
      <td role="cell" class="number" data-label="\(group.reports == 1 ? "report" : "reports")">\(PageText.number(group.reports))</td>
      <td role="cell" class="number" data-label="\(group.installs == 1 ? "user" : "users")">\(group.installs.map(PageText.number) ?? "–")</td>
      <td role="cell" class="side" data-before="first">\(PageText.time(group.firstSeen, now: call.now))\(release(versions.first))</td>
      <td role="cell" class="side" data-before="last">\(PageText.time(group.lastSeen, now: call.now))\(release(versions.last))</td></tr>

      """
  }

  /// The title; hovering over it or focusing it shows the first frames of the stack.
  private func title(_ group: GroupSummary, _ place: LocationCache.Place?) -> HTML {
    let text = group.signature.text.isEmpty ? "no signature" : group.signature.text
    let frames = place?.frames ?? []
    let id = "stack-\(group.id)"
    let described: HTML = frames.isEmpty ? .none : " aria-describedby=\"\(id)\""
    let lines = frames.map { "<span>\(HTML.name($0))</span>" as HTML }
    let stack: HTML =
      frames.isEmpty
      ? .none : "<span class=\"peek mono small\" role=\"tooltip\" id=\"\(id)\">\(lines)</span>"
    return """
      <span class="name"><a class="signature mono" href="/groups/\(group.id.inAddress)"\(described)>\(text)</a>\(stack)</span>
      """
  }

  /// The location and the reason, in one line.
  private func subtitle(_ group: GroupSummary, _ place: LocationCache.Place?) -> HTML {
    let location: HTML? = place?.location.map { "<span class=\"mono\">\(HTML.name($0))</span>" }
    let reason: HTML? = group.reason.map { "<span class=\"why\">\($0)</span>" }
    let parts = [location, reason].compactMap { $0 }
    guard !parts.isEmpty else { return .none }
    return "<div class=\"where small\">\(parts)</div>"
  }

  /// The marks of a group that is unlike others of this list.
  private func marks(_ group: GroupSummary, _ details: Details) -> [HTML] {
    var marks: [HTML] = []
    if isNew(group, details) { marks.append("<span class=\"tag new\">new</span>") }
    // Other tabs show only groups of their own status.
    if group.state == .regressed && filter.tab != .regressed
      || filter.tab == .all && group.state != .open
    {
      marks.append(PageText.status(group.state))
    }
    if group.signature.isProvisional { marks.append("<span class=\"tag\">symbols missing</span>") }
    return marks
  }

  /// Whether it is open and `is:new` finds it.
  private func isNew(_ group: GroupSummary, _ details: Details) -> Bool {
    guard let first = details.firstSeen, group.state == .open || group.state == .regressed else {
      return false
    }
    return call.now.seconds - first.seconds < Int64(QueryField.newDays) * 86_400
  }

  private func release(_ name: String?) -> HTML {
    name.map { "<div class=\"small\">\($0)</div>" } ?? .none
  }

  // MARK: Change

  private var changeTitle: String {
    "Reports in the last \(filter.changeDays) days against the \(filter.changeDays) days before. Grey where it may be "
      + "chance (p > \(RateChange.mostPValue), \(RateChange.name))."
  }

  private func change(_ details: Details) -> HTML {
    let trend = details.change
    let text = trend.change
    guard !text.isEmpty else { return .none }
    let isNew =
      trend.before == 0 && details.firstSeen.map { trend.window.days.contains($0.day) } == true
    let shown = text == "new" && !isNew ? "again" : text
    let rate = trend.rate
    let style: HTML = !rate.isCertain ? "chance" : rate.isRise ? "rise" : "fall"
    let chance = rate.isCertain ? "" : "; may be chance"
    return """
      <span class="\(style)" title="\(PageText.number(trend.total)) in the last \(trend.window.days.count) days, \
      \(PageText.number(trend.before)) in those before\(chance) (p \(Self.probability(trend.pValue)))">\(shown)</span>
      """
  }

  /// `= 0.0004`, `< 0.000001`
  private static func probability(_ p: Double) -> String {
    guard p >= 1e-6 else { return "< 0.000001" }
    let digits = p >= 0.1 ? 100.0 : p >= 0.001 ? 10_000 : 1_000_000
    return "= \((p * digits).rounded() / digits)"
  }

  private func firstBad(_ found: (build: FirstBadBuild, basis: AppRegressions.Basis)?) -> HTML {
    guard let found else { return .none }
    let build = found.build
    return """
      <div class="small" title="\(RegressionText.line(build, found.basis))">\(build.isNew ? "new in" : "first bad") \
      <b>\(build.release.name)</b> \(RegressionText.confidence(build.confidence))</div>
      """
  }

  /// The builds since which groups of the page are more frequent, by their ids.
  private func firstBadBuilds(
    of groups: Page<GroupSummary>
  ) throws -> [String: (build: FirstBadBuild, basis: AppRegressions.Basis)] {
    var found: [String: (build: FirstBadBuild, basis: AppRegressions.Basis)] = [:]
    for app in Set(groups.map(\.app)) {
      let context = call.context
      let result = try context.appRegressions.regressions(of: app) {
        var query = RegressionQuery()
        query.limit = RegressionQuery.mostGroups
        return try context.service(ofApp: nil).regressions(of: app, query)
      }
      for build in result?.groups ?? [] { found[build.group] = (build, result?.basis ?? .reports) }
    }
    return found
  }

  // MARK: Head

  private func sorted(
    _ title: String, _ order: GroupOrder, _ style: String, _ meaning: String? = nil
  ) -> HTML {
    let isChosen = order == filter.order
    let mark: HTML =
      !isChosen
      ? .none : filter.isUp ? " aria-sort=\"ascending\"" : " aria-sort=\"descending\""
    let arrow: HTML =
      !isChosen
      ? .none
      : filter.isUp
        ? " <span aria-hidden=\"true\">▴</span>" : " <span aria-hidden=\"true\">▾</span>"
    let hint: HTML = meaning.map { " title=\"\($0)\"" } ?? .none
    let address = filter.address {
      $0.isUp = isChosen && !$0.isUp
      $0.order = order
    }
    return
      """
      <th role="columnheader" class="\(style)"\(mark)><a href="\(address)"\(hint)>\(title)</a>\(arrow)</th>
      """
  }
}
