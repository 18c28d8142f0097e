internal import APIDocuments
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Query
internal import Rendering
internal import ServerStore
internal import WebServer

/// The first page: what crashes, how often, since when, and whether it is fixed.
struct GroupListView {
  let call: PageCall
  let filter: GroupListFilter

  private static let rows = 50
  private static let days = 30
  /// The most versions and systems to choose from.
  private static let choices = 30
  /// Characters of one.
  private static let longestChoice = 60

  init(_ call: PageCall) {
    self.call = call
    filter = GroupListFilter(call.request.query)
  }

  func response() throws -> Response {
    if !filter.isNarrow, filter.after == nil, try isEmpty() { return try firstRun() }
    let query: Query
    do {
      query = try Query(filter.query(of: filter.tab), now: call.now)
    } catch {
      let words = FailureText.describe(error).message.split(
        separator: "\n", omittingEmptySubsequences: false)
      let lines = words.map { "\(String($0))\n" as HTML }
      return call.page(
        "Groups", in: .groups,
        """
        <h1>Groups</h1>
        \(try search())
        <p class="message mono" role="alert">\(lines)</p>
        """)
    }
    var asked = GroupQuery(query)
    asked.order = filter.order.order
    asked.limit = Self.rows
    asked.after = filter.after
    let groups = try call.service.groups(asked)
    return call.page(
      "Groups", in: .groups,
      """
      <h1>Groups</h1>
      \(try search())
      <div class="columns">\(try chart(query))\(try crashFree())</div>
      \(try tabs())
      \(try list(groups, query))
      """)
  }

  private func isEmpty() throws -> Bool {
    var any = GroupQuery(.all)
    any.limit = 1
    return try call.service.groups(any).isEmpty
  }

  // MARK: The filter

  private func search() throws -> HTML {
    let spans = [("", "Any time")] + GroupListFilter.spans
    return """
      <form class="search" action="/" role="search">
      <label class="grow"><span>Search</span>
      <input name="q" type="search" value="\(filter.text)" \
      placeholder="function:render version:&gt;=2.4 &quot;free text&quot;" autocomplete="off"></label>
      \(try choice("version", "Release", filter.version))
      \(try choice("os", "System", filter.system))
      \(menu("last", "Last seen", filter.span, spans))
      \(hidden("status", filter.tab == .open ? "" : filter.tab.rawValue))\
      \(hidden("sort", filter.order == .lastSeen ? "" : filter.order.rawValue))
      <button>Search</button>
      </form>
      """
  }

  private func choice(_ name: String, _ label: String, _ chosen: String) throws -> HTML {
    guard let field = QueryField(named: name), field.isCountable else { return .none }
    let histogram = try call.service.histogram(
      of: .all, by: field, countsGroups: false, limit: Self.choices)
    var values = histogram.rows.map(\.value).filter { !$0.isEmpty }
    if !chosen.isEmpty, !values.contains(chosen) { values.insert(chosen, at: 0) }
    guard !values.isEmpty else { return .none }
    return menu(name, label, chosen, [("", "All")] + values.map { ($0, $0) })
  }

  private func menu(
    _ name: String, _ label: String, _ chosen: String, _ values: [(String, String)]
  ) -> HTML {
    let options = values.map { value, words -> HTML in
      let mark: HTML = value == chosen ? " selected" : .none
      let shown =
        words.count > Self.longestChoice ? words.prefix(Self.longestChoice) + "…" : words[...]
      return "<option value=\"\(value)\"\(mark)>\(String(shown))</option>"
    }
    return "<label><span>\(label)</span><select name=\"\(name)\">\(options)</select></label>"
  }

