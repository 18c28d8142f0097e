internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Query
internal import Rendering
internal import ServerCore
internal import TriageModel

/// The stored reports of a group, newest first, optionally filtered by a query.
struct GroupReportsView {
  let call: PageCall

  private static let rows = 50

  init(_ call: PageCall) { self.call = call }

  func response() throws -> Response {
    let group = try group()
    let address = "/groups/" + group.id.inAddress
    let text = call.request.query["q"] ?? ""
    let page: Page<ReportSummary>
    do {
      // Checked without the group's condition, so that the message shows only what was typed.
      _ = try call.query(text)
      var asked = ReportQuery(try call.query("group:\(group.id) \(text)"))
      asked.limit = Self.rows
      (asked.after, asked.before) = (call.request.query["after"], call.request.query["before"])
      page = try call.service.reports(asked)
    } catch let error where PageCall.isAboutQuery(error) {
      return call.refusing(error) { Self($0).page(of: group, text, .none) }
    }
    let more = Self.neighbours(
      of: page, at: "\(address)/reports?q=\(text.inAddress)&", rows: Self.rows)
    let list: HTML =
      page.isEmpty
      ? """
      <p class="empty">No report of this group matches. <a href="\(address)/reports">Show all its reports</a></p>
      """
      : """
      \(Self.table(page.items, now: call.now))
      <p class="quiet">\(PageText.number(page.count)) of \(PageText.number(page.total)) stored reports</p>
      \(more)
      """
    return self.page(of: group, text, list)
  }

  private func page(of group: GroupSummary, _ text: String, _ list: HTML) -> Response {
    let address = "/groups/" + group.id.inAddress
    return call.page(
      "Reports of \(group.id)", in: .groups,
      """
      <p class="quiet"><a href="\(address)">\(group.id)</a> <span class="mono">\(group.signature.text)</span></p>
      <h1>Reports</h1>
      <form class="search" action="\(address)/reports" role="search"><label class="grow"><span>Search</span>
      <input name="q" type="text" enterkeyhint="search" value="\(text)" data-complete placeholder="version:&gt;=2.4 os:iOS" \
      autocomplete="off" spellcheck="false"></label> <button>Search</button></form>
      \(list)
      """)
  }

  /// The links to the pages before and after one.
  ///
  /// - Parameter address: That of the list, to which the cursor is added.
  static func neighbours(of page: Page<ReportSummary>, at address: String, rows: Int) -> HTML {
    let links = [
      ("prev", "before", "Previous", page.previous), ("next", "after", "Next", page.next),
    ]
    .compactMap { relation, name, title, cursor -> HTML? in
      cursor.map {
        """
        <a class="button" rel="\(relation)" href="\(address)\(name)=\($0.inAddress)">\(title) \(rows)</a>
        """
      }
    }
    return links.isEmpty ? .none : "<p class=\"actions\">\(links)</p>"
  }

  /// The group, without what its own page shows of it.
  private func group() throws -> GroupSummary {
    let id = call.parameter("id")
    let found = try call.service.groups(GroupQuery(try call.query("group:\(id.inQuery)")))
    // The error for an unknown id suggests others.
    return try found.count == 1 ? found[0] : call.service.group(id, sourceLines: nil).group
  }

  /// - Parameter namesGroups: Whether to name the group of each report.
  static func table(
    _ reports: [ReportSummary], now: Timestamp, namesGroups: Bool = false
  ) -> HTML {
    var table = CardTable(
      [("Report", .mono)] + (namesGroups ? [("Group", .text)] : [])
        + [("Time", .text), ("Release", .text), ("System", .text), ("Device", .side)])
    for report in reports {
      let version = [report.version, report.build.map { "(\($0))" }].compactMap(\.self)
        .joined(separator: " ")
      let group: HTML = """
        <a href="/groups/\(report.group.inAddress)">\(report.group)</a> \
        <span class="mono">\(report.signature)</span>
        """
      let id: HTML = """
        <a class="short" href="/reports/\(report.id.inAddress)">\(String(report.id.prefix(8)))</a>
        """
      table.add(
        [id] + (namesGroups ? [group] : [])
          + [
            PageText.time(report.time, now: now), "\(version)", "\(report.os ?? "")",
            "\(report.device ?? "")",
          ], link: true)
    }
    return table.markup
  }
}
