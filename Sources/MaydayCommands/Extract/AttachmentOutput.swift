import Bytes
import CrashModel
import ReportDocument

/// Prints or saves one attachment of a report.
struct AttachmentOutput {
  let console: Console

  /// - Parameters:
  ///   - path: Where to save it; the attachment's own name is never taken for a path.
  ///   - isForced: Whether a file that is there is replaced.
  func run(
    _ name: String, of report: StoredReport, from service: any CrashService, to path: String?,
    isForced: Bool
  ) throws {
    let (attachment, bytes) = try service.attachment(name, of: report)
    if let path {
      return try path == "-"
        ? console.write(bytes.array) : OutputFile.write(bytes, toFree: path, isForced: isForced)
    }
    guard console.isOutputTerminal else { return try console.write(bytes.array) }
    guard attachment.isText else {
      throw CommandFailure(
        "\(Self.line(attachment)) is nothing for a terminal: save it with -o FILE")
    }
    try console.write(lines: bytes.text.printableLines)
  }

  /// - Throws: ``CommandFailure`` that lists those that there are.
  static func attachment(_ name: String, of stored: StoredReport) throws -> Attachment {
    let all = stored.report.attachments
    if let found = all.first(where: { $0.name == name }) { return found }
    let names = all.map { $0.name.printable }.joined(separator: ", ")
    throw CommandFailure(
      "\(name.printable): not an attachment of report \(stored.id.prefix(10)), "
        + (names.isEmpty ? "which has none" : "which has \(names)"), .notFound)
  }

  /// `log.txt (text/plain, 3.4 kB)`
  static func line(_ attachment: Attachment) -> String {
    "\(attachment.name.printable) (\(attachment.contentType), "
      + "\(DebugFileList.size(attachment.size)))"
  }
}