  private func hidden(_ name: String, _ value: String) -> HTML {
    value.isEmpty ? .none : "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }

  private func tabs() throws -> HTML {
    let tabs = try GroupListFilter.Tab.allCases.map { tab -> HTML in
      var asked = GroupQuery(try Query(filter.query(of: tab), now: call.now))
      asked.limit = 1
      let total = try call.service.groups(asked).total
      let mark: HTML = tab == filter.tab ? " aria-current=\"page\"" : .none
      return """
        <li><a href="\(filter.address { $0.tab = tab })"\(mark)>\(tab.title) \
        <span class="quiet">\(PageText.number(total))</span></a></li>
        """
    }
    return "<nav class=\"tabs\" aria-label=\"Status\"><ul>\(tabs)</ul></nav>"
  }

  private func chart(_ query: Query) throws -> HTML {
    let today = call.now.day
    let first = Timestamp(seconds: Int64(today - Self.days + 1) * 86_400)
    let points = try call.service.trend(of: query, from: first, through: call.now)
    var counts: [Int: Int] = [:]
    for point in points { counts[point.day.day, default: 0] += point.reports }
    return DayChart(days: (today - Self.days + 1)..<(today + 1), counts: counts).chart(
      "Reports a day")
  }

  /// The share of sessions and of people without a crash, of each app that counts sessions.
  private func crashFree() throws -> HTML {
    let all = try call.service.crashFree(of: nil, from: nil, to: nil, version: nil)
      .filter { $0.figures.sessions > 0 }
    guard !all.isEmpty else { return .none }
    let rows = all.map { app -> HTML in
      let figures = app.figures
      return """
        <tr title="\(AppCrashFree.formula)"><td>\(app.app)</td>\
        <td class="number"><b>\(CrashFreeText.percent(figures.sessionRate))</b>\
        <div class="quiet small">\(PageText.number(figures.crashedSessions)) of \(PageText.number(figures.sessions)) crashed</div></td>\
        <td class="number"><b>\(CrashFreeText.percent(figures.userRate))</b>\
        <div class="quiet small">\(PageText.number(figures.crashedInstalls)) of \(PageText.number(figures.installs)) crashed</div></td></tr>
        """
    }
    return """
      <figure class="chart"><figcaption>Crash-free</figcaption><table><tr><th>App</th>\
      <th class="number">Sessions</th><th class="number">People</th></tr>\(rows)</table></figure>
      """
  }

  // MARK: The list

  private func list(_ groups: Page<GroupSummary>, _ query: Query) throws -> HTML {
    guard !groups.isEmpty else { return nothing }
    let today = call.now.day
    let days = (today - Self.days + 1)..<(today + 1)
    let daily = try call.service.dailyReports(of: query, inGroups: groups.map(\.id), days: days)
    let mayDecide = call.visitor.account.allows(.triage)
    let severalApps = Set(groups.map(\.app)).count > 1
    let rows = groups.map { group -> HTML in
      let trend = DayChart(days: days, counts: daily[group.id] ?? [:]).spark(
        "Reports a day of \(group.id)")
      let reason: HTML = group.reason.map { "<div class=\"quiet\">\($0)</div>" } ?? .none
      let provisional: HTML =
        group.signature.isProvisional ? " <span class=\"tag\">symbols missing</span>" : .none
      let box: HTML =
        mayDecide
        ? """
        <td class="box"><input type="checkbox" name="id" value="\(group.id)" form="several" \
        aria-label="Select \(group.id)"></td>
        """ : .none
      let app: HTML = severalApps ? "\(group.app) · " : .none
      return """
        <tr class="row">\(box)<td class="title"><a class="signature mono" href="/groups/\(group.id.inAddress)">\
        \(group.signature.text.isEmpty ? "no signature" : group.signature.text)</a>\(provisional)\(reason)\
        <div class="quiet small">\(app)\(group.id)</div></td>
        <td class="trend">\(trend)</td>
        <td class="number">\(PageText.number(group.reports))</td>
        <td class="number">\(group.installs.map(PageText.number) ?? "–")</td>
        <td class="side">\(GroupText.range(group.versions))</td>
        <td>\(PageText.status(group.state))</td>
        <td class="side">\(PageText.time(group.lastSeen, now: call.now))</td></tr>

        """
    }
    let more: HTML =
      groups.next.map { next in
        "<p class=\"more\"><a class=\"button\" href=\"\(filter.address { $0.after = next })\">Next \(Self.rows)</a></p>"
      } ?? .none
    let head: HTML =
      mayDecide ? "<th class=\"box\"><span class=\"hidden\">Select</span></th>" : .none
    return """
      \(mayDecide ? several : .none)
      <div class="scroll"><table class="groups">
      <thead><tr>\(head)<th>Group</th><th class="trend">\(Self.days) days</th>\(sorted("Reports", .reports, "number"))\
      \(sorted("People", .installs, "number"))\(sorted("Releases", .versions, "side"))<th>Status</th>\
      \(sorted("Last seen", .lastSeen, "side"))</tr></thead>
      <tbody>
      \(rows)</tbody></table></div>
      <p class="quiet">\(PageText.number(groups.count)) of \(PageText.number(groups.total)) groups</p>
      \(more)
      """
  }

  private func sorted(_ title: String, _ order: GroupOrder, _ style: String) -> HTML {
    let mark: HTML = order == filter.order ? " aria-sort=\"descending\"" : .none
    return """
      <th class="\(style)"\(mark)><a href="\(filter.address { $0.order = order })">\(title)</a></th>
      """
  }

  private var several: HTML {
    """
    <form id="several" class="bulk" method="post" action="/groups">\(call.formField)\
    <input type="hidden" name="back" value="\(filter.address { _ in })">
    <button name="action" value="resolve">Resolve</button>
    <button name="action" value="ignore">Ignore</button>
    <button name="action" value="reopen">Reopen</button>
    </form>
    """
  }

  private var nothing: HTML {
    guard filter.isNarrow else {
      return
        "<p class=\"empty\">No group is \(filter.tab.rawValue). <a href=\"\(filter.address { $0.tab = .all })\">All groups</a></p>"
    }
    return """
      <p class="empty">No group matches. <a href="/">Clear the search</a>, or look at the fields that a search \
      knows: <code>mayday fields</code></p>
      """
  }

  // MARK: Before the first report

  private func firstRun() throws -> Response {
    let origin = call.request.head.origin
    let key = try call.service.apps().first?.intakeKey
    let header = key.map { "X-App-Key: \($0)" } ?? "Authorization: Bearer TOKEN"
    let make: HTML =
      key == nil
      ? """
      <li>Make an app, which gets a key for its reports:<pre class="message">mayday apps add Tern</pre></li>
      """ : .none
    return call.page(
      "Welcome", in: .groups, refresh: 5,
      """
      <h1>No report yet</h1>
      <p>This page shows the first report as soon as it comes.</p>
      <ol class="steps">
      \(make)<li>Send a crash report:<pre class="message">curl -H "\(header)" --data-binary @crash.ips \(origin)/api/v1/reports</pre></li>
      <li>Upload the debug files of your builds:<pre class="message">mayday upload build/ --to \(origin)</pre></li>
      </ol>
      <p class="quiet">Apps that carry an App Center SDK change one URL: <a href="/apps">keys and snippets</a>.</p>
      """)
  }
}
