internal import APIDocuments
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ReportDocument
internal import ServerStore
internal import WebServer

/// One group: how bad it is, what crashes, where it is seen, and what was decided.
struct GroupView {
  let call: PageCall

  /// Lines of source around a frame.
  private static let sourceLines = 5
  private static let mostRelated = 10
  private static let mostEvents = 50

  init(_ call: PageCall) { self.call = call }

  func response() throws -> Response {
    let overview = try call.service.group(call.parameter("id"), sourceLines: Self.sourceLines)
    let group = overview.group
    // The address of a group that was merged leads to the whole.
    guard group.id == call.parameter("id") else {
      return .empty(.seeOther, headers: ["Location": "/groups/" + group.id.inAddress])
    }
    return call.page(
      "\(group.id) \(group.signature.text)", in: .groups,
      """
      \(head(overview))
      \(actions(group))
      \(stack(overview))
      \(figures(overview))
      \(variants(overview))
      \(try related(group))
      \(recent(overview))
      \(history(overview))
      """)
  }

  // MARK: The head

  private func head(_ overview: GroupOverview) -> HTML {
    let group = overview.group
    var facts = [GroupText.count(group.reports, "report", "reports")]
    if let installs = group.installs { facts.append(GroupText.count(installs, "person", "people")) }
    if let total = overview.breakdown?.reportsOfApp, total > 0 {
      facts.append("\(Percent.text(group.reports, of: total)) of the reports of \(group.app)")
    }
    let versions = GroupText.range(group.versions)
    if !versions.isEmpty { facts.append(versions) }
    let reason: HTML = group.reason.map { "<p class=\"reason\">\($0)</p>" } ?? .none
    let provisional: HTML =
      group.signature.isProvisional
      ? "<p><span class=\"tag\">symbols missing</span> The title changes when <a href=\"/symbols\">they come</a>.</p>"
      : .none
    // The word alone stands in the badge.
    let words: HTML = group.status.words == group.state.rawValue ? .none : " \(group.status.words)"
    let assignee: HTML = group.assignee.map { " · assigned to \($0)" } ?? .none
    return """
      <p class="quiet">\(group.id) · \(group.app)</p>
      <h1 class="signature mono">\(group.signature.text.isEmpty ? "no signature" : group.signature.text)</h1>
      \(reason)\(provisional)
      <p>\(PageText.status(group.state))\(words)\(assignee)</p>
      <p><b>\(facts.joined(separator: " · "))</b></p>
      <p class="quiet">First seen \(PageText.time(group.firstSeen, now: call.now)), \
      last seen \(PageText.time(group.lastSeen, now: call.now))</p>
      """
  }

  private func actions(_ group: GroupSummary) -> HTML {
    guard call.visitor.account.allows(.triage) else { return .none }
    let isOpen = group.state == .open || group.state == .regressed
    let resolve: HTML =
      isOpen
      ? menu(
        "Resolve", group, "resolve",
        """
        <p><label><input type="radio" name="how" value="seen" checked> after the newest release it was seen in</label></p>
        <p><label><input type="radio" name="how" value="next"> in the next release</label></p>
        <p><label><input type="radio" name="how" value="in"> in release</label> \
        <input name="in" aria-label="Release" placeholder="2.4.1"></p>
        """) : form("Reopen", group, "reopen")
    let ignore: HTML =
      isOpen
      ? menu(
        "Ignore", group, "ignore",
        """
        <p><label>for <input name="for" placeholder="30d"></label></p>
        <p><label>until <input name="until" inputmode="numeric" placeholder="100"> more reports</label></p>
        <p class="quiet">Empty means for good.</p>
        """) : .none
    return """
      <div class="actions">\(resolve)\(ignore)
      \(menu("Assign", group, "assign", "<p><label>to <input name=\"to\" value=\"\(group.assignee ?? "")\"></label></p>"))
      \(menu("Note", group, "note", "<p><label>Note<br><textarea name=\"text\" rows=\"4\"></textarea></label></p>"))
      \(menu("Merge", group, "merge", "<p><label>into <input name=\"into\" placeholder=\"TERN-12\"></label></p>"))
      \(menu("Split", group, "split", "<p><label>off the reports of <input name=\"where\" placeholder=\"version:2.4.*\"></label></p>"))
      </div>
      """
  }

  private func menu(_ title: String, _ group: GroupSummary, _ action: String, _ fields: HTML)
    -> HTML
  {
    """
    <details class="menu"><summary class="button">\(title)</summary>
    <form class="card" method="post" action="/groups/\(group.id.inAddress)/\(action)">\(call.formField)
    \(fields)<p><button class="primary">\(title)</button></p></form></details>
    """
  }

  private func form(_ title: String, _ group: GroupSummary, _ action: String) -> HTML {
    """
    <form method="post" action="/groups/\(group.id.inAddress)/\(action)">\(call.formField)\
    <button>\(title)</button></form>
    """
  }

  // MARK: What crashes, and where

  private func stack(_ overview: GroupOverview) -> HTML {
    guard let exemplar = overview.exemplar else {
      return "<p class=\"empty\">All reports of this group were removed.</p>"
    }
    return """
      <section aria-label="Stack">\(ReportPart(report: exemplar.report).stacks())
      <p class="quiet"><a href="/reports/\(exemplar.id.inAddress)">The whole report</a></p></section>
      """
  }

