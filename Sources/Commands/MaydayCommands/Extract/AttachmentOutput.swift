import Bytes
import CommandSupport
import CrashModel
import CrashService
import Rendering
import ReportDocument
import Terminal

/// Prints or saves one attachment of a report.
struct AttachmentOutput {
  let console: Console

  /// - Parameters:
  ///   - path: Where to save it; the attachment's own name is never used as a path.
  ///   - isForced: Whether an existing file is replaced.
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
        "\(attachment.line) is nothing for a terminal: save it with -o FILE")
    }
    try console.write(lines: bytes.text.printableLines)
  }
}
