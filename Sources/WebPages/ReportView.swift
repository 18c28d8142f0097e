internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ReportDocument
internal import ServerStore
internal import WebServer

/// One report: the reason, the thread that crashed, and everything else that it says.
struct ReportView {
  let call: PageCall

  /// Lines of source around a frame.
  private static let sourceLines = 5
  /// Columns of the text.
  private static let width = 110

  init(_ call: PageCall) { self.call = call }

  /// The page; at the address with `.txt`, `.md` or `.json` behind it, the same for other readers.
  func response() throws -> Response {
    let name = call.parameter("id")
    for end in [".txt", ".md", ".json"] where name.hasSuffix(end) {
      let stored = try call.service.report(
        String(name.dropLast(end.count)), sourceLines: Self.sourceLines)
      return text(of: stored, end)
    }
    let stored = try call.service.report(name, sourceLines: Self.sourceLines)
    guard stored.id == name else {
      return .empty(.seeOther, headers: ["Location": "/reports/" + stored.id.inAddress])
    }
    return page(stored)
  }

  private func text(of stored: StoredReport, _ end: String) -> Response {
    let report = stored.report
    let saved: Headers = [
      "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
    ]
    switch end {
    case ".json":
      var response = Response.document { stored.write(to: &$0) }
      for field in saved.fields { response.headers[field.name] = field.value }
      return response
    case ".md":
      return .text(
        ReportMarkdown.text(for: report, id: stored.id, group: stored.group), headers: saved)
    default:
      let lines = ReportText(width: Self.width).lines(
        for: report, id: stored.id, group: stored.group)
      return .text(lines.joined(separator: "\n") + "\n", headers: saved)
    }
  }

  private func page(_ stored: StoredReport) -> Response {
    let report = stored.report
    let part = ReportPart(report: report, isDetailed: true)
    let address = "/reports/" + stored.id.inAddress
    let group: HTML =
      stored.group.map { "<a href=\"/groups/\($0.inAddress)\">\($0)</a> · " } ?? .none
    let signature: HTML =
      report.signature.map { "<p class=\"signature mono\">\($0.text)</p>" } ?? .none
    return call.page(
      report.headline, in: .groups,
      """
      <p class="quiet">\(group)report \(String(stored.id.prefix(8))) · \
      \(PageText.time(report.time ?? stored.received, now: call.now))</p>
      <h1 class="reason">\(report.headline)</h1>
      \(signature)
      <p class="links"><a href="\(address).txt">Text</a> <a href="\(address).md">Markdown</a> \
      <a href="\(address).json">JSON</a> <a href="\(address)/raw" download>Submission</a> \
      <a href="\(address)/explain">Why this title</a></p>
      <section id="stack" aria-label="Stacks">\(part.stacks())</section>
      <section><h2>About this report</h2>\(part.facts(id: stored.id))</section>
      \(attachments(report, address))
      \(threads(report, part))
      \(part.registers())
      <section>\(part.images())</section>
      \(part.notes())
      """)
  }

  private func threads(_ report: CrashReport, _ part: ReportPart) -> HTML {
    guard report.threads.count > (report.crashedThread == nil ? 0 : 1) else { return .none }
    return "<section><h2>Other threads</h2>\(part.otherThreads())</section>"
  }

  private func attachments(_ report: CrashReport, _ address: String) -> HTML {
    guard !report.attachments.isEmpty else { return .none }
    let items = report.attachments.map { attachment -> HTML in
      """
      <li><a href="\(address)/attachments/\(attachment.name.inAddress)" download>\(attachment.name)</a></li>
      """
    }
    return "<section><h2>Attachments</h2><ul>\(items)</ul></section>"
  }

  // MARK: What came

  /// Whatever an app has sent, a browser must not run it.
  private static let saved: Headers = [
    "Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, no-cache",
  ]

  func submission() throws -> Response {
    .bytes(
      try call.service.submission(ofReport: call.parameter("id")),
      type: "application/octet-stream", headers: Self.saved)
  }

  func attachment() throws -> Response {
    let report = try call.service.report(call.parameter("id"), sourceLines: nil)
    let (_, bytes) = try call.service.attachment(call.parameter("name"), of: report)
    return .bytes(bytes, type: "application/octet-stream", headers: Self.saved)
  }
}
