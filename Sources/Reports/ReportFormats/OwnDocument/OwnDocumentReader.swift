internal import Bytes
internal import CrashModel
internal import JSON
internal import ReportDocument

extension ReportFormat {
  /// The document of a report that Mayday has read before.
  static let ownDocument = ReportFormat("report-document")
}

/// The document of a report, as `mayday symbolicate --json` writes it: one, several in sequence, or a list.
///
///     {"schema": 1, "id": "...", "format": "minidump", "kind": "crash", "threads": [...], "images": [...], ...}
///
/// The report has the format that it was read from. Its signature and the debug files used are determined again;
/// what debug files told that are not here is kept.
enum OwnDocumentReader: DocumentReader {
  static let format = ReportFormat.ownDocument
  static let fileExtension = "json"

  static func recognises(_ bytes: ByteView) -> Bool {
    var head = bytes.clamped(0..<4096)
    guard head.bytes.beginsObjects else { return false }
    if head.bytes.firstText == UInt8(ascii: "[") {
      guard let brace = head.bytes.find(UInt8(ascii: "{")) else { return false }
      head = head.clamped(brace..<head.count)
    }
    let keys = ObjectDocument.keys(of: head)
    // The document of a stored report is beside its submission in an archive, and would be read twice.
    return keys.contains("schema") && keys.contains("format") && keys.contains("id")
      && !keys.contains("received")
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let sequence = try JSONSequence(reading: bytes, limit: FormatLimits.reports)
    var reports: [CrashReport] = []
    for value in sequence.objects {
      reports.append(read(try StoredReport(value).report))
    }
    guard let last = reports.indices.last else {
      throw ParseError(.notRecognised, in: "JSON without the document of a report", at: 0)
    }
    if sequence.isCut {
      reports[last].notes.append("the document is cut off: its end is missing")
    }
    return reports
  }

  private static func read(_ stored: CrashReport) -> CrashReport {
    var report = stored
    report.signature = nil
    report.engine = nil
    // They are not part of the document.
    report.attachments = []
    report.threads = Array(report.threads.prefix(FormatLimits.stacks))
    report.images = Array(report.images.prefix(FormatLimits.images))
    // Those of files that are not here are kept: see ``ReportProcessor``.
    for index in report.images.indices where report.images[index].symbols?.verdict != .found {
      report.images[index].symbols = nil
    }
    if let crashed = report.crashedThread, !report.threads.indices.contains(crashed) {
      report.crashedThread = nil
    }
    let count = report.images.count
    for index in report.threads.indices { check(&report.threads[index].frames, count) }
    for index in report.otherStacks.indices { check(&report.otherStacks[index].frames, count) }
    if var exception = report.reason.exception {
      check(&exception, count)
      report.reason.exception = exception
    }
    return report
  }

  /// - Complexity: The recursion is as deep as the document's, which has a limit.
  private static func check(_ exception: inout LanguageException, _ images: Int) {
    check(&exception.frames, images)
    for index in exception.inner.indices { check(&exception.inner[index], images) }
  }

  /// Checks frames, which may name a missing image.
  private static func check(_ frames: inout [Frame], _ images: Int) {
    if frames.count > FormatLimits.framesPerStack {
      frames.removeLast(frames.count - FormatLimits.framesPerStack)
    }
    for index in frames.indices {
      if let image = frames[index].image, !(0..<images).contains(image) {
        frames[index].image = nil
        frames[index].imageOffset = nil
      }
    }
  }
}
