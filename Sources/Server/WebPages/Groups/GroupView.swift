internal import APIDocuments
internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Documents
internal import HTTP
internal import Identifiers
internal import JSON
internal import Rendering
internal import ReportDocument
internal import ServerCore
internal import ServerStore
internal import TriageModel
internal import Updates

/// One group: its numbers, its stack, where it occurs, and the decisions about it.
struct GroupView {
  let call: PageCall

  /// The number of source lines around a frame.
  private static let sourceLines = 5
  /// The width of the text in columns.
  private static let width = 110

  init(_ call: PageCall) { self.call = call }

  /// The page, or the group as text, Markdown or JSON if the address ends in `.txt`, `.md` or `.json`.
  func response() throws -> Response {
    let name = call.parameter("id")
    for end in [".txt", ".md", ".json"] where name.hasSuffix(end) {
      return try text(of: String(name.dropLast(end.count)), end)
    }
    let overview = try call.service.group(name, sourceLines: Self.sourceLines)
    let group = overview.group
    // The address of a merged group redirects to the whole group.
    guard group.id == name else {
      return .empty(.seeOther, headers: ["Location": "/groups/" + group.id.inAddress])
    }
    let related = try call.service.related(toGroup: group.id, includesDistinct: true)
    let firstBad = try GroupFigures.firstBad(of: group, for: call)
    let relations = GroupRelations(call: call, overview: overview)
    let ticket = try GroupTicketView(call, overview)
    return call.page(
      "\(group.id) \(group.signature.text)", in: .groups,
      """
      <div data-group>\(head(overview, firstBad, ticket))
      \(try GroupDecisions(call: call, overview: overview, related: related, ticket: ticket).forms())
      \(try knownFix(group))
      \(stack(overview))
      \(relations.notes())
      \(try GroupFigures(call: call, overview: overview, firstBad: firstBad).parts())
      \(try relations.variants())
      \(relations.related(related))
      \(recent(overview))
      \(relations.history())</div>
      """)
  }

  private func text(of id: String, _ end: String) throws -> Response {
    let saved: Headers = [
      "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
    ]
    let overview = try call.service.group(id, sourceLines: Self.sourceLines)
    if end == ".json" {
      var response = Response.document { $0.write(overview) }
      for field in saved.fields { response.headers[field.name] = field.value }
      return response
    }
    let group = overview.group
    if end == ".txt", call.request.query["part"] == "stack" { return stackText(overview, saved) }
    guard
      var page = GroupPage(
        overview, now: call.now, width: Self.width, styles: .plain, isFull: end == ".txt")
    else {
      let lines =
        ["\(group.id)  \(group.signature.text)".printable, "", "All of its reports were removed."]
        + GroupDetails(width: Self.width).lines(for: group, history: overview.history)
      return .text(lines.joined(separator: "\n") + "\n", headers: saved)
    }
    page.address = address(of: group)
    if end == ".md" { return .text(page.markdown(), headers: saved) }
    page.firstBad = try GroupFigures.firstBad(of: group, for: call).map {
      RegressionText.line($0.build, $0.basis)
    }
    return .text(page.lines().joined(separator: "\n") + "\n", headers: saved)
  }

  /// The complete address of the group's page, for texts that leave the site.
  private func address(of group: GroupSummary) -> String {
    call.request.head.origin + "/groups/" + group.id.inAddress
  }

  /// The stacks of the exemplar alone.
  private func stackText(_ overview: GroupOverview, _ headers: Headers) -> Response {
    let lines =
      overview.exemplar.map { ReportText(width: Self.width).stackLines(of: $0.report) } ?? []
    return .text(lines.joined(separator: "\n") + "\n", headers: headers)
  }

  // MARK: The head

