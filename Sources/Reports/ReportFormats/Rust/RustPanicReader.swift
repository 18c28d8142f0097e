internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The end of a program as Rust's runtime and error libraries print it.
  static let rustPanic = ReportFormat("rust-panic")
}

extension Headline.Kind {
  /// `thread 'main' panicked at …`.
  static let rustPanic = Headline.Kind("Rust panic")
  /// `thread 'main' has overflowed its stack` and `fatal runtime error: stack overflow`.
  static let rustOverflow = Headline.Kind("Rust stack overflow")
  /// `Message: …` after `The application panicked (crashed).`
  static let rustReport = Headline.Kind("color-eyre panic")
  /// `Caused by:`, `Stack backtrace:` or `Location:` after `Error: …`.
  static let rustError = Headline.Kind("Rust error")
}

/// Panics as Rust's runtime prints them, and errors returned by `main` as `anyhow`, `eyre` and `color-eyre`
/// print them:
///
///     thread 'main' (4711) panicked at src/main.rs:3:5:        the id since 1.90, the message below since 1.73
///     MESSAGE
///     stack backtrace:
///        0: NAME
///                  at FILE:LINE:COLUMN
///        1:     0x55ac745d875a - NAME                          with RUST_BACKTRACE=full
///
///     Error: CONTEXT                                           anyhow
///
///     Caused by:
///         0: CAUSE
///         1: CAUSE
///
///     The application panicked (crashed).                      color-eyre
///     Message:  MESSAGE
///     Location: src/main.rs:3
///
/// Addresses are return addresses; the calls inlined in one have the same address.
///
/// Source: `library/std/src/panicking.rs` and `library/std/src/backtrace.rs` of Rust, `anyhow/src/fmt.rs`,
/// `color-eyre/src/handler.rs`.
enum RustPanicReader: LogReader {
  static let format = ReportFormat.rustPanic
  static let fileExtension = "txt"

  static let headlines = [
    // A thread's name or number ends before the text, with a byte that other lines rarely have.
    HeadlineRule(.rustPanic, "' panicked at ", role: .lastWords) { text, mark, lines in
      panic(text, at: mark + 1, from: max(lines.start(of: mark, in: text), mark - 1024))
    },
    HeadlineRule(.rustPanic, ") panicked at ", role: .lastWords) { text, mark, lines in
      panic(text, at: mark + 1, from: max(lines.start(of: mark, in: text), mark - 1024))
    },
    HeadlineRule(.rustOverflow, "fatal runtime error: stack overflow", role: .lastWords),
    HeadlineRule(.rustReport, "Message: ", role: .lastWords) { text, mark, _ in
      let before = text.between(max(0, mark - FormatLimits.prefixBytes), mark)
      return before.contains(" panicked (crashed).")
        ? Headline.Location(start: mark, content: mark + 9) : nil
    },
    HeadlineRule(.rustError, "Caused by:\n") { text, mark, _ in
      // The stack of a module of WebAssembly follows, not that of the runtime.
      RustErrorParser.errorLine(in: text, before: mark) == nil
        || text.between(mark, mark + 1024).contains("wasm backtrace:")
        ? nil : Headline.Location(start: mark, content: mark)
    },
    HeadlineRule(.rustError, "Stack backtrace:") { text, mark, _ in
      RustErrorParser.errorLine(in: text, before: mark) == nil
        || text.between(max(0, mark - 4096), mark).contains("Caused by:\n")
        ? nil : Headline.Location(start: mark, content: mark)
    },
    HeadlineRule(.rustError, "Location:\n") { text, mark, _ in
      let before = text.between(max(0, mark - 8192), mark)
      return before.contains("Error:") && before.contains("0: ")
        ? Headline.Location(start: mark, content: mark) : nil
    },
  ]

  /// `thread 'NAME' (ID)` before the text at `words`, in the line that begins at `line`.
  private static func panic(_ text: RawSpan, at words: Int, from line: Int) -> Headline.Location? {
    let before = text.between(line, words)
    guard before.ends(with: "'") || before.ends(with: ")"), let start = before.findLast("thread '")
    else { return nil }
    return Headline.Location(start: line + start, content: words + 13)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    switch section.headline.kind {
    case .rustError:
      var parser = RustErrorParser(section.headline, in: text)
      section.forEachLine(in: text) { parser.take($0) }
      return parser.finished().map { LoggedReport(report: $0) }
    case .rustOverflow: return overflow(section, in: text)
    default:
      var parser = RustPanicParser()
      let headline = section.headline
      if headline.kind == .rustPanic {
        parser.readThread(text.between(headline.start, headline.content))
        parser.readLocation(text.between(headline.content, headline.line.upperBound).trimmed)
      } else {
        parser.addMessage(text.between(headline.content, headline.line.upperBound).trimmed)
      }
      section.forEachLine(in: text) { parser.take($0) }
      let start = parser.endsProcess ? firstPanic(before: section, in: text) : nil
      return LoggedReport(report: parser.finished(), start: start)
    }
  }

  /// `thread 'main' (24851) has overflowed its stack`, one line before.
  private static func overflow(_ section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var report = CrashReport(format: .rustPanic)
    report.reason.type = "fatal runtime error"
    report.reason.signal = "SIGABRT"
    report.reason.message = "stack overflow"
    let line = section.headline.line.lowerBound
    let before = text.between(max(0, line - 1024), line)
    if let words = before.findLast(" has overflowed its stack"),
      let thread = before.upTo(words).findLast("thread '")
    {
      var parser = RustPanicParser()
      parser.readThread(before.between(thread, words))
      report.tags = parser.tags
      report.reason.message = before.between(thread, words + 25).name
    }
    return LoggedReport(report: report)
  }

  /// The start of the panic during which the section's panic aborted the process.
  private static func firstPanic(before section: ReportSection, in text: RawSpan) -> Int? {
    let headline = section.headline
    let thread = text.between(headline.start, headline.content)
    let end = headline.line.lowerBound
    var from = max(section.previous, end - FormatLimits.finalMessageBytes)
    // The end of another process.
    if let aborted = text.between(from, end).findLast("panic. aborting.") { from += aborted }
    let before = text.between(from, end)
    var first: Int?
    var position = before.byteCount
    while let found = before.upTo(position).findLast("panicked at ") {
      position = found
      let line = (before.findLast(10, before: found) ?? -1) + 1
      guard let start = before.between(line, found).findLast("thread '") else { continue }
      let other = before.between(
        line + start, min(line + start + thread.byteCount, before.byteCount))
      guard other.matches(from: 0, count: thread.byteCount, in: thread, from: 0) else { continue }
      first = from + line
    }
    return first
  }
}
