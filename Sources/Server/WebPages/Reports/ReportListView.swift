internal import CrashService
internal import CrashStore
internal import HTTP
internal import Query
internal import Rendering
internal import ServerCore

/// Reports of all groups that match a query, newest first: those of an install or a user.
struct ReportListView {
  let call: PageCall

  private static let rows = 50

  init(_ call: PageCall) { self.call = call }

  func response() throws -> Response {
    let text = call.request.query["q"] ?? ""
    var asked: ReportQuery
    let page: Page<ReportSummary>
    do {
      asked = ReportQuery(try call.query(text))
      if let page = try IDPage(call).certain(text) { return page }
      asked.limit = Self.rows
      (asked.after, asked.before) = (call.request.query["after"], call.request.query["before"])
      page = try call.service.reports(asked)
    } catch let error where PageCall.isAboutQuery(error) {
      return call.refusing(error) { Self($0).page(text, .none) }
    }
    if page.isEmpty, asked.after == nil, asked.before == nil,
      let other = try IDPage(call).whereNothingMatches(text)
    {
      return other
    }
    return self.page(text, list(page, text))
  }

  private func page(_ text: String, _ list: HTML) -> Response {
    call.page(
      "Reports", in: .groups, hasSearch: true,
      """
      <h1>Reports</h1>
      <form class="search" action="/reports" role="search"><label class="grow"><span>Search</span>
      <input name="q" type="text" enterkeyhint="search" value="\(text)" data-complete \
      placeholder="install:8D1F2A60 version:&gt;=2.4" autocomplete="off" spellcheck="false"></label> \
      <button>Search</button></form>
      \(list)
      """)
  }

  private func list(_ page: Page<ReportSummary>, _ text: String) -> HTML {
    guard !page.isEmpty else {
      return """
        <p class="empty">No report matches. <a href="/reports">Show all reports</a></p>
        """
    }
    let query = text.isEmpty ? "" : "q=\(text.inAddress)&"
    let more = GroupReportsView.neighbours(of: page, at: "/reports?" + query, rows: Self.rows)
    let groups = "/?" + query + "status=all"
    return """
      \(GroupReportsView.table(page.items, now: call.now, namesGroups: true))
      <p class="quiet">\(PageText.number(page.count)) of \(PageText.count(page.total, "stored report", "stored reports")) \
      · <a href="\(groups)">their groups</a></p>
      \(more)
      """
  }
}