  private func facts(_ overview: GroupOverview, _ firstBad: GroupFigures.FirstBad?) -> [String] {
    let group = overview.group
    var facts = [GroupText.count(group.reports, "report", "reports")]
    if let installs = group.installs { facts.append(GroupText.count(installs, "user", "users")) }
    if let total = overview.breakdown?.reportsOfApp, total > 0 {
      let share = Percent.text(group.reports, of: total)
      facts.append("\(share) of \(PageText.reports(of: group.app))")
    }
    let versions = GroupText.range(group.versions)
    if !versions.isEmpty { facts.append(versions) }
    if let firstBad {
      facts.append("\(firstBad.what) \(firstBad.build.release.name) (\(firstBad.sure))")
    }
    if let words = (overview.exemplar?.report).flatMap({ ImageSummary(of: $0).ownWords }) {
      facts.append(words)
    }
    return facts
  }

  private func head(
    _ overview: GroupOverview, _ firstBad: GroupFigures.FirstBad?, _ ticket: GroupTicketView
  ) -> HTML {
    let group = overview.group
    let reason: HTML = group.reason.map { "<p class=\"reason\">\($0)</p>" } ?? .none
    let provisional: HTML =
      group.signature.isProvisional
      ? "<p><span class=\"tag\">symbols missing</span> The title changes when <a href=\"/symbols\">they are uploaded</a>.</p>"
      : .none
    // The badge already shows the state.
    let words: HTML = group.status.words == group.state.rawValue ? .none : " \(group.status.words)"
    let since: HTML = group.status.time.map { ", \(PageText.time($0, now: call.now))" } ?? .none
    let assignee: HTML = group.assignee.map { " · assigned to \($0)" } ?? .none
    let address = "/groups/" + group.id.inAddress
    return """
      <div class="beside"><p class="quiet">\(group.id) · \(group.app)<span class="printed"> · \(self.address(of: group))</span></p>
      <p class="links"><a href="\(address).txt" data-copy="text">Text</a> \
      <a href="\(address).md" data-copy="Markdown">Markdown</a> \
      <a href="\(address).txt?part=stack" data-copy="stack">Stack</a> \
      <a href="\(address).json">JSON</a></p></div>
      <h1 class="signature mono">\(group.signature.text.isEmpty ? "no signature" : group.signature.text)</h1>
      \(reason)\(provisional)
      <p>\(PageText.status(group.state))\(words)\(since)\(assignee)</p>
      <p><b>\(facts(overview, firstBad).joined(separator: " · "))</b></p>
      <p class="quiet">First seen \(PageText.time(group.firstSeen, now: call.now)), \
      last seen \(PageText.time(group.lastSeen, now: call.now))</p>
      \(ticket.line)\(GroupRelations(call: call, overview: overview).lastNote())
      """
  }

  /// The release with the fix, and whether its users are offered it.
  private func knownFix(_ group: GroupSummary) throws -> HTML {
    guard group.state == .resolved, let fix = group.status.fix, fix.kind == .inRelease,
      let release = fix.release
    else { return .none }
    let files = try call.service.artefacts(of: group.app, release: release)
      .filter { $0.isEnabled && !$0.destinations.isEmpty }
    let words: HTML =
      files.isEmpty
      ? "It is not published here, so users with this crash get no offer to update."
      : "It is published: when users with this crash check for updates, they are offered this release."
    return """
      <p class="card"><b>Fixed in <a href="/releases/\(group.app.inAddress)/\(release.name.inAddress)">\(release.name)</a>.</b> \(words)</p>
      """
  }

  // MARK: What crashes

  private func stack(_ overview: GroupOverview) -> HTML {
    guard let exemplar = overview.exemplar else {
      return """
        <p class="empty">All reports of this group were removed; its counts remain. The stack appears again with the \
        next report.</p>
        """
    }
    // Frames have their sources here; their links lead to the report.
    let part = ReportFragment(report: exemplar.report, isDetailed: true)
    let address = "/reports/" + exemplar.id.inAddress
    return """
      <section aria-label="Stack" id="stack">\(part.stacks())\
      \(MissingStackMessage.message(for: exemplar.report, at: address))
      <p class="quiet"><a href="\(address)">Full report</a></p></section>
      """
  }

  private func recent(_ overview: GroupOverview) -> HTML {
    guard !overview.recent.isEmpty else { return .none }
    return """
      <section><h2>Recent reports</h2>\(GroupReportsView.table(overview.recent, now: call.now))
      <p><a href="/groups/\(overview.group.id.inAddress)/reports">All reports</a></p></section>
      """
  }
}
