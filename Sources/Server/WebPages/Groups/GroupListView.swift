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

/// The first page: what crashes, how often, since when, and whether it is fixed.
struct GroupListView {
  let call: PageCall
  let filter: GroupListFilter

  static let rows = 50

  init(_ call: PageCall) {
    // The list itself leads to the list without a search.
    self.call = call.withoutLastList
    filter = GroupListFilter(call.request.query)
  }

  func response() throws -> Response {
    // The choices of menus become part of the query in the address.
    if filter.isRewritten {
      return .empty(.seeOther, headers: ["Location": filter.address { _ in }])
    }
    let isStart = filter.after == nil && filter.before == nil
    if !filter.isNarrow, isStart, try isEmpty() { return try firstRun() }
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
    (asked.after, asked.before) = (filter.after, filter.before)
    (asked.changeDays, asked.now) = (filter.changeDays, call.now)
    let seen = try call.context.store.groups.lastEvent()
    let groups = try call.service.groups(asked)
    if groups.isEmpty, let page = try IDPage(call).whereNothingMatches(filter.text) { return page }
    let crashFree = try CrashFreeChart(call: call, filter: filter).parts()
    var response = call.page(
      "Groups", in: .groups, hasSearch: true,
      """
      <h1 class="hidden">Groups</h1>
      \(GroupListNotice(call.request.query)?.message(for: call) ?? .none)\(SavedSearches(call).message)
      \(search)
      <details class="figures"><summary class="quiet">Charts</summary>
      <div class="charts">\(try GroupListChart(call: call, filter: filter).figure(of: query))\
      \(crashFree.charts)</div>\(crashFree.missing)</details>
      <div class="over">\(try tabs(shown: groups.total))\(try SavedSearches(call).menu(of: filter))</div>
      \(try groups.isEmpty ? nothing(query) : GroupListTable(call: call, filter: filter, seen: seen).list(groups, query))
      """)
    LastList(filter).keep(in: &response, for: call.request.head)
    return response
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
