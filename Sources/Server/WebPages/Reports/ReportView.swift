internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ReportDocument
internal import ServerCore

/// One report: the reason, the thread that crashed, and everything else.
struct ReportView {
  let call: PageCall

  /// The number of source lines around a frame.
  static let sourceLines = 5
  /// The width of the text in columns.
  private static let width = 110
  /// The maximum number of lines of a user's or a program's text.
  private static let mostLines = 200

  init(_ call: PageCall) { self.call = call }

  /// The page, or the report as text, Markdown or JSON if the address ends in `.txt`, `.md` or `.json`.
  func response() throws -> Response {
    let name = call.parameter("id")
    for end in [".txt", ".md", ".json"] where name.hasSuffix(end) {
      let stored = try call.service.report(
        String(name.dropLast(end.count)), sourceLines: Self.sourceLines)
      return text(of: stored, end)
    }
    let stored = try call.service.report(name, sourceLines: Self.sourceLines)
    let address = "/reports/" + stored.id.inAddress
    let other = (call.request.query["against"] ?? "").filter { !$0.isWhitespace }
    guard stored.id == name else {
      return .empty(
        .seeOther,
        headers: ["Location": address + (other.isEmpty ? "" : "?against=" + other.inAddress)])
    }
    if !other.isEmpty { return try ReportComparisonView(call, stored).response(against: other) }
    return try page(stored, address)
  }

  private func text(of stored: StoredReport, _ end: String) -> Response {
    let report = stored.report
    let saved: Headers = [
      "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
    ]
    let isFull = call.request.query["full"] != nil
    switch end {
    case ".json":
      var response = Response.document { stored.write(to: &$0) }
      for field in saved.fields { response.headers[field.name] = field.value }
      return response
    case ".md":
      var markdown = ReportMarkdown(
        report: report, id: stored.id, group: stored.group, isFull: isFull)
      markdown.address = link(to: stored)
      return .text(markdown.text(), headers: saved)
    default:
      let text = ReportText(width: Self.width, isFull: isFull)
      let lines =
        call.request.query["part"] == "stack"
        ? text.stackLines(of: report)
        : text.lines(for: report, id: stored.id, group: stored.group, address: link(to: stored))
      return .text(lines.joined(separator: "\n") + "\n", headers: saved)
    }
  }

  /// The complete address of the report's page, for texts that leave the site.
  private func link(to stored: StoredReport) -> String {
    call.request.head.origin + "/reports/" + stored.id.inAddress
  }

  // MARK: The page

  private func page(_ stored: StoredReport, _ address: String) throws -> Response {
    let report = stored.report
    let part = ReportFragment(report: report, isDetailed: true)
    let facts = ReportFactsView(stored: stored, now: call.now)
    let sections = [
      Section(
        "stack", "Stack",
        "\(part.stacks())\(MissingStackMessage.message(for: report))\(fault(report))"),
      Section(
        "timeline", "Before the crash",
        "\(hidden(.log, of: stored))\(ReportTimeline(report, address, app: stored.app ?? report.app.name).list)"
      ),
      Section("about", "About this report", facts.groups),
      Section("tags", "Tags", facts.tags),
      Section(
        "properties", "Properties", "\(hidden(.properties, of: stored))\(facts.properties)"),
      Section(
        "attachments", "Attachments",
        "\(hidden(.submission, of: stored))\(try AttachmentsView(call, stored).list())"),
      Section("threads", threadsTitle(report), part.otherThreads()),
      Section("registers", "Registers", part.registers()),
      Section(
        "images", "Images",
        ReportImagesView(stored: stored, server: call.request.head.origin).list),
      Section("changes", "Reprocessed", try ReportChangesView(call, stored).list()),
      Section("notes", "Notes", part.noteList()),
    ].filter { !$0.content.markup.isEmpty }
    let contents = sections.dropFirst().map { section -> HTML in
      "<li><a href=\"#\(section.id)\">\(section.title)</a></li>"
    }
    let name = report.signature?.text ?? ""
    return call.page(
      "\(stored.id.prefix(8)) \(name.isEmpty ? report.headline : name)", in: .groups,
      """
      \(try head(stored, address))
      \(comment(report))
      <nav class="contents" aria-label="On this page"><ul>\(contents)</ul></nav>
      \(sections.map(\.markup))
      \(compareForm(address))
      """)
  }

  /// A part of the page with its heading.
  private struct Section {
    let id: String
    let title: String
    let content: HTML

    init(_ id: String, _ title: String, _ content: HTML) {
      self.id = id
      self.title = title
      self.content = content
    }

    var markup: HTML {
      // The stacks have headings of their own, right below the reason.
      let heading: HTML = id == "stack" ? .none : "<h2>\(title)</h2>\n"
      return """
        <section id="\(id)"\(id == "stack" ? " aria-label=\"Stack\"" : .none as HTML)>\(heading)\(content)</section>

        """
    }
  }

  /// The note in place of a part that the visitor's role does not see.
  private func hidden(_ part: ReportProtection.Part, of stored: StoredReport) -> HTML {
    stored.withheld.contains(part.rawValue)
      ? "<p class=\"quiet\">Hidden from your role.</p>" : .none
  }

