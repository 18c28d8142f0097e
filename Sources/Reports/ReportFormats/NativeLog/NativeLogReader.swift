internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// What programs in C and C++ print of their own death.
  static let nativeLog = ReportFormat("native-log")
}

/// What programs in C and C++ print when they die, by themselves or by a library that they link: failed
/// checks, signals, and stacks of glibc's `backtrace_symbols`, glog, abseil, folly, Boost, Chromium, V8, LLVM
/// and others.
enum NativeLogReader: LogReader {
  static let format = ReportFormat.nativeLog
  static let fileExtension = "txt"

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    if headline.kind == .appleException { return AppleExceptionLog.report(of: section, in: text) }
    if headline.kind == .appKitException { return AppleExceptionLog.caught(of: section, in: text) }
    var draft = NativeLogDraft()
    if headline.kind != .nativeMessage { readBefore(section, in: text, into: &draft) }
    var lines = TraceLines(of: section, in: text)
    guard let line = lines.next(in: text) else { return nil }
    draft.readHeadline(text.part(line).upTo(FormatLimits.nameBytes).trimmed, kind: headline.kind)
    var end = lines.position
    var others = 0
    var idle = 0
    var isOfAnother = false
    reading: while others <= draft.patience, let range = lines.next(in: text),
      range.lowerBound - end <= FormatLimits.preludeBytes
    {
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      // Headings and registers alone are not a report, and are not followed far.
      idle += 1
      if !draft.hasFrames, idle > linesToStack { break }
      switch draft.take(line) {
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
    // Android's own report has these words and the stack.
    if isOfAnother, draft.isMessage, !draft.hasFrames { return nil }
    // The browser names a process whose own report came before.
    if draft.isOfChild, section.previous > 0 { return nil }
    guard let report = finished(draft, kind: headline.kind) else { return nil }
    let isMessage = draft.isMessage
    return LoggedReport(
      report: report, end: min(end, text.byteCount),
      isMessage: isMessage)
  }

  private static func finished(_ draft: NativeLogDraft, kind: Headline.Kind) -> CrashReport? {
    let report = draft.finished()
    // A check that does not end the program is a report where a stack shows what was going on.
    if report.kind == .handled, !draft.hasFrames { return nil }
    if kind == .nativeStack, !draft.hasFrames { return nil }
    return report
  }

  /// How many lines may stand between what happened and the stack.
  private static let linesToStack = 64

  /// How many lines before a stack may say what happened.
  private static let linesBefore = 8

  private static func readBefore(
    _ section: ReportSection, in text: RawSpan, into draft: inout NativeLogDraft
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
      draft.takeBefore(text.part(range).upTo(FormatLimits.nameBytes).trimmed)
    }
  }
}
