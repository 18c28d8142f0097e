internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The end of a program as Go's runtime prints it, or a finding of its race detector.
  static let goPanic = ReportFormat("go-panic")
}

extension Headline.Kind {
  /// `panic: …`.
  static let goPanic = Headline.Kind("Go panic")
  /// `fatal error: …`.
  static let goFatalError = Headline.Kind("Go fatal error")
  /// `SIGQUIT: quit`.
  static let goSignal = Headline.Kind("Go signal")
  /// `http: panic serving …`.
  static let goServer = Headline.Kind("Go server panic")
  /// `WARNING: DATA RACE`.
  static let goRace = Headline.Kind("Go race")
  /// `goroutine 7 [running]:` without any of these before it.
  static let goStack = Headline.Kind("Go stack")
  /// `runtime: goroutine stack exceeds 1000000000-byte limit`.
  static let goOverflow = Headline.Kind("Go stack overflow")
}

/// The output of Go's runtime when a program dies:
///
///     panic: VALUE [recovered]
///     	panic: VALUE                          a panic while another one was handled
///     [signal SIGSEGV: segmentation violation code=0x1 addr=0x20 pc=0x483024]
///
///     goroutine 7 [running, locked to thread]:
///     main.(*Cart).total(0x0?, {0x1, 0x2})
///     	/app/cart.go:16 +0x39 fp=0x… sp=0x… pc=0x…
///     created by main.main in goroutine 1
///     	/app/main.go:74 +0x805
///
/// The same follows `fatal error: TEXT`, after a signal (`SIGQUIT: quit` and `PC=0x45f4c0 m=0 sigcode=0`),
/// after `http: panic serving ADDRESS: VALUE`, and alone, as `debug.PrintStack` prints it. The first
/// goroutine is the one that crashed. The race detector's blocks are read by ``GoRaceParser``.
///
/// Source: `runtime/panic.go`, `runtime/traceback.go` and `runtime/signal_unix.go` of Go.
enum GoPanicReader: LogReader {
  static let format = ReportFormat.goPanic
  static let fileExtension = "txt"

  static let headlines =
    [
      HeadlineRule(.goServer, "http: panic serving ", role: .lastWords) { text, mark, _ in
        Headline.Location(start: mark, content: mark + 20)
      },
      HeadlineRule(.goPanic, "panic: ", role: .lastWords) { text, mark, _ in
        guard isFirst(text, mark), !continuesPanic(text, mark) else { return nil }
        return Headline.Location(start: mark, content: mark + 7)
      },
      HeadlineRule(.goFatalError, "fatal error: ", role: .lastWords) { text, mark, _ in
        guard isFirst(text, mark) else { return nil }
        return Headline.Location(start: mark, content: mark + 13)
      },
      HeadlineRule(.goOverflow, "runtime: goroutine stack exceeds ", role: .precedes),
      HeadlineRule(.goRace, "WARNING: DATA RACE"),
      HeadlineRule(.goStack, "[running]:", role: .lastWords) { text, mark, _ in
        guard let start = goroutine(text, before: mark), !continuesStacks(text, start)
        else { return nil }
        return Headline.Location(start: start, content: start)
      },
    ]
    + signals.map { words in
      HeadlineRule(.goSignal, words, role: .lastWords) { text, mark, _ in
        guard isFirst(text, mark), let end = text.find(10, from: mark),
          text.between(end, end + FormatLimits.prefixBytes).contains("PC=0x")
        else { return nil }
        return Headline.Location(start: mark, content: mark)
      }
    }

  /// Source: `sigtable` of the systems in Go's `runtime`.
  private static let signals: [StaticString] = [
    "SIGQUIT: quit", "SIGABRT: abort", "SIGSEGV: segmentation violation", "SIGBUS: bus error",
    "SIGFPE: floating-point exception", "SIGILL: illegal instruction", "SIGTRAP: trace trap",
    "SIGSYS: bad system call", "SIGSTKFLT: stack fault", "SIGEMT: emulate instruction executed",
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    if section.headline.kind == .goRace {
      var race = GoRaceParser()
      section.forEachLine(in: text) { race.take($0) }
      return race.finished().map { LoggedReport(report: $0) }
    }
    var parser = GoPanicParser(section.headline.kind)
    let content = section.headline.content..<section.headline.line.upperBound
    parser.begin(with: text.part(content).trimmed)
    if let overflow = section.prelude.last(where: { $0.kind == .goOverflow }) {
      parser.addWords(text.between(overflow.start, overflow.line.upperBound).from(9).trimmed)
    }
    section.forEachLine(in: text) { parser.take($0) }
    return parser.finished().map { LoggedReport(report: $0) }
  }

