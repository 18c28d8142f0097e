internal import Bytes
internal import CrashModel
internal import JSON

/// Apple's text reports of crashes, hangs, samples and used-up resources, and output of SDKs in the same
/// form; file names `.crash`, `.ips`, `.synced`, `.txt`.
enum AppleCrashReader: DocumentReader {
  static let format = ReportFormat.appleCrash
  static let fileExtension = "crash"
  static let openings: [StaticString] = [
    "Translated Report (Full Report Below)", "Incident Identifier:", "Process:  ", "Process:\t",
  ]

  static func recognises(_ bytes: ByteView) -> Bool {
    switch AppleIPSOpening(of: bytes.clamped(0..<AppleLimits.preamble)) {
    case .header(_, let isBeforeText): return isBeforeText
    case .body: return false
    case nil: break
    }
    var marks = Marks()
    let start = bytes.clamped(0..<AppleLimits.preamble)
    var lines = AppleLines(start)
    while let line = lines.next() {
      marks.note(AppleLines.bytes(of: line, in: start.bytes).trimmed)
      if marks.isReport { return true }
    }
    return false
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var splitter = AppleReportSplitter(bytes)
    let reports = splitter.reports()
    guard !reports.isEmpty else {
      throw ParseError(.notRecognised, in: "Apple text report", at: 0)
    }
    return reports
  }

  /// The distinctive lines that have been seen.
  private struct Marks {
    private var hasIdentity = false
    private var hasProcess = false
    private var hasException = false
    private var hasThread = false
    private var hasDate = false
    private var hasEvent = false
    private var isCertain = false
    private var isBelowThread = false

    var isReport: Bool {
      isCertain || hasException && (hasIdentity || hasProcess || hasThread)
        || hasIdentity && hasThread || hasDate && hasEvent && hasProcess
    }

    mutating func note(_ line: RawSpan) {
      guard line.byteCount > 0 else { return }
      if isBelowThread, Self.isFirstFrame(line) { isCertain = true }
      isBelowThread = false
      switch line.byte(0) {
      case UInt8(ascii: "T"):
        if line.has("Translated Report (Full Report Below)") { isCertain = true }
        if line.has("Thread "), line.byteCount > 7, line.byte(7).isDigit,
          line.byte(line.byteCount - 1) == UInt8(ascii: ":")
            || line.findLast(" Crashed:") != nil
        {
          hasThread = true
          isBelowThread = true
        }
      case UInt8(ascii: "p"):
        if line.has("panic(cpu ") { isCertain = true }
      case UInt8(ascii: "S"):
        if line.has("Sleep Wake failure") || line.has("Steps:") { hasEvent = true }
      case UInt8(ascii: "l"):
        if line.has("leaks Report Version:") { isCertain = hasProcess }
      default: break
      }
      guard let (key, start) = AppleTextParser.headerParts(line) else { return }
      switch key {
      // In quotes it is a member of YAML: a test's expectation of a report.
      case .process where line.from(start).trimmed.has("\""): break
      case .incident: hasIdentity = true
      case .process, .command: hasProcess = true
      case .exceptionType, .exceptionCode: hasException = true
      case .dateTime: hasDate = true
      case .event, .analysisTool: hasEvent = true
      default: break
      }
    }

    /// Whether a line can only be the first frame of a thread in such a report: `0  IMAGE  0xADDRESS SYMBOL +
    /// OFFSET`. Users paste threads without the head.
    private static func isFirstFrame(_ line: RawSpan) -> Bool {
      guard let frame = AppleFrameLine(line), frame.index == 0, frame.address != nil,
        frame.symbolOffset != nil || frame.imageOffset != nil
      else { return false }
      let image = line.part(frame.image)
      return image.byteCount > 0 && !image.has("[")
    }
  }
}
