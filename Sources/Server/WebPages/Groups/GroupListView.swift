internal import APIDocuments
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Query
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import TriageModel

/// The first page: what crashes, how often, since when, and whether it is fixed.
struct GroupListView {
  let call: PageCall
  let filter: GroupListFilter

  private static let rows = 50
  /// The number of days in a row's trend.
  private static let days = 30

  init(_ call: PageCall) {
    self.call = call
    filter = GroupListFilter(call.request.query)
  }

  func response() throws -> Response {
    // The choices of menus become part of the query in the address.
    if filter.isRewritten {
      return .empty(.seeOther, headers: ["Location": filter.address { _ in }])
    }
    if !filter.isNarrow, filter.after == nil, try isEmpty() { return try firstRun() }
    let search = try GroupSearch(call: call, filter: filter).form()
    let query: Query
    do {
      if let page = try IDPage(call).certain(filter.text) { return page }
      // Checked without the tab's condition, so that the message shows only what was typed.
      _ = try call.query(filter.text)
      query = try call.query(filter.query(of: filter.tab))
    } catch let error as QueryError {
      return try wrong(error, search)
    }
    var asked = GroupQuery(query)
    asked.order = filter.order.order
    asked.isReversed = filter.isUp
    asked.limit = Self.rows
    asked.after = filter.after
    let groups = try call.service.groups(asked)
    if groups.isEmpty, let page = try IDPage(call).whereNothingMatches(filter.text) { return page }
    return call.page(
      "Groups", in: .groups, hasSearch: true,
      """
      <h1 class="hidden">Groups</h1>
      \(GroupListNotice(call.request.query)?.message ?? .none)
      \(search)
      <details class="figures"><summary class="quiet">Charts</summary>
      <div class="charts">\(try chart(query))\(try CrashFreeChart(call: call, filter: filter).figures())</div></details>
      \(try tabs(shown: groups.total))
      \(try list(groups, query))
      """)
  }

  /// The page for a query that cannot be parsed.
  private func wrong(_ error: any Error, _ search: HTML) throws -> Response {
    let words = FailureText.describe(error, namesCommands: false).message.split(
      separator: "\n", omittingEmptySubsequences: false)
    let lines = words.map { "\(String($0))\n" as HTML }
    var response = call.page(
      "Groups", in: .groups, hasSearch: true,
      """
      <h1 class="hidden">Groups</h1>
      \(search)
      <p class="message mono damaged" role="alert">\(lines)</p>
      \(try tabs(shown: nil))
      """)
    response.status = .badRequest
    return response
  }

  private func isEmpty() throws -> Bool {
    var any = GroupQuery(.all)
    any.limit = 1
    return try call.service.groups(any).isEmpty
  }

  // MARK: Figures

  /// - Parameter total: The count of the current tab; `nil` if the query cannot be parsed.
  private func tabs(shown total: Int?) throws -> HTML {
    let tabs = try GroupListFilter.Tab.allCases.map { tab -> HTML in
      let mark: HTML = tab == filter.tab ? " aria-current=\"page\"" : .none
      let numbers: HTML =
        if let total {
          try counts(of: tab, shown: total)
        } else {
          .none
        }
      return """
        <li><a href="\(filter.address { $0.tab = tab })"\(mark)>\(tab.title)\(numbers)</a></li>
        """
    }
    return "<nav class=\"tabs\" aria-label=\"Status\"><ul>\(tabs)</ul></nav>"
  }

  private func counts(of tab: GroupListFilter.Tab, shown total: Int) throws -> HTML {
    let found = tab == filter.tab ? total : try count(filter.query(of: tab))
    let all = filter.isNarrow ? try count(tab.condition ?? "") : found
    let words =
      found == all
      ? PageText.number(found) : "\(PageText.number(found)) of \(PageText.number(all))"
    return " <span class=\"quiet\">\(words)</span>"
  }

  private func count(_ text: String) throws -> Int {
    var asked = GroupQuery(try call.query(text))
    asked.limit = 1
    return try call.service.groups(asked).total
  }

