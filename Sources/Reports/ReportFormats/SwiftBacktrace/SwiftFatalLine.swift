internal import Bytes
internal import CrashModel

extension Headline.Kind {
  /// `Tern/Basket.swift:41: Fatal error: TEXT` without a backtrace.
  static let swiftFatalLine = Headline.Kind("Swift fatal error alone")
  /// The line before the backtracer's first line.
  static let swiftFatalSpoken = Headline.Kind("Swift fatal error before a backtrace")
  /// `*** Signal 11: Backtracing from 0x1… failed ***` without a backtrace.
  static let swiftFailed = Headline.Kind("Swift backtrace that failed")
}

/// The line that Swift's runtime prints for a fatal error, if no backtrace follows: in Xcode's console, in a
/// program's log on Apple's systems, or where the backtracer failed.
///
///     Tern/Basket.swift:41: Fatal error: Index out of range
///     Fatal error: Index out of range: file Tern/Basket.swift, line 41        before Swift 5.5
///     💣 Program crashed: Signal 4: Backtracing from 0xefaea1... failed
///     [1]    8392 illegal hardware instruction (core dumped)  tern            of a shell
///
/// Source: `AssertCommon.swift` of Swift's standard library; `Backtrace.cpp` of its runtime.
enum SwiftFatalLine {
  static let headlines =
    [": Fatal error", ": Precondition failed", ": Assertion failed"].map { mark in
      HeadlineRule(
        .swiftFatalLine, mark, role: .announces(.swiftTrace), after: .digit, locate: placed)
    }
    + ["Fatal error: ", "fatal error: "].map { mark in
      HeadlineRule(.swiftFatalLine, mark, role: .announces(.swiftTrace), locate: bare)
    }
    + [
      HeadlineRule(.swiftFailed, ": Backtracing from ", role: .lastWords, after: .digit) {
        text, mark, lines in
        let start = lines.start(of: mark, in: text)
        guard mark - start < 256, isFailed(text, mark),
          let found = text.between(start, mark).find("Signal ")
        else { return nil }
        // Its reason is before it.
        let before = text.between(start - 1024, start)
        if before.contains("atal error") || before.contains("tion failed") { return nil }
        let head = text.between(start, start + found)
        for words: StaticString in ["*** ", "Program crashed: "] where head.ends(with: words) {
          return Headline.Location(start: start + found, content: start + found)
        }
        return nil
      }
    ]

  /// The line before the backtracer's own: a log is not split between the two.
  static let spoken = [
    HeadlineRule(
      .swiftFatalSpoken, ": Fatal error", role: .announces(.swiftSignal), after: .digit
    ) { text, mark, _ in
      isBeforeSignal(text, mark) ? Headline.Location(start: mark + 2, content: mark + 2) : nil
    },
    HeadlineRule(.swiftFatalSpoken, "Fatal error: ", role: .announces(.swiftSignal)) {
      text, mark, _ in
      isBeforeSignal(text, mark) ? Headline.Location(start: mark, content: mark + 13) : nil
    },
    HeadlineRule(.swiftFatalSpoken, " failed: ", role: .announces(.swiftSignal)) { text, mark, _ in
      let isSwift = text.has("Precondition", at: mark - 12) || text.has("Assertion", at: mark - 9)
      guard isSwift, isBeforeSignal(text, mark) else { return nil }
      return Headline.Location(start: mark, content: mark + 9)
    },
  ]

  private static func isBeforeSignal(_ text: RawSpan, _ mark: Int) -> Bool {
    var cursor = LineCursor(mark..<min(text.byteCount, mark + 4096))
    for _ in 0..<9 {
      guard let range = cursor.next(in: text) else { return false }
      let line = text.part(range)
      if line.contains(": Backtracing from ") {
        return line.contains("Signal ") && line.find(0x1b) == nil
      }
    }
    return false
  }

  /// Whether the backtracer reports within a few lines that it failed.
  private static func isFailed(_ text: RawSpan, _ mark: Int) -> Bool {
    let near = text.between(mark, mark + 1024)
    let end = near.find("\n\n") ?? near.byteCount
    return near.upTo(end).contains(" failed") && !near.upTo(end).contains(" done")
  }