  // MARK: Where the runtime's words stand

  /// Whether no text precedes them: `Kernel panic: `, `x.c:1:2: fatal error: ` are others'.
  private static func isFirst(_ text: RawSpan, _ mark: Int) -> Bool {
    // `thread 4711 panic: ` is Zig's.
    if text.byteOrZero(mark - 2).isDigit, text.between(max(0, mark - 32), mark).contains("thread ")
    {
      return false
    }
    // HotSpot's logs have such text in separate lines.
    var start = mark
    while start > 0, text.byte(start - 1).isBlank { start -= 1 }
    if text.byteOrZero(start - 1) == UInt8(ascii: "#") { return false }
    let before = text.byteOrZero(mark - 1)
    guard before.isBlank else { return !before.isLetter && !before.isDigit }
    // A compiler's location, or a sentence. A fuzz test's panic value follows `testing.go:1485: `.
    if text.between(mark - 20, mark).contains("testing.go:") { return true }
    let word = text.byteOrZero(mark - 2)
    if word.isLetter { return isPrefixed(text, mark) }
    return !(word == UInt8(ascii: ":") && text.byteOrZero(mark - 3).isDigit)
  }

  /// Whether the text before the message also precedes the stack, such as `stderr F ` in the logs of
  /// containers.
  private static func isPrefixed(_ text: RawSpan, _ mark: Int) -> Bool {
    let from = max(0, mark - 8)
    let line = text.between(from, mark).findLast(10).map { from + $0 + 1 } ?? from
    let words = text.between(line, mark)
    var rest = text.between(mark, mark + stackBytes)
    while let found = rest.find("goroutine ") {
      if isSame(rest.upTo(found), endsWith: words) { return true }
      rest = rest.from(found + 10)
    }
    return false
  }

  private static func isSame(_ text: RawSpan, endsWith words: RawSpan) -> Bool {
    let start = text.byteCount - words.byteCount
    guard start >= 0 else { return false }
    for index in 0..<words.byteCount where text.byte(start + index) != words.byte(index) {
      return false
    }
    return true
  }

  /// Bytes after a panic's first line in which its first goroutine begins, if other text precedes both.
  private static let stackBytes = 1024

  /// Whether the line is one of the further panics, which the runtime indents.
  private static func continuesPanic(_ text: RawSpan, _ mark: Int) -> Bool {
    guard text.byteOrZero(mark - 1) == 9 else { return false }
    var start = mark
    while start > 0, text.byte(start - 1) != 10, mark - start < FormatLimits.prefixBytes {
      start -= 1
    }
    guard start > 0, text.byte(start - 1) == 10 else { return false }
    let before = text.between(max(0, start - 1 - 1024), (start - 1))
    let line = before.from((before.findLast(10) ?? -1) + 1)
    return line.contains("panic: ") || line.ends(with: "[recovered]")
  }

  /// The start of `goroutine 7 ` that ends at `end`.
  private static func goroutine(_ text: RawSpan, before end: Int) -> Int? {
    guard text.byteOrZero(end - 1) == 32 else { return nil }
    var start = end - 1
    while start > 0, text.byte(start - 1).isDigit, end - start < 24 { start -= 1 }
    return start < end - 1 && text.has("goroutine ", at: start - 10) ? start - 10 : nil
  }

  /// Whether a goroutine's heading at `start` belongs to the text before it: to a panic's message, or to its
  /// goroutines.
  private static func continuesStacks(_ text: RawSpan, _ start: Int) -> Bool {
    let before = text.between(max(0, start - 4096), start)
    var end = before.byteCount
    var isNearest = true
    while end > 0 {
      let lineEnd = before.findLast(10, before: end) ?? 0
      let line = before.between(lineEnd, end).trimmed
      if line.byteCount > 1 {
        if isNearest, line.contains(".go:") || line.contains(" +0x") { return true }
        isNearest = false
        // Another stack ends the text before it.
        if line.contains("goroutine "), line.ends(with: "]:") { return false }
        for words in wordsBefore where line.contains(words) { return true }
      }
      end = lineEnd
    }
    return false
  }

  private static let wordsBefore: [StaticString] = [
    "panic: ", "fatal error: ", "[signal ", "http: panic serving ", "PC=0x", "runtime stack:",
  ]
}
