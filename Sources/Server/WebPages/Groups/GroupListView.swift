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
    let apps = try GroupListApps(call: call, filter: filter)
    let form = try GroupSearch(call: call, filter: filter, apps: apps).form()
    let query: Query
    let (seen, listing): (Int, GroupListing)
    do {
      if let page = try IDPage(call).certain(filter.text) { return page }
      // Checked without the tab's condition, so that the message shows only what was typed.
      let search = try call.query(filter.text)
      query = try call.query(filter.query(of: filter.tab))
      seen = try call.context.store.groups.lastEvent()
      listing = try self.listing(search)
    } catch let error where PageCall.isAboutQuery(error) {
      return wrong(error, form)
    }
    if !filter.isNarrow, isStart, listing.all.isEmpty { return try firstRun() }
    let groups = listing.groups
    if groups.isEmpty, let page = try IDPage(call).whereNothingMatches(filter.text) { return page }
    let crashFree = try CrashFreeChart(call: call, filter: filter, apps: apps).parts()
    var response = call.page(
      "Groups", in: .groups, hasSearch: true,
      """
      <h1 class="hidden">Groups</h1>
      \(GroupListNotice(call.request.query)?.message(for: call) ?? .none)\(SavedSearches(call).message)
      \(form)
      <details class="figures"><summary class="quiet">Charts</summary>
      <div class="charts">\(GroupListChart(call: call, filter: filter, apps: apps).figure(listing.days))\
      \(crashFree.charts)</div>\(crashFree.missing)</details>
      <div class="over">\(tabs(listing))\(try SavedSearches(call).menu(of: filter))</div>
      \(try groups.isEmpty ? nothing(query) : GroupListTable(call: call, filter: filter, seen: seen).list(listing))
      """)
    LastList(filter).keep(in: &response, for: call.request.head)
    return response
  }

  /// The page of groups and the figures around it.
  private func listing(_ search: Query) throws -> GroupListing {
    var groups = GroupQuery(search)
    groups.order = filter.order.order
    groups.isReversed = filter.isUp
    groups.limit = Self.rows
    (groups.after, groups.before) = (filter.after, filter.before)
    (groups.changeDays, groups.now) = (filter.changeDays, call.now)
    let chart = GroupListChart.window(filter, now: call.now)
    return try call.listing(
      GroupListingQuery(
        groups, states: filter.tab.states, days: chart.before.lowerBound..<chart.days.upperBound,
        // The days before are outside of what the time menu chooses.
        limitsDays: filter.hasOwnTimes,
        daysOfGroups: GroupListTable.days(filter, now: call.now)))
  }

  /// The page for a query that cannot be parsed, or that this visitor may not ask.
  private func wrong(_ error: any Error, _ form: HTML) -> Response {
    let (message, kind) = FailureText.describe(error, namesCommands: false)
    let words = message.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = words.map { "\(String($0))\n" as HTML }
    var response = call.page(
      "Groups", in: .groups, hasSearch: true,
      """
      <h1 class="hidden">Groups</h1>
      \(form)
      <p class="message mono damaged" role="alert">\(lines)</p>
      \(tabs(nil))
      """)
    response.status = PageSite.status(of: kind)
    return response
  }

  // MARK: Figures

  /// - Parameter listing: `nil` if the query was refused.
  private func tabs(_ listing: GroupListing?) -> HTML {
    let tabs = GroupListFilter.Tab.allCases.map { tab -> HTML in
      let mark: HTML = tab == filter.tab ? " aria-current=\"page\"" : .none
      let numbers = listing.map { counts(of: tab, $0) } ?? .none
      return """
        <li><a href="\(filter.address { $0.tab = tab })"\(mark)>\(tab.title)\(numbers)</a></li>
        """
    }
    return "<nav class=\"tabs\" aria-label=\"Status\"><ul>\(tabs)</ul></nav>"
  }

  private func counts(of tab: GroupListFilter.Tab, _ listing: GroupListing) -> HTML {
    let (found, all) = (tab.count(listing.matching), tab.count(listing.all))
    let words =
      found == all
      ? PageText.number(found) : "\(PageText.number(found)) of \(PageText.number(all))"
    return " <span class=\"quiet\">\(words)</span>"
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
