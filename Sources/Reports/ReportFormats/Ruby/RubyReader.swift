internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// Output of Ruby.
  static let ruby = ReportFormat("ruby")
}

extension Headline.Kind {
  /// `till.rb:4:in 'total': message (Type)`
  fileprivate static let rubyError = Headline.Kind("Ruby exception")
  /// The first line of a stack in a log, after `Type (message):`
  fileprivate static let rubyStack = Headline.Kind("Ruby stack")
  /// `[BUG] Segmentation fault at 0x0000000000000018`
  fileprivate static let rubyBug = Headline.Kind("Ruby crash")
}

/// Exceptions and crashes of Ruby's interpreters.
///
///     till.rb:4:in 'Basket#total': undefined method '+' for nil (NoMethodError)   a backtick opens before 3.4
///     more of the message
///     	from till.rb:9:in 'Object#charge'
///     	 ... 10067 levels...
///     till.rb:2:in 'Basket#price': no price (KeyError)                            its cause
///     	from …
///
/// Ruby 2.5 to 2.7 print the stack before the exception, the oldest call first. Loggers of Rails write
/// `Type (message):` and lines without `from`.
///
/// Source: error.c and vm_dump.c of Ruby.
enum RubyReader: LogReader {
  static let format = ReportFormat.ruby
  static let fileExtension = "txt"
  static let headlines = [
    HeadlineRule(.rubyError, ":in ", after: .digit, locate: locate),
    HeadlineRule(.rubyBug, "[BUG] ") { text, mark, lines in
      let start = lines.start(of: mark, in: text)
      return Headline.Location(start: text.skippingBlanks(from: start), content: mark + 6)
    },
  ]

  /// The line of an exception, or the first of a stack after an exception.
  private static let locate: HeadlineRule.Locate = { text, mark, lines in
    let quote = text.byteOrZero(mark + 4)
    guard quote == UInt8(ascii: "`") || quote == UInt8(ascii: "'") else { return nil }
    let start = lines.start(of: mark, in: text)
    guard mark - start < FormatLimits.nameBytes else { return nil }
    let end = min(text.find(10, from: mark) ?? text.byteCount, mark + FormatLimits.nameBytes)
    let line = text.part(start..<end)
    let begin = RubyLine.fileStart(of: line, colon: mark - start)
    guard let parsed = RubyLine(line.from(begin)) else { return nil }
    if parsed.hasFrom { return nil }
    if parsed.message == nil {
      // A stack alone: the line before names the exception.
      guard RubyLine.header(before: start, in: text) != nil else { return nil }
    }
    return Headline.Location(start: start + begin, content: start + begin)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    if section.headline.kind == .rubyBug { return RubyCrash.report(of: section, in: text) }
    var lines = TraceLines(of: section, in: text)
    guard let first = lines.next(in: text), let line = RubyLine(text.part(first)) else {
      return nil
    }
    var report = CrashReport(format: .ruby)
    var budget = StackBudget()
    var end = lines.position
    var chain: [LanguageException] = []
    var exception = LanguageException(frames: [line.frame])
    var skips = false
    var leftOut = 0
    if let message = line.message {
      RubyLine.setMessage(message, of: &exception)
    } else if let header = RubyLine.header(before: section.headline.line.lowerBound, in: text) {
      exception.type = header.type
      exception.message = header.message
      report.kind = .handled
    } else {
      return nil
    }
    readOldStack(section, in: text, into: &exception)
    var isMessage = line.message != nil
    var messageLines = 0
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { break }
      let trimmed = text.part(range).trimmed
      if let next = RubyLine(trimmed) {
        if let message = next.message {
          RubyLine.closeMessage(of: &exception)
          if chain.count == FormatLimits.causes {
            // The first and the last are the most important.
            chain.removeLast()
            leftOut += 1
          }
          chain.append(exception)
          exception = LanguageException(frames: [next.frame])
          RubyLine.setMessage(message, of: &exception)
          isMessage = true
        } else if next.hasFrom || line.message == nil {
          if isMessage { RubyLine.closeMessage(of: &exception) }
          isMessage = false
          if budget.takeFrame() { exception.frames.append(next.frame) }
        } else {
          break
        }
      } else if trimmed.has("... "), trimmed.find(" levels...") != nil {
        skips = true
      } else if isMessage, messageLines < 256, !RunnerLine.isOne(trimmed),
        trimmed.byteCount > 0 || hasMore(ahead, in: text)
      {
        messageLines += 1
        if isHighlight(trimmed) {
          // The line above is the source.
          let words = (exception.message ?? "")[...]
          exception.message =
            words.lastRange(of: "\n").map { String(words[..<$0.lowerBound]) } ?? String(words)
        } else if trimmed.byteCount > 0 {
          exception.message = ((exception.message ?? "") + "\n" + trimmed.name).cut(
            FormatLimits.nameBytes)
        }
      } else {
        break
      }
      lines = ahead
      end = lines.position
    }
    if isMessage { RubyLine.closeMessage(of: &exception) }
    chain.append(exception)
    // A thread that reports its exception, and the main thread that raises it again.
    while chain.count > 1, chain[0] == chain[1] { chain.removeFirst() }
    var result = chain.removeLast()
    RubyLine.markOwn(&result.frames)
    while let outer = chain.popLast() {
      var outer = outer
      RubyLine.markOwn(&outer.frames)
      outer.inner = [result]
      result = outer
    }
    report.reason.exception = result
    report.reason.type = result.type
    report.reason.message = result.message?.cutMessage
    if skips { report.notes.append("Ruby left out calls in the middle of the stack") }
    if leftOut > 0 {
      report.notes.append("\(leftOut) causes before the last one were left out")
    }
    if let note = budget.note { report.notes.append(note) }
    return LoggedReport(report: report, end: end)
  }

  /// The source line and the carets that Ruby 3 adds to a message.
  private static func isHighlight(_ line: RawSpan) -> Bool {
    for index in 0..<line.byteCount where line.byte(index) != UInt8(ascii: "^") { return false }
    return line.byteCount > 0
  }

  /// Whether the message continues after an empty line: a line of the stack follows.
  private static func hasMore(_ lines: TraceLines, in text: RawSpan) -> Bool {
    var lines = lines
    for index in 0..<6 {
      guard let range = lines.next(in: text) else { return false }
      let line = text.part(range).trimmed
      if line.has("from "), RubyLine(line) != nil { return true }
      // The line of source and its marks follow the empty one.
      if index == 1, isHighlight(line) { return true }
    }
    return false
  }

  /// `	1: from till.rb:9:in …`, the youngest last.
  private static func readOldStack(
    _ section: ReportSection, in text: RawSpan, into exception: inout LanguageException
  ) {
    var frames: [Frame] = []
    section.forEachLineBefore(in: text) { line in
      var index = 0
      if line.decimal(at: &index) != nil, line.has(": from ", at: index),
        let parsed = RubyLine(line.from(index + 2))
      {
        if frames.count < FormatLimits.framesPerStack { frames.append(parsed.frame) }
      } else if line.byteCount > 0 {
        frames.removeAll(keepingCapacity: true)
      }
    }
    exception.frames += frames.reversed()
  }
}