  private func chart(_ query: Query) throws -> HTML {
    let today = call.now.day
    let days = (today - filter.days + 1)..<(today + 1)
    let points = try call.service.trend(
      of: query, from: Timestamp(seconds: Int64(days.lowerBound) * 86_400), through: call.now)
    var counts: [Int: Int] = [:]
    for point in points { counts[point.day.day, default: 0] += point.reports }
    let covers =
      filter.isNarrow
      ? "that match the search, in \(filter.tab.rawValue) groups"
      : "in \(filter.tab.rawValue) groups"
    return DayChart(days: days, counts: counts).chart("Reports per day", covers: covers)
  }

  // MARK: The list

  private func list(_ groups: Page<GroupSummary>, _ query: Query) throws -> HTML {
    guard !groups.isEmpty else { return try nothing(query) }
    let today = call.now.day
    let days = (today - Self.days + 1)..<(today + 1)
    let daily = try call.service.dailyReports(of: query, inGroups: groups.map(\.id), days: days)
    let locations = try GroupLocations(service: call.service, memory: call.context.locations)
      .locations(of: groups)
    let mayDecide = call.visitor.account.allows(.triage)
    let severalApps = Set(groups.map(\.app)).count > 1
    let rows = groups.map { group in
      row(
        group, locations[group.id], DayChart(days: days, counts: daily[group.id] ?? [:]),
        mayDecide: mayDecide, severalApps: severalApps)
    }
    let more: HTML =
      groups.next.map { next in
        "<a class=\"button\" rel=\"next\" href=\"\(filter.address { $0.after = next })\">Next \(Self.rows)</a>"
      } ?? .none
    let first: HTML =
      filter.after == nil
      ? .none : "<a class=\"button\" href=\"\(filter.address { _ in })\">First \(Self.rows)</a>"
    let head: HTML =
      mayDecide
      ? "<th role=\"columnheader\" class=\"box\"><span class=\"hidden\">Select</span></th>" : .none
    return """
      \(mayDecide ? several : .none)
      <div class="scroll"><table class="groups" role="table">
      <thead role="rowgroup"><tr role="row">\(head)<th role="columnheader">Group</th><th role="columnheader" class="trend">\(Self.days) days</th>\(sorted("Reports", .reports, "number"))\
      \(sorted("People", .installs, "number"))\(sorted("Releases", .versions, "side"))<th role="columnheader">Status</th>\
      \(sorted("Last seen", .lastSeen, "side"))</tr></thead>
      <tbody role="rowgroup">
      \(rows)</tbody></table></div>
      <p class="quiet">\(PageText.number(groups.count)) of \(PageText.count(groups.total, "group", "groups"))</p>
      <p class="actions">\(first)\(more)</p>
      """
  }

  private func row(
    _ group: GroupSummary, _ shown: String?, _ trend: DayChart, mayDecide: Bool, severalApps: Bool
  ) -> HTML {
    let location: HTML =
      shown.map { "<div class=\"where mono small\">\(HTML.name($0))</div>" } ?? .none
    let reason: HTML = group.reason.map { "<div class=\"quiet\">\($0)</div>" } ?? .none
    let provisional: HTML =
      group.signature.isProvisional ? " <span class=\"tag\">symbols missing</span>" : .none
    let box: HTML =
      mayDecide
      ? """
      <td role="cell" class="box"><input type="checkbox" name="id" value="\(group.id)" form="several" \
      aria-label="Select \(group.id)"></td>
      """ : .none
    let app: HTML = severalApps ? "\(group.app) · " : .none
    let assignee: HTML = group.assignee.map { " · \($0)" } ?? .none
    return """
      <tr role="row" class="row">\(box)<td role="cell" class="title"><a class="signature mono" href="/groups/\(group.id.inAddress)">\
      \(group.signature.text.isEmpty ? "no signature" : group.signature.text)</a>\(provisional)\(location)\(reason)\
      <div class="quiet small">\(app)\(group.id)\(assignee)</div></td>
      <td role="cell" class="trend">\(trend.spark("Reports per day of \(group.id)"))</td>
      <td role="cell" class="number" data-label="\(group.reports == 1 ? "report" : "reports")">\(PageText.number(group.reports))</td>
      <td role="cell" class="number" data-label="\(group.installs == 1 ? "person" : "people")">\(group.installs.map(PageText.number) ?? "–")</td>
      <td role="cell" class="side">\(GroupText.range(group.versions))</td>
      <td role="cell">\(PageText.status(group.state))</td>
      <td role="cell" class="side">\(PageText.time(group.lastSeen, now: call.now))</td></tr>

      """
  }

