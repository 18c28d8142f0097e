internal import Bytes
internal import CrashModel
internal import JSON

/// Splits a file into its text reports.
struct AppleReportSplitter {
  private let bytes: ByteView
  private var parser = AppleTextParser()
  private var finished: [CrashReport] = []
  private var isFull = false

  init(_ bytes: ByteView) { self.bytes = bytes }

  mutating func reports() -> [CrashReport] {
    let view = bytes
    var lines = AppleLines(view)
    var cutLines = 0
    while let range = lines.next() {
      guard !isFull else { break }
      if range.count > AppleLines.longest { cutLines += 1 }
      let whole = AppleLines.bytes(of: range, in: view.bytes)
      let line = whole.trimmed
      if line.byteCount > 1, line.byte(0) == UInt8(ascii: "{"), line.byte(1) == 0x22,
        let start = whole.byteOffsets(of: line)?.lowerBound,
        let end = takeJSON(at: range.lowerBound + start)
      {
        lines.move(to: end)
        continue
      }
      if beginsReport(line) { finishDraft() }
      // Text copied from a web page.
      if let text = AppleEntities.undone(whole) {
        unsafe take(text.span.bytes)
      } else {
        take(whole)
      }
    }
    if cutLines > 0 {
      parser.report.notes.append(
        "\(cutLines) \(cutLines == 1 ? "line was" : "lines were") cut at \(AppleLines.longest) bytes."
      )
    }
    finishDraft()
    if isFull {
      finished[finished.count - 1].notes.append(
        "Only the first \(AppleLimits.reports) reports of the file are read.")
    }
    return finished
  }

  private mutating func take(_ whole: RawSpan) { parser.take(whole, whole.trimmed) }

  private mutating func keep(_ report: CrashReport) {
    guard finished.count < AppleLimits.reports else {
      isFull = true
      return
    }
    finished.append(report.withScriptStack())
  }

  private mutating func finishDraft() {
    if parser.hasContent { keep(parser.finished()) }
    parser = AppleTextParser()
  }

  /// Whether a line is the head of another report than the one being read.
  private func beginsReport(_ line: RawSpan) -> Bool {
    guard parser.isPastHead, !parser.listsProcesses, line.byteCount > 8 else { return false }
    switch line.byte(0) {
    case UInt8(ascii: "I"): return line.has("Incident Identifier:")
    case UInt8(ascii: "P"):
      return line.has("Process:") && line.byte(line.byteCount - 1) == UInt8(ascii: "]")
    case UInt8(ascii: "T"): return line.has("Translated Report (Full Report Below)")
    default: return false
    }
  }

  /// Takes the JSON at `start`: a header before text, or the report itself after its translation.
  ///
  /// - Returns: Its end; `nil` if it is not one of Apple's.
  private mutating func takeJSON(at start: Int) -> Int? {
    // A header is one short line; a whole report appears only after `Full Report`.
    let window = bytes.clamped(start..<(start + AppleLimits.preamble))
    switch AppleIPSOpening(of: window) {
    case .header(let end, isBeforeText: true):
      if parser.hasContent { finishDraft() }
      var header = AppleIPSParser(format: .appleCrash)
      var reader = JSONReader(window.bytes, reading: "Apple report")
      try? header.readDocument(&reader)
      // A stackshot of iOS 7 lists every process.
      parser.isStackshot = header.bugType == "188"
      parser.header = header
      return start + end
    case .header(let end, isBeforeText: false):
      return takeFullReport(at: start, afterHeader: end)
    case .body, nil:
      return parser.isTranslation ? takeFullReport(at: start, afterHeader: nil) : nil
    }
  }

  private mutating func takeFullReport(at start: Int, afterHeader end: Int?) -> Int? {
    let rest = bytes.clamped(start..<bytes.count)
    if end == nil, AppleIPSOpening(of: rest) == nil { return nil }
    var full = AppleIPSParser(format: .appleCrash)
    let end = full.read(rest, from: start, hasHeader: end != nil)
    let report = full.finished()
    if parser.hasContent && (full.isIncomplete || report.threads.isEmpty) {
      parser.report.notes.append(
        "The full report after the text is incomplete; the text is shown.")
    } else {
      keep(report)
      parser = AppleTextParser()
    }
    return start + max(end, 1)
  }
}

/// The HTML entities in reports copied from a page.
enum AppleEntities {
  private static let entities: [(StaticString, UInt8)] = [
    ("&lt;", 0x3C), ("&gt;", 0x3E), ("&amp;", 0x26), ("&quot;", 0x22), ("&#39;", 0x27),
    ("&nbsp;", 0x20),
  ]

  /// The line with its entities decoded; `nil` when it has none.
  static func undone(_ line: RawSpan) -> [UInt8]? {
    guard var at = line.find(UInt8(ascii: "&")) else { return nil }
    var text: [UInt8] = []
    var copied = 0
    while true {
      var next = at + 1
      for (entity, byte) in entities where line.has(entity, at: at) {
        for index in copied..<at { text.append(line.byte(index)) }
        text.append(byte)
        next = at + entity.utf8CodeUnitCount
        copied = next
        break
      }
      guard let found = line.find(UInt8(ascii: "&"), from: next) else { break }
      at = found
    }
    guard copied > 0 else { return nil }
    for index in copied..<line.byteCount { text.append(line.byte(index)) }
    return text
  }
}
