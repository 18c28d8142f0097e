internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A crash in the output of a Windows debugger, live or from a dump.
  static let windowsDebugger = ReportFormat("windows-debugger")
}

extension Headline.Kind {
  /// `(14a8.c04): Access violation - code c0000005 (!!! second chance !!!)`.
  static let windowsEvent = Headline.Kind("Windows debugger's event")
  /// `EXCEPTION_RECORD:  ffffffffffffffff -- (.exr 0xffffffffffffffff)`.
  static let windowsAnalysis = Headline.Kind("Windows debugger's analysis")
  /// `STACK_TEXT:`.
  static let windowsStack = Headline.Kind("Windows debugger's stack")
}

/// Crashes in the output of cdb, WinDbg, ntsd and kd: the event, the output of `!analyze -v`, stacks of the
/// commands `k`, `kb`, `kn`, `kp`, `kv` and `~*k`, registers, modules.
///
///     (14a8.c04): Access violation - code c0000005 (!!! second chance !!!)
///     EXCEPTION_RECORD:  ffffffffffffffff -- (.exr 0xffffffffffffffff)
///     ExceptionAddress: 0000000000fd13de (tern!price+0x000000000000001e)
///        ExceptionCode: c0000005 (Access violation)
///        Parameter[0]: 0000000000000000
///     FAULTING_THREAD:  0000000000000c04
///     PROCESS_NAME:  tern.exe
///     STACK_TEXT:
///     002df7e4 00fd1423 00fd1078 00fd1078 7f956000 tern!price+0x1e
///     FAILURE_BUCKET_ID:  NULL_POINTER_READ_c0000005_tern.exe!price
///
///     ChildEBP RetAddr
///     002df7e4 00fd1423 tern!price+0x1e [c:\tern\desk.cpp @ 8]
///
/// Source: "Debugging Tools for Windows", `!analyze`, `k`, `lm`, `r`; logs of version 6 to 10.
enum CDBReader: LogReader {
  static let format = ReportFormat.windowsDebugger
  static let fileExtension = "txt"

  static let headlines = [
    HeadlineRule(.windowsEvent, "): ") { text, mark, lines in event(text, mark, &lines) },
    HeadlineRule(.windowsAnalysis, "EXCEPTION_RECORD:") { text, mark, lines in
      guard isFirst(text, mark, &lines), !followsEvent(text, mark) else { return nil }
      return Headline.Location(start: mark, content: mark)
    },
    HeadlineRule(.windowsStack, "STACK_TEXT:", role: .continues) { text, mark, lines in
      guard isFirst(text, mark, &lines) else { return nil }
      return Headline.Location(start: mark, content: mark)
    },
  ]

  private static func isFirst(_ text: RawSpan, _ mark: Int, _ lines: inout LineStarts) -> Bool {
    let before = text.byteOrZero(mark - 1)
    return mark == 0 || before == 10 || before.isBlank
  }

  /// `(PID.TID): NAME - code CODE (WHEN)`, at which the debugger stopped.
  private static func event(
    _ text: RawSpan, _ mark: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 256)
    let rest = text.between(mark, end)
    guard let code = rest.find(" - code "), rest.contains(" chance") else { return nil }
    var digits = code + 8
    guard rest.hexadecimalDigits(at: &digits) != nil, rest.byteOrZero(digits) == 32,
      let open = text.between(max(0, mark - 24), mark).findLast(UInt8(ascii: "("))
    else { return nil }
    let start = max(0, mark - 24) + open
    guard WindowsThreadNumbers(text.between(start + 1, mark)) != nil else { return nil }
    // Exceptions that a program handles are printed without a stop.
    let stops =
      rest.contains("second chance")
      || text.between(end, end + 128).trimmedStart.has("First chance exceptions are reported")
    return stops ? Headline.Location(start: start, content: start) : nil
  }

  /// Whether the exception at `mark` belongs to an event before it.
  private static func followsEvent(_ text: RawSpan, _ mark: Int) -> Bool {
    let before = text.between(max(0, mark - FormatLimits.preludeBytes), mark)
    guard let event = before.findLast(" chance") else { return false }
    let since = before.from(event)
    return !since.contains("EXCEPTION_RECORD:") && !since.contains("quit:")
  }

  /// The line with which a debugger starts.
  private static let sessionStart: StaticString = "Microsoft (R) Windows Debugger"

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var parser = WindowsDebuggerParser()
    section.forEachLineBefore(in: text) { line in
      if line.has(sessionStart) { parser = WindowsDebuggerParser() }
      parser.takeBefore(line)
    }
    let headline = section.headline
    parser.take(text.between(headline.content, headline.line.upperBound).trimmed)
    section.forEachLine(in: text) { line in
      if line.has(sessionStart) { return false }
      parser.take(line)
      return true
    }
    return parser.finished().map { LoggedReport(report: $0) }
  }
}

/// `14a8.c04`: the numbers of a process and a thread, in hexadecimal.
struct WindowsThreadNumbers {
  let process: UInt64
  let thread: UInt64

  init?(_ text: RawSpan) {
    var index = 0
    guard let process = text.hexadecimalDigits(at: &index),
      text.byteOrZero(index) == UInt8(ascii: ".")
    else { return nil }
    index += 1
    guard let thread = text.hexadecimalDigits(at: &index), index == text.byteCount else {
      return nil
    }
    (self.process, self.thread) = (process, thread)
  }
}

extension RawSpan {
  /// The text without leading line ends and blanks.
  fileprivate var trimmedStart: RawSpan {
    @_lifetime(copy self)
    get {
      var start = 0
      while byteOrZero(start) == 10 || byteOrZero(start) == 13 || byteOrZero(start).isBlank {
        start += 1
      }
      return from(start)
    }
  }
}