  private func sorted(_ title: String, _ order: GroupOrder, _ style: String) -> HTML {
    let isChosen = order == filter.order
    let mark: HTML =
      !isChosen
      ? .none : filter.isUp ? " aria-sort=\"ascending\"" : " aria-sort=\"descending\""
    let arrow: HTML =
      !isChosen
      ? .none
      : filter.isUp
        ? " <span aria-hidden=\"true\">▴</span>" : " <span aria-hidden=\"true\">▾</span>"
    let address = filter.address {
      $0.isUp = isChosen && !$0.isUp
      $0.order = order
    }
    return
      "<th role=\"columnheader\" class=\"\(style)\"\(mark)><a href=\"\(address)\">\(title)</a>\(arrow)</th>"
  }

  /// The form for several groups. Its first button does nothing, because Enter in a field presses it.
  private var several: HTML {
    """
    <form id="several" class="bulk" method="post" action="/groups">\(call.formField)\
    <input type="hidden" name="back" value="\(filter.address { $0.after = filter.after })">
    <button disabled hidden></button>
    <button name="action" value="resolve" title="Fixed after the newest release in which each was seen">Resolve</button>
    <button name="action" value="ignore" title="For good">Ignore</button>
    <button name="action" value="reopen">Reopen</button>
    <details class="menu"><summary class="button">More</summary><div class="card">
    <p><label>Assign to <input name="to" value="\(call.visitor.account.name)"></label> \
    <button name="action" value="assign">Assign</button></p>
    <p><label>Merge into <input name="into" placeholder="TERN-12"></label> \
    <button name="action" value="merge">Merge</button></p>
    </div></details>
    </form>
    """
  }

  private func nothing(_ query: Query) throws -> HTML {
    guard filter.isNarrow else {
      return
        "<p class=\"empty\">No \(filter.tab.rawValue) groups. <a href=\"\(filter.address { $0.tab = .all })\">Show all groups</a></p>"
    }
    let elsewhere: HTML =
      filter.tab == .all
      ? .none : " <a href=\"\(filter.address { $0.tab = .all })\">Search in all groups</a>,"
    let hints = try EmptyResultHint(query: query, namesCommands: false).lines(from: call.service)
    return """
      \(hints.map { "<p class=\"message\">\($0)</p>\n" as HTML })\
      <p class="empty">No group matches.\(elsewhere) <a href="/">\(filter.tab == .all ? "Clear" : "clear") the search</a>, \
      or open <b>Fields</b> below the search to see what you can search for.</p>
      """
  }

  // MARK: Before the first report

  private func firstRun() throws -> Response {
    let origin = call.request.head.origin
    let account = call.visitor.account
    let isAdmin = account.allows(.admin) && account.app == nil
    let app = try call.service.apps().first
    // As on the pages of apps.
    let key = account.allows(.triage) ? app?.intakeKey : nil
    let add: HTML =
      app != nil
      ? .none
      : isAdmin
        ? "<li>Add your app. It gets a key for its reports:\(AppsView.form(call, isFirst: true))</li>\n"
        : "<li>Ask an admin to add your app. It gets a KEY for its reports.</li>\n"
    let check: HTML =
      isAdmin
      ? """
      <li>To check that this server works, send a test crash through it with an admin token. It is erased afterwards:\
      <pre class="message" tabindex="0">mayday doctor --server \(origin)</pre></li>

      """ : .none
    let keys: HTML =
      account.allows(.triage)
      ? """
      <p class="quiet">Apps with an App Center SDK only change one URL: see <a href="/apps">keys and snippets</a>.</p>
      """ : .none
    return call.page(
      // Without scripts, the page must not reload while a user is typing.
      "Welcome", in: .groups, refresh: app == nil && isAdmin ? nil : 5,
      """
      <h1>No reports yet</h1>
      <p>This page shows the first report as soon as it arrives.</p>
      <ol class="steps" data-waiting>
      \(add)<li>Send a crash report:\(AppSnippets.curl(key: key ?? "KEY", origin))</li>
      <li>Upload the debug files of your builds:\(AppSnippets.upload(to: origin, call))</li>
      \(check)</ol>
      \(keys)
      """)
  }
}
