internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// Output and log messages of PHP.
  static let php = ReportFormat("php")
}

extension Headline.Kind {
  /// `PHP Fatal error:  …` also without `PHP`.
  fileprivate static let phpError = Headline.Kind("PHP error")
  /// `PHP Warning:  …`: the program continues.
  fileprivate static let phpWarning = Headline.Kind("PHP warning")
}

/// Errors of PHP, which it writes to its log and prints, often both.
///
///     PHP Fatal error:  Uncaught KeyError: no price in /src/till.php:4
///     Stack trace:
///     #0 /src/till.php(9): Tern\Basket->total()       was called in this line
///     #1 [internal function]: Tern\{closure}()
///     #2 {main}
///
///     Next Tern\PaymentError: checkout failed in /src/till.php:11     the exception that came of it
///     Stack trace: …
///       thrown in /src/till.php on line 11
///     PHP Warning:  Undefined array key 1 in /src/till.php on line 3
///
/// A line of the stack names a function and its call site; a frame here is a function and the line in it.
///
/// Source: zend_exceptions.c and main.c of PHP.
enum PHPReader: LogReader {
  static let format = ReportFormat.php
  static let fileExtension = "txt"
  private static let warnings: [StaticString] = [
    "PHP Warning:  ", "PHP Notice:  ", "PHP Deprecated:  ", "PHP Recoverable fatal error:  ",
  ]
  static let headlines =
    [
      HeadlineRule(.phpError, "Fatal error:") { text, mark, lines in
        error(12, mark, &lines, in: text)
      },
      HeadlineRule(.phpError, "Parse error:") { text, mark, lines in
        error(12, mark, &lines, in: text)
      },
    ]
    + warnings.map { mark in
      let count = mark.utf8CodeUnitCount
      return HeadlineRule(.phpWarning, mark) { text, mark, _ in
        let end = text.find(10, from: mark) ?? text.byteCount
        guard end - mark < FormatLimits.nameBytes,
          PHPLocation(endOf: text.part(mark..<end).trimmed) != nil
        else { return nil }
        return Headline.Location(start: mark, content: mark + count)
      }
    }

  /// Other programs print this text too: PHP names an uncaught exception, or ends with its location.
  private static func error(
    _ count: Int, _ mark: Int, _ lines: inout LineStarts, in text: RawSpan
  ) -> Headline.Location? {
    let content = text.skippingBlanks(from: mark + count)
    let end = text.find(10, from: mark) ?? text.byteCount
    guard end - mark < FormatLimits.nameBytes else { return nil }
    let isPHP = text.has("PHP ", at: mark - 4)
    guard
      text.has("Uncaught ", at: content) && (isPHP || hasTrace(after: end, in: text))
        || PHPLocation(endOf: text.part(content..<max(content, end)).trimmed) != nil
    else { return nil }
    return Headline.Location(start: isPHP ? mark - 4 : mark, content: content)
  }

  private static func hasTrace(after end: Int, in text: RawSpan) -> Bool {
    var cursor = LineCursor(min(end + 1, text.byteCount)..<text.byteCount)
    for _ in 0..<16 {
      guard let range = cursor.next(in: text) else { return false }
      if text.part(range).contains("Stack trace:") || text.part(range).contains("  thrown in ") {
        return true
      }
    }
    return false
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    let words = text.part(headline.content..<headline.line.upperBound).trimmed
    var report = CrashReport(format: .php)
    let label = text.part(headline.start..<headline.content).trimmed
    let type = (label.has("PHP ") ? label.from(4) : label).name
    report.kind = headline.kind == .phpWarning ? .handled : .crash
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    if words.has("Uncaught ") {
      var trace = PHPTrace(words.from(9))
      read(&trace, &lines, &end, in: text)
      skipRepetition(words, lines, &end, in: text)
      let (exception, note) = trace.finished()
      report.reason.exception = exception
      report.reason.type = exception.type
      report.reason.message = exception.message?.cutMessage
      if let note { report.notes.append(note) }
    } else {
      guard let location = PHPLocation(endOf: words) else { return nil }
      let message = words.upTo(location.start).trimmed.name
      var exception = LanguageException(message: message.cut(FormatLimits.nameBytes))
      exception.type = type.hasSuffix(":") ? String(type.dropLast()) : type
      exception.frames = [location.frame]
      readCalls(&lines, &end, in: text, into: &exception)
      skipRepetition(words, lines, &end, in: text)
      if message.hasPrefix("Allowed memory size of ") || message.hasPrefix("Out of memory") {
        report.kind = .oom
      }
      report.reason.exception = exception
      report.reason.type = exception.type
      report.reason.message = message.cutMessage
    }
    return LoggedReport(report: report, end: end)
  }

  private static func read(
    _ trace: inout PHPTrace, _ lines: inout TraceLines, _ end: inout Int, in text: RawSpan
  ) {
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { return }
      let line = text.part(range).trimmed
      guard trace.read(line) else { return }
      lines = ahead
      if line.byteCount > 0 { end = lines.position }
    }
  }

  /// Skips the message of the log, which PHP prints again.
  private static func skipRepetition(
    _ words: RawSpan, _ lines: TraceLines, _ end: inout Int, in text: RawSpan
  ) {
    var lines = lines
    for _ in 0..<3 {
      guard let range = lines.next(in: text) else { return }
      let line = text.part(range).trimmed
      guard line.byteCount > 0 else { continue }
      guard let start = line.find("rror:"), start < 32,
        line.from(start + 5).trimmed.matches(
          from: 0, count: words.byteCount, in: words, from: 0)
      else { return }
      if words.has("Uncaught ") {
        var trace = PHPTrace(words.from(9))
        read(&trace, &lines, &end, in: text)
      } else {
        end = lines.position
      }
      return
    }
  }

  /// Xdebug's `PHP   2. Tern\Basket->total() /src/till.php:9`, the oldest first.
  private static func readCalls(
    _ lines: inout TraceLines, _ end: inout Int, in text: RawSpan,
    into exception: inout LanguageException
  ) {
    var calls: [Frame] = []
    while calls.count < FormatLimits.framesPerStack {
      var ahead = lines
      guard let range = ahead.next(in: text) else { break }
      var line = text.part(range).trimmed
      if line.has("PHP ") { line = line.from(4).trimmed }
      if !line.has("Stack trace:") {
        var index = 0
        guard line.decimal(at: &index) != nil, line.has(". ", at: index),
          let blank = line.findLast(32),
          blank > index
        else { break }
        let location = SourceLocation(line.from(blank + 1))
        var frame = Frame(position: .returnAddress)
        let name = line.part((index + 2)..<blank).trimmed
        frame.function = name.upTo(name.find("(") ?? name.byteCount).name
        frame.file = location.file
        frame.line = location.line
        calls.append(frame)
      }
      lines = ahead
      end = lines.position
    }
    guard !calls.isEmpty else { return }
    let top = exception.frames.first
    exception.frames = PHPTrace.shifted(calls.reversed(), top: top)
  }
}