  private func figures(_ overview: GroupOverview) -> HTML {
    guard let breakdown = overview.breakdown else { return .none }
    var counts: [Int: Int] = [:]
    for day in breakdown.days { counts[day.start.day] = day.reports }
    let first = breakdown.days.first?.start.day ?? call.now.day
    let chart = DayChart(days: first..<(first + breakdown.days.count), counts: counts)
    let versions = breakdown.versions.reversed().map { version -> HTML in
      """
      <tr><td>\(version.name.isEmpty ? "no version" : version.name)</td>\
      <td class="number">\(PageText.number(version.reports))</td>\
      <td>\(Percent.text(version.reports, of: overview.group.reports))</td>\
      <td class="side">\(GroupText.days(version.firstDay, version.lastDay))</td></tr>
      """
    }
    let releases: HTML =
      versions.isEmpty
      ? .none
      : """
      <section><h2>Releases</h2><div class="scroll"><table><tr><th>Release</th><th class="number">Reports</th>\
      <th>Share</th><th class="side">Seen</th></tr>\(Array(versions))</table></div></section>
      """
    return """
      <div class="columns">
      <section><h2>Trend</h2>\(chart.chart("Reports a day"))</section>
      \(releases)
      \(ranking("Systems", breakdown.systems, overview.group.reports))
      \(ranking("Devices", breakdown.devices, overview.group.reports))
      </div>
      """
  }

  private func ranking(_ title: String, _ ranking: GroupBreakdown.Ranking, _ total: Int) -> HTML {
    guard !ranking.top.isEmpty else { return .none }
    let rows = ranking.top.map { share -> HTML in
      """
      <tr><td>\(share.name.isEmpty ? "unknown" : share.name)</td>\
      <td class="bar"><meter min="0" max="\(max(1, total))" value="\(share.reports)">\
      \(Percent.text(share.reports, of: total))</meter></td>\
      <td class="number">\(Percent.text(share.reports, of: total))</td></tr>
      """
    }
    let others: HTML =
      ranking.others > 0
      ? "<p class=\"quiet\">and \(PageText.number(ranking.others)) others, with \(GroupText.count(ranking.reportsOfOthers, "report", "reports"))</p>"
      : .none
    return "<section><h2>\(title)</h2><table>\(rows)</table>\(others)</section>"
  }

  // MARK: What else is known

  private func variants(_ overview: GroupOverview) -> HTML {
    guard let count = overview.variantCount, count > 1 else { return .none }
    let splits = overview.splits.map { "<pre class=\"message\">\($0.command)</pre>" as HTML }
    let mixed: HTML =
      splits.isEmpty
      ? .none
      : "<p><b>This group looks mixed.</b> These variants may be another bug:</p>\(splits)"
    return """
      <section><h2>Variants</h2><p>Its reports have \(count) different stacks: \
      <code>mayday variants \(overview.group.id)</code></p>\(mixed)</section>
      """
  }

  private func related(_ group: GroupSummary) throws -> HTML {
    let merged: HTML =
      group.merged.isEmpty
      ? .none : "<p>Merged into it: \(group.merged.joined(separator: ", "))</p>"
    let related = try call.service.related(toGroup: group.id, includesDistinct: false)
      .prefix(Self.mostRelated)
    guard !related.isEmpty || !group.merged.isEmpty else { return .none }
    let rows = related.map { other -> HTML in
      """
      <tr><td><a class="mono" href="/groups/\(other.id.inAddress)">\(other.title)</a>\
      <div class="quiet small">\(other.id)</div></td>\
      <td class="side">\(other.matchedFrames) of \(other.frames) frames</td>\
      <td class="number">\(PageText.number(other.reports))</td></tr>
      """
    }
    let table: HTML =
      rows.isEmpty
      ? .none
      : """
      <table><tr><th>Group</th><th class="side">Alike</th><th class="number">Reports</th></tr>\(rows)</table>
      """
    return "<section><h2>Related groups</h2>\(merged)\(table)</section>"
  }

  private func recent(_ overview: GroupOverview) -> HTML {
    guard !overview.recent.isEmpty else { return .none }
    let rows = overview.recent.map { report -> HTML in
      let version = [report.version, report.build.map { "(\($0))" }].compactMap(\.self)
        .joined(separator: " ")
      return """
        <tr class="row"><td><a class="mono" href="/reports/\(report.id.inAddress)">\(String(report.id.prefix(8)))</a></td>\
        <td>\(PageText.time(report.time, now: call.now))</td><td>\(version)</td>\
        <td>\(report.os ?? "")</td><td class="side">\(report.device ?? "")</td></tr>
        """
    }
    return """
      <section><h2>Recent reports</h2><div class="scroll"><table><tr><th>Report</th><th>Time</th><th>Release</th>\
      <th>System</th><th class="side">Device</th></tr>\(rows)</table></div></section>
      """
  }

  private func history(_ overview: GroupOverview) -> HTML {
    let events = overview.history.suffix(Self.mostEvents).reversed()
    guard !events.isEmpty else { return .none }
    let mayDecide = call.visitor.account.allows(.triage)
    let rows = events.map { event -> HTML in
      let undone: HTML =
        event.undone.map { " <span class=\"quiet\">undone by #\($0)</span>" } ?? .none
      let undo: HTML =
        mayDecide && event.isAction && event.undone == nil && event.event != "undone"
        ? """
        <form method="post" action="/groups/\(overview.group.id.inAddress)/undo">\(call.formField)\
        <input type="hidden" name="line" value="\(event.number)"><button class="small">Undo</button></form>
        """ : .none
      return """
        <tr><td>\(PageText.time(event.time, now: call.now))</td><td>\(event.author)</td>\
        <td><b>\(event.event)</b> \(event.detail)\(undone)</td><td class="side">\(undo)</td></tr>
        """
    }
    return "<section><h2>History</h2><div class=\"scroll\"><table>\(rows)</table></div></section>"
  }
}
