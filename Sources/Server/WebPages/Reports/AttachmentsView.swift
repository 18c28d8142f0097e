internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ReportDocument
internal import ServerCore

/// The attachments of a report: pictures, texts and JSON are shown, others can be downloaded.
struct AttachmentsView {
  let call: PageCall
  let stored: StoredReport

  /// The size in bytes above which a file is not read for the page.
  private static let largest = 8 << 20
  /// The maximum number of bytes that are read for one page.
  private static let most = 24 << 20
  private static let longestName = 200

  init(_ call: PageCall, _ stored: StoredReport) {
    self.call = call
    self.stored = stored
  }

  /// The list; empty if there are no attachments.
  func list() throws -> HTML {
    var left = Self.most
    var items: [HTML] = []
    for attachment in stored.report.attachments {
      let isRead = attachment.size <= min(Self.largest, left)
      if isRead { left -= attachment.size }
      items.append(try item(attachment, isRead: isRead))
    }
    return HTML(items)
  }

  private func address(of attachment: Attachment) -> String? {
    // Browsers resolve the first two as path segments, however they are encoded; the server refuses the last.
    guard ![".", ".."].contains(attachment.name), !attachment.name.utf8.contains(0) else {
      return nil
    }
    return "/reports/\(stored.id.inAddress)/attachments/\(attachment.name.inAddress)"
  }

  private func item(_ attachment: Attachment, isRead: Bool) throws -> HTML {
    let name = HTML.name(String(attachment.name.prefix(Self.longestName)))
    let facts = "\(attachment.contentType), \(DebugFileList.size(attachment.size))"
    guard let address = address(of: attachment) else {
      return
        "<h3>\(name) <span class=\"quiet\">\(facts)</span></h3><p class=\"quiet\">Download it with “Zip archive” above.</p>"
    }
    guard isRead else {
      return """
        <h3><a href="\(address)">\(name)</a> <span class="quiet">\(facts), too large to show</span></h3>

        """
    }
    let content: AttachmentContent
    do {
      content = AttachmentContent(try call.service.attachment(attachment.name, of: stored).1)
    } catch StoreError.damagedBlob(_, let reason) {
      return "<h3>\(name) <span class=\"quiet\">\(facts), damaged: \(reason)</span></h3>\n"
    }
    let link: HTML =
      content.isInline
      ? "<a href=\"\(address)\">\(name)</a>" : "<a href=\"\(address)\" download>\(name)</a>"
    return """
      <h3>\(link) <span class="quiet">\(facts)</span></h3>
      \(shown(content, attachment, address))

      """
  }

  private func shown(_ content: AttachmentContent, _ attachment: Attachment, _ address: String)
    -> HTML
  {
    switch content.kind {
    case .picture(let size):
      return """
        <p><a href="\(address)"><img class="picture" src="\(address)" width="\(size.width)" height="\(size.height)" \
        alt="Attached picture \(String(attachment.name.prefix(Self.longestName)))" loading="lazy"></a></p>
        """
    case .text, .json:
      let start =
        "The first \(DebugFileList.size(AttachmentContent.shownBytes)) of \(DebugFileList.size(content.bytes.count)):"
      let cut: HTML = content.isCut ? "<p class=\"quiet\">\(start)</p>" : .none
      return """
        \(cut)<pre class="message attached" tabindex="0" role="region" aria-label="Content">\(HTML.lines(content.text).shown)</pre>
        """
    case .other(let reason):
      return reason.map { "<p class=\"quiet\">Not shown: \($0).</p>" } ?? .none
    }
  }

  // MARK: One of them

  /// The bytes of an attachment. Browsers display safe ones, sandboxed, and download all others.
  static func response(_ call: PageCall) throws -> Response {
    let report = try call.service.report(call.parameter("id"), sourceLines: nil)
    let (attachment, bytes) = try call.service.attachment(call.parameter("name"), of: report)
    let content = AttachmentContent(bytes)
    return .bytes(
      bytes, type: content.type,
      headers: content.isInline
        ? DownloadHeaders.inline(named: attachment.name)
        : DownloadHeaders.attachment(named: attachment.name))
  }
}
