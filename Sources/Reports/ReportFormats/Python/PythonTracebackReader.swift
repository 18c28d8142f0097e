internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// An uncaught Python exception, or the output of `faulthandler`.
  static let pythonTraceback = ReportFormat("python-traceback")
}

extension Headline.Kind {
  /// `Traceback (most recent call last):`, also of an exception group.
  static let pythonTraceback = Headline.Kind("Python traceback")
  /// `Fatal Python error: …`.
  static let pythonFault = Headline.Kind("Python fatal error")
  /// `Thread 0x… (most recent call first):` without such a line before it.
  static let pythonDump = Headline.Kind("Python threads")
  /// `SyntaxError: …` of the program itself.
  static let pythonSyntax = Headline.Kind("Python syntax error")
  /// `===BUG DETECTED: PySecSan: …`.
  static let pythonFinding = Headline.Kind("PySecSan finding")
}

/// A Python exception as it is printed, the oldest call first:
///
///     Exception in thread till-3:
///     Traceback (most recent call last):
///       File "/app/tern.py", line 12, in charge
///         return line(7)
///                ~~~~^^^
///       [Previous line repeated 974 more times]
///     IndexError: list index out of range
///     NOTE
///
///     During handling of the above exception, another exception occurred:
///
///     Traceback (most recent call last):
///       …
///
/// The uncaught exception is the last; those before it are its causes. See ``PythonParser`` for groups of
/// exceptions, ``PythonFaultParser`` for the output of `faulthandler`.
///
/// Source: `Lib/traceback.py`, `Python/traceback.c` and `Modules/faulthandler.c` of CPython.
enum PythonTracebackReader: LogReader {
  static let format = ReportFormat.pythonTraceback
  static let fileExtension = "txt"

  static let headlines =
    [
      HeadlineRule(.pythonTraceback, "Traceback (most recent call last):", role: .lastWords) {
        text, mark, lines in traceback(text, mark, &lines)
      },
      HeadlineRule(.pythonFault, "Fatal Python error: ", role: .lastWords) { _, mark, _ in
        Headline.Location(start: mark, content: mark + 20)
      },
      HeadlineRule(.pythonFault, "Windows fatal exception: ", role: .lastWords) { _, mark, _ in
        Headline.Location(start: mark, content: mark + 25)
      },
      HeadlineRule(.pythonDump, "(most recent call first):") { text, mark, lines in
        dump(text, mark, &lines)
      },
      HeadlineRule(.pythonFinding, "===BUG DETECTED: PySecSan: "),
    ]
    + PythonBoxes.rules
    + syntaxErrors.map { mark in
      HeadlineRule(.pythonSyntax, mark, role: .lastWords) { text, mark, _ in
        PythonSyntax.isAlone(text, at: mark) ? Headline.Location(start: mark, content: mark) : nil
      }
    }

  private static let syntaxErrors: [StaticString] = [
    "SyntaxError: ", "IndentationError: ", "TabError: ",
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    let content = text.between(headline.content, headline.line.upperBound).trimmed
    switch headline.kind {
    case .pythonFault, .pythonDump:
      var parser = PythonFaultParser()
      if headline.kind == .pythonFault {
        parser.readError(content, windows: text.has("Windows", at: headline.start))
      } else {
        parser.readLineBefore(
          text.between(max(0, headline.line.lowerBound - 256), headline.line.lowerBound))
        _ = parser.take(content)
      }
      section.forEachLine(in: text) { parser.take($0) }
      return parser.finished().map { LoggedReport(report: $0) }
    case .richTraceback, .notebookTraceback:
      return PythonBoxes.report(of: section, in: text)
    case .pythonSyntax:
      return LoggedReport(report: PythonSyntax.report(of: section, in: text))
    default:
      var parser = PythonParser()
      let before = text.between(max(0, headline.line.lowerBound - 1024), headline.line.lowerBound)
      parser.readLineBefore(before)
      parser.readEarly(earlyLines(before))
      if headline.kind == .pythonFinding {
        parser.beginFinding(content)
      } else {
        _ = parser.take(
          text.between(headline.start, headline.line.upperBound).trimmed, indentation: 0)
      }
      section.forEachIndentedLine(in: text) { parser.take($0, indentation: $1) }
      return parser.finished().map { LoggedReport(report: $0) }
    }
  }

  /// The lines between Atheris' heading and the stack.
  private static func earlyLines(_ before: RawSpan) -> [String] {
    guard let heading = before.findLast("Uncaught Python exception: ==="),
      let end = before.find(10, from: heading)
    else { return [] }
    let lines = before.from(end + 1).text.split(whereSeparator: \.isNewline).prefix(16)
    return lines.map(String.init)
  }

  // MARK: Where reports begin

  private static func traceback(
    _ text: RawSpan, _ mark: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let line = max(lines.start(of: mark, in: text), mark - FormatLimits.prefixBytes * 4)
    // `    | Traceback …` of a member of a group.
    if text.has("| ", at: mark - 2) || text.has("| Exception Group ", at: mark - 18),
      isInGroup(text, line)
    {
      return nil
    }
    let near = text.between(max(0, line - 1024), line)
    if mark > line, PythonParser.wrapper(text.between(line, mark + 34).trimmed) != nil {
      // The exception of a traceback, or a message alone.
      return near.contains("File \"") ? nil : Headline.Location(start: line, content: line)
    }
    var end = near.byteCount
    for _ in 0..<4 where end > 0 {
      let start = near.findLast(10, before: end - 1) ?? 0
      if PythonParser.connects(near.between(start, end)) { return nil }
      end = start
    }
    // `  + Exception Group Traceback (most recent call last):`
    if text.has("+ Exception Group ", at: mark - 18) {
      return Headline.Location(start: mark - 18, content: mark)
    }
    return Headline.Location(start: mark, content: mark)
  }

  /// Whether the line at `start` follows one of a group: a bar also ends the prefixes of loggers.
  private static func isInGroup(_ text: RawSpan, _ start: Int) -> Bool {
    text.between(max(0, start - 512), start).contains("+------------")
  }

  private static func dump(
    _ text: RawSpan, _ mark: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let line = max(lines.start(of: mark, in: text), mark - FormatLimits.prefixBytes * 4)
    let near = text.between(line, mark)
    guard let start = near.find("Current thread 0x") ?? near.find("Thread 0x") else { return nil }
    // The other threads of a dump, and those after its error.
    let before = text.between(max(0, line - 8192), line)
    let isInside =
      before.contains("(most recent call first):") || before.contains("Fatal Python error: ")
      || before.contains("Windows fatal exception: ")
    return isInside ? nil : Headline.Location(start: line + start, content: line + start)
  }
}
