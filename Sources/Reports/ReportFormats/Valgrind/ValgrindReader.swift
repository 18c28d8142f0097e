internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A finding of Valgrind's tools.
  static let valgrind = ReportFormat("valgrind")
}

extension Headline.Kind {
  /// `==42== Invalid read of size 8`, with a stack below.
  fileprivate static let valgrind = Headline.Kind("Valgrind error")
}

/// Errors that Valgrind's tools find (Memcheck, Helgrind, DRD), and crashes of the program under them:
///
///     ==42== Thread 2 worker:
///     ==42== Invalid read of size 8
///     ==42==    at 0x402B006: tern::Till::pay(int) (till.cc:171)
///     ==42==    by 0x4028F10: main (in /opt/tern/tern)
///     ==42==  Address 0x18 is not stack'd, malloc'd or (recently) free'd
///     ==42==
///     ==42== Process terminating with default action of signal 11 (SIGSEGV): dumping core
///     ==42==  Access not within mapped region at address 0x18
///     ==42==    at 0x402B006: tern::Till::pay(int) (till.cc:171)
///
/// A crash directly after an error belongs to it: both are one report. Addresses of callers are inside the
/// call.
///
/// Source: `coregrind/m_errormgr.c`, `m_signals.c`, `m_stacktrace.c` and `memcheck/mc_errors.c` of Valgrind.
enum ValgrindReader: LogReader {
  static let format = ReportFormat.valgrind
  static let fileExtension = "txt"
  static let headlines = [HeadlineRule(.valgrind, "==    at 0x", locate: heading)]

  /// The heading of the stack whose first frame has the mark.
  private static let heading: HeadlineRule.Locate = { text, mark, lines in
    guard let own = pidStart(text, endingAt: mark) else { return nil }
    let first = lines.start(of: mark, in: text)
    guard own - first <= FormatLimits.prefixBytes else { return nil }
    let pid = text.part(own..<(mark + 2))
    var end = first - 1
    for _ in 0..<6 {
      guard end > 0 else { return nil }
      let limit = max(0, end - FormatLimits.nameBytes)
      let start = text.between(limit, end).findLast(10).map { limit + $0 + 1 } ?? limit
      let line = text.between(start, end)
      let head = line.upTo(FormatLimits.prefixBytes + 32)
      guard let found = head.find("=="), let pidOffset = offset(of: pid, in: head, from: found)
      else {
        return nil
      }
      let words = line.from(pidOffset + pid.byteCount)
      guard words.trimmed.byteCount > 0, !words.has("    ") else { return nil }
      if words.has("  ") || words.has(" Locks held") {
        end = start - 1
        continue
      }
      // Lines that belong to the error before.
      if words.has(" This conflicts with ") || words.has(" Thread #") || words.has(" ---") {
        return nil
      }
      return Headline.Location(
        start: start + pidOffset, content: start + pidOffset + pid.byteCount + 1, lineEnd: end)
    }
    return nil
  }

  /// The start of the `==42` that ends at `mark`.
  private static func pidStart(_ text: RawSpan, endingAt mark: Int) -> Int? {
    var start = mark
    while start > 0, mark - start < 12, text.byte(start - 1).isDigit { start -= 1 }
    guard start < mark, text.has("==", at: start - 2) else { return nil }
    return start - 2
  }

  private static func offset(of text: RawSpan, in line: RawSpan, from start: Int) -> Int? {
    var index = start
    while index + text.byteCount <= line.byteCount {
      if line.matches(from: index, count: text.byteCount, in: text, from: 0) { return index }
      guard let next = line.find(UInt8(ascii: "="), from: index + 1) else { return nil }
      index = next
    }
    return nil
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    let pid = text.part(headline.start..<max(headline.start, headline.content - 1))
    var parser = ValgrindParser(text.between(headline.content, headline.line.upperBound).trimmed)
    let before = text.between(max(0, headline.line.lowerBound - 512), headline.line.lowerBound - 1)
    parser.readBefore(before.from((before.findLast(10) ?? -1) + 1))
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var others = 0
    while others < 16, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes)
      // The program's own output.
      guard line.matches(from: 0, count: pid.byteCount, in: pid, from: 0) else {
        others += 1
        continue
      }
      guard parser.take(line.from(pid.byteCount)) else { break }
      others = 0
      end = lines.position
    }
    guard parser.hasStack else { return nil }
    var number = 2
    parser.setProcess(pid.decimal(at: &number), commandIn: text)
    guard let report = parser.finished() else { return nil }
    return LoggedReport(report: report, end: end)
  }
}