  private func threadsTitle(_ report: CrashReport) -> String {
    report.crashedThread == nil ? "Threads" : "Other threads"
  }

  private func head(_ stored: StoredReport, _ address: String) throws -> HTML {
    let report = stored.report
    let group: HTML =
      stored.group.map { "<a href=\"/groups/\($0.inAddress)\">\($0)</a> · " } ?? .none
    let signature: HTML =
      report.signature.map { signature in
        let provisional: HTML =
          signature.isProvisional ? " <span class=\"tag\">symbols missing</span>" : .none
        return "<p class=\"signature mono\">\(HTML.name(signature.text))\(provisional)</p>"
      } ?? .none
    let time: HTML =
      report.time.map { "crashed \(PageText.time($0, now: call.now))" }
      ?? "received \(PageText.time(stored.received, now: call.now))"
    let original: HTML =
      stored.withheld.contains(ReportProtection.Part.submission.rawValue)
      ? .none
      : """
      <a href="\(address)/raw" download>Submission</a> <a href="\(address)/archive" download>Zip archive</a>
      """
    return """
      <div class="beside"><p class="quiet">\(group)report \(String(stored.id.prefix(8))) · \(time)<span class="printed"> · \(link(to: stored))</span></p>
      \(try neighbours(stored))</div>
      <h1 class="reason">\(HTML.name(report.headline))</h1>
      \(signature)
      <p class="links"><a href="\(address).txt" data-copy="text">Text</a> \
      <a href="\(address).md" data-copy="Markdown">Markdown</a> \
      <a href="\(address).txt?part=stack" data-copy="stack">Stack</a> <a href="\(address).json">JSON</a> \
      \(original) <a href="\(address)/explain">Why this title</a></p>
      """
  }

  /// Links to the previous and next report of its group.
  private func neighbours(_ stored: StoredReport) throws -> HTML {
    guard let group = stored.group else { return .none }
    let beside = try call.service.neighbours(ofReport: stored.id, inGroup: group)
    guard beside != ReportNeighbours() else { return .none }
    func link(_ id: String?, _ words: String, _ relation: String) -> HTML {
      guard let id else { return "<span class=\"side\">\(words)</span>" }
      return "<a rel=\"\(relation)\" href=\"/reports/\(id.inAddress)\">\(words)</a>"
    }
    return """
      <nav class="neighbours" aria-label="Reports of the group">\
      \(link(beside.older, "← Older", "prev")) \(link(beside.newer, "Newer →", "next"))</nav>
      """
  }

  /// The user's comment on the crash.
  private func comment(_ report: CrashReport) -> HTML {
    guard let text = report.tags[.comment], !text.isEmpty else { return .none }
    let (lines, _) = HTML.lines(String(text.prefix(HTML.longestText)), most: Self.mostLines)
    return "<blockquote class=\"message\">\(lines)</blockquote>"
  }

  /// The memory accesses of the faulting instruction, and addresses that a flipped bit may have changed.
  private func fault(_ report: CrashReport) -> HTML {
    guard let fault = report.reason.fault else { return .none }
    var rows: [HTML] = []
    func add(_ label: String, _ value: String) {
      rows.append("<dt>\(label)</dt><dd class=\"mono\">\(value)</dd>")
    }
    if let instruction = fault.instruction { add("Instruction", instruction) }
    for access in fault.accesses.prefix(8) {
      let size = access.size.map { " of \(GroupText.count($0, "byte", "bytes"))" } ?? ""
      add(
        access.kind.rawValue.prefix(1).uppercased() + access.kind.rawValue.dropFirst(),
        "\(access.address)\(size)" + (access.operand.map { " by \($0)" } ?? "")
          + (access.isGuardPage ? ", a guard page" : ""))
    }
    for flip in fault.bitFlips.prefix(8) {
      add(
        "Bit flip",
        "\(flip.address)" + (flip.register.map { " in \($0)" } ?? "")
          + ", confidence \(flip.confidence)")
    }
    return rows.isEmpty ? .none : "<h2 class=\"stacked\">Faulting instruction</h2><dl>\(rows)</dl>"
  }

  private func compareForm(_ address: String) -> HTML {
    """
    <section id="compare"><h2>Compare</h2>
    <form class="search" action="\(address)">
    <label class="grow"><span>Another report or group</span>
    <input name="against" placeholder="report id or TERN-12" autocomplete="off" required></label>
    <button>Compare</button></form></section>
    """
  }

  // MARK: Original data

  /// The submission's original bytes.
  func submission() throws -> Response {
    .bytes(
      try call.service.submission(ofReport: call.parameter("id")),
      type: "application/octet-stream",
      headers: DownloadHeaders.attachment(named: "report-\(call.parameter("id").prefix(8))"))
  }

  /// The whole report in one zip file.
  func archive() throws -> Response {
    .bytes(
      try call.service.archive(ofReport: call.parameter("id")), type: "application/zip",
      headers: DownloadHeaders.attachment(named: "report-\(call.parameter("id").prefix(8)).zip"))
  }
}
