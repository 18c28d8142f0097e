internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The report of a C or C++ program about its own end.
  static let nativeLog = ReportFormat("native-log")
}

/// Reports that C and C++ programs, or their libraries, print when they die: failed checks, signals, and
/// stacks of glibc's `backtrace_symbols`, glog, abseil, folly, Boost, Chromium, V8, LLVM and others.
enum NativeLogReader: LogReader {
  static let format = ReportFormat.nativeLog
  static let fileExtension = "txt"

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    if headline.kind == .appleException { return AppleExceptionLog.report(of: section, in: text) }
    if headline.kind == .appKitException { return AppleExceptionLog.caught(of: section, in: text) }
    var parser = NativeLogParser()
    if headline.kind != .nativeMessage { readBefore(section, in: text, into: &parser) }
    var lines = TraceLines(of: section, in: text)
    guard let line = lines.next(in: text) else { return nil }
    parser.readHeadline(text.part(line).upTo(FormatLimits.nameBytes).trimmed, kind: headline.kind)
    var end = lines.position
    var others = 0
    var idle = 0
    var isOfAnother = false
    reading: while others <= parser.patience, let range = lines.next(in: text),
      range.lowerBound - end <= FormatLimits.preludeBytes
    {
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      // Headings and registers alone are not a report, and are not followed for long.
      idle += 1
      if !parser.hasFrames, idle > linesToStack { break }
      switch parser.take(line) {
      case .taken:
        others = 0
        if line.byteCount > 0 { end = lines.position }
      case .other: others += 1
      case .end:
        isOfAnother =
          line.has("*** *** ***") && range.lowerBound <= section.range.upperBound
        break reading
      }
    }
    // Android's own report has this text and the stack.
    if isOfAnother, parser.isMessage, !parser.hasFrames { return nil }
    // The browser names a process that has already reported itself.
    if parser.isOfChild, section.previous > 0 { return nil }
    guard let report = finished(parser, kind: headline.kind) else { return nil }
    let isMessage = parser.isMessage
    return LoggedReport(
      report: report, end: min(end, text.byteCount),
      isMessage: isMessage)
  }

  private static func finished(_ parser: NativeLogParser, kind: Headline.Kind) -> CrashReport? {
    let report = parser.finished()
    // A check that does not end the program is a report only with a stack.
    if report.kind == .handled, !parser.hasFrames { return nil }
    if kind == .nativeStack, !parser.hasFrames { return nil }
    return report
  }

  /// The most lines between the message and the stack.
  private static let linesToStack = 64

  /// The most lines before a stack that may hold its message.
  private static let linesBefore = 8

  private static func readBefore(
    _ section: ReportSection, in text: RawSpan, into parser: inout NativeLogParser
  ) {
    var end = section.headline.line.lowerBound
    let limit = max(section.previous, end - FormatLimits.preludeBytes)
    var starts: [Range<Int>] = []
    while starts.count < linesBefore, end > limit {
      let before = text.between(limit, end - 1)
      let start = before.findLast(10).map { limit + $0 + 1 } ?? limit
      starts.append(start..<(end - 1))
      end = start
    }
    for range in starts.reversed() {
      parser.takeBefore(text.part(range).upTo(FormatLimits.nameBytes).trimmed)
    }
  }
}