  /// `FILE.swift:12: Fatal error`, after at most a logger's prefix.
  private static let placed: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    guard mark - start <= 1024 else { return nil }
    let head = text.between(start, mark)
    let source = SourceLocation(head)
    guard source.hasNumber, source.file?.hasSuffix(".swift") == true else { return nil }
    var from = head.skippingBlanks(from: 0)
    for separator: StaticString in ["] ", "| ", "> ", "]: ", "\t"] {
      if let found = head.findLast(separator) {
        from = max(from, head.skippingBlanks(from: found + separator.utf8CodeUnitCount))
      }
    }
    return own(text, start + from, mark, start)
  }

  /// Without a location: only the texts of the standard library, as other programs print the same two words.
  private static let bare: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    let head = text.between(start, mark)
    guard
      head.trimmed.byteCount == 0
        || head.byteCount <= FormatLimits.prefixBytes && AppleExceptionLog.logged(head) != nil
    else { return nil }
    let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 4096)
    let words = text.between(mark + 13, end).trimmed
    guard words.contains(".swift, line ") || isOfLibrary(words) else { return nil }
    return own(text, mark, mark, start)
  }

  private static func isOfLibrary(_ words: RawSpan) -> Bool {
    let texts: [StaticString] = [
      "ndex out of range", "ndex is out of range", "index is out of bounds",
      "nexpectedly found nil while", "ot enough bits to represent", "ivision by zero",
      "Range requires lowerBound <= upperBound", "an't form Range with upperBound < lowerBound",
      "'try!' expression unexpectedly raised an error: ", "an't remove ",
      "ttempted to read an unowned reference", "Duplicate keys of type ",
      "Dictionary literal contains duplicate keys", "value cannot be converted to ",
      "No ObservableObject of type ", "Negative Array index is out of range",
      "UnsafeMutablePointer.", "UnsafeMutableBufferPointer", "Use of unimplemented initializer",
      "Simultaneous accesses to ", "Incorrect actor executor assumption",
    ]
    return texts.contains { words.contains($0) }
  }

  private static func own(
    _ text: RawSpan, _ start: Int, _ mark: Int, _ line: Int
  ) -> Headline.Location? {
    guard !QuotedWords.follow(text.between(line, start)), !isFollowed(text, mark) else {
      return nil
    }
    // Xcode shows what went to the log and to the standard error.
    let end = min(text.find(10, from: mark) ?? text.byteCount, start + 1024)
    let words = text.between(start, end).trimmed
    let before = text.between(line - 2 * 1024, line - 1)
    let previous = before.from((before.findLast(10) ?? -1) + 1).trimmed
    if previous.ends(with: "Application Specific Information:") { return nil }
    if previous.name.hasSuffix(words.name) { return nil }
    return Headline.Location(start: start, content: mark)
  }

  /// Whether the report follows for which the line is the reason. After a few lines of the same kind it is
  /// another's.
  private static func isFollowed(_ text: RawSpan, _ mark: Int) -> Bool {
    var cursor = LineCursor(mark..<min(text.byteCount, mark + FormatLimits.preludeBytes))
    var others = 0
    while others < 4, let range = cursor.next(in: text) {
      let line = text.part(range).upTo(1024)
      if line.contains("Program crashed: "), !line.contains("Program crashed: Signal ") {
        return true
      }
      // The backtrace may be elsewhere; on a terminal it overwrites this text.
      if line.contains(": Backtracing from "), line.contains(" done") || line.find(0x1b) != nil {
        return true
      }
      if line.contains("Swift runtime failure: ") || line.contains("\"crashReport\"") {
        return true
      }
      if line.contains("atal error") || line.contains("tion failed") { others += 1 }
    }
    return false
  }

  // MARK: The report

  /// Lines after it that may hold signal and program.
  private static let linesAfter = 12

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var report = CrashReport(format: .swiftBacktrace)
    let line = text.part(headline.start..<headline.line.upperBound).trimmed
    if headline.kind == .swiftFatalLine {
      readWords(line, into: &report)
    } else {
      readSignal(line, into: &report)
    }
    if let (name, pid) = AppleExceptionLog.logged(
      text.between(headline.line.lowerBound, headline.start))
    {
      setProcess(name, pid, of: &report)
    }
    var count = 0
    section.forEachLine(in: text) { line in
      count += 1
      readSignal(line, into: &report)
      readShell(line, into: &report)
      return count < linesAfter
    }
    if report.reason.type == nil { report.reason.type = "Swift backtrace failed" }
    return LoggedReport(report: report, isMessage: headline.kind == .swiftFatalLine)
  }

  private static func readWords(_ line: RawSpan, into report: inout CrashReport) {
    var words = line
    var location: SourceLocation?
    for mark: StaticString in [": Fatal error", ": Precondition failed", ": Assertion failed"] {
      guard let found = line.find(mark) else { continue }
      let source = SourceLocation(line.upTo(found))
      guard source.hasNumber, source.file != nil else { continue }
      location = source
      words = line.from(found + 2)
      break
    }
    if location == nil, let file = words.findLast(": file "), let number = words.findLast(", line ")
    {
      var source = SourceLocation(file: words.between(file + 7, number).name)
      source.line = words.from(number).number(after: ", line ").flatMap { Int(exactly: $0) }
      location = source
      words = words.upTo(file)
    }
    let colon = words.find(": ") ?? words.byteCount
    report.reason.type = words.upTo(colon).name
    let text = words.from(colon + 2).trimmed
    report.reason.message = text.byteCount > 0 ? text.name : nil
    guard let location, let file = location.file else { return }
    report.tags[.checkLocation] = location.line.map { "\(file):\($0)" } ?? file
    // The standard library's own files do not identify the program.
    guard !file.hasPrefix("Swift/") else { return }
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [Frame(position: .adjusted, file: file, line: location.line)])
    ]
    report.crashedThread = 0
  }

  private static func readSignal(_ line: RawSpan, into report: inout CrashReport) {
    guard line.contains(": Backtracing from "), report.reason.signal == nil else { return }
    report.reason.signal = line.number(after: "Signal ").flatMap { Int(exactly: $0) }.flatMap {
      SwiftSignal.name($0, isDarwin: false)
    }
    if report.reason.type == nil { report.reason.type = report.reason.signal }
  }

  /// Reads a shell's message about a program that a signal ended.
  ///
  ///     [1]    8392 illegal hardware instruction (core dumped)  tern --once      zsh
  ///     zsh: illegal hardware instruction  ./tern
  private static func readShell(_ line: RawSpan, into report: inout CrashReport) {
    for (words, signal) in shellWords {
      guard let found = line.find(words) else { continue }
      if report.reason.signal == nil { report.reason.signal = signal }
      var rest = line.from(found + words.utf8CodeUnitCount)
      if rest.has(" (core dumped)") { rest = rest.from(14) }
      let program = rest.trimmed.name.prefix { $0 != " " }
      let pid = line.upTo(found).name.split(separator: " ").last.flatMap { Int($0) }
      guard rest.has("  "), !program.isEmpty, report.process.name == nil else { return }
      setProcess(program.split(separator: "/").last.map(String.init) ?? "", pid, of: &report)
      return
    }
  }

  private static let shellWords: [(words: StaticString, signal: String)] = [
    ("illegal hardware instruction", "SIGILL"), ("Illegal instruction", "SIGILL"),
    ("trace trap", "SIGTRAP"), ("Trace/breakpoint trap", "SIGTRAP"),
    ("Trace/BPT trap", "SIGTRAP"), ("segmentation fault", "SIGSEGV"),
    ("Segmentation fault", "SIGSEGV"),
  ]

  private static func setProcess(_ name: String, _ pid: Int?, of report: inout CrashReport) {
    guard !name.isEmpty else { return }
    report.process.name = name
    report.process.pid = pid
    report.app.name = name
  }
}
