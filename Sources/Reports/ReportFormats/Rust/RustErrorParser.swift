internal import Bytes
internal import CrashModel

/// Parses an error that `main` returned, as `anyhow`, `eyre` and `color-eyre` print it.
struct RustErrorParser {
  private var report = CrashReport(format: .rustPanic)
  private var stack = RustFrames()
  private var causes: [String] = []
  private var step: Step
  private var isFirst = true

  private enum Step {
    case causes, location, backtrace, ended
  }

  init(_ headline: Headline, in text: RawSpan) {
    let mark = text.between(headline.start, headline.line.upperBound)
    step = mark.has("Caused by:") ? .causes : mark.has("Location:") ? .location : .backtrace
    if step == .location {
      readNumbered(text.between(max(0, headline.start - 8192), headline.start))
    } else if let line = Self.errorLine(in: text, before: headline.start) {
      causes = [text.part(line).trimmed.name]
    }
  }

  /// The text after `Error: ` in the nearest lines before `end`.
  static func errorLine(in text: RawSpan, before end: Int) -> Range<Int>? {
    let from = max(0, end - 4096)
    let before = text.between(from, end)
    guard let mark = before.findLast("Error: "),
      mark == 0 || !before.byte(mark - 1).isLetter && !before.byte(mark - 1).isDigit
    else { return nil }
    var lines = 0
    var position = mark
    while let next = before.find(10, from: position), lines < 20 {
      lines += 1
      position = next + 1
    }
    guard (1..<20).contains(lines) else { return nil }
    // A message of several lines ends with an empty one.
    let isPrefixed = mark > 0 && before.byte(mark - 1) != 10
    let gap = isPrefixed ? before.find(10, from: mark) : before.find("\n\n", from: mark)
    return from + mark + 7..<from + (gap ?? before.find(10, from: mark) ?? before.byteCount)
  }

  /// `color-eyre`: `   0: CONTEXT` and its causes, after the last `Error:`.
  private mutating func readNumbered(_ text: RawSpan) {
    guard let mark = text.findLast("Error:") else { return }
    var cursor = LineCursor(mark..<text.byteCount)
    _ = cursor.next(in: text)
    while let range = cursor.next(in: text), causes.count < 64 {
      addCause(text.part(range).trimmed)
    }
  }

  private mutating func addCause(_ line: RawSpan) {
    var position = 0
    if line.decimal(at: &position) != nil, line.has(": ", at: position) {
      causes.append(line.from(position + 2).trimmed.name)
    } else if line.byteCount > 0, causes.count < 64 {
      causes.append(line.name)
    }
  }

  mutating func take(_ line: RawSpan) -> Bool {
    if line.has("Stack backtrace:") || line.contains(" BACKTRACE ") {
      step = .backtrace
      return true
    }
    switch step {
    case .causes:
      if line.byteCount == 0 {
        step = isFirst ? .causes : .ended
      } else {
        addCause(line)
        isFirst = false
      }
    case .location:
      let location = SourceLocation(line)
      if location.hasNumber, let file = location.file {
        report.reason.code = "\(file):\(location.line ?? 0)"
        step = .ended
      }
    case .backtrace: _ = stack.take(line)
    case .ended: break
    }
    return true
  }

  consuming func finished() -> CrashReport? {
    guard let first = causes.first else { return nil }
    report.kind = .crash
    report.notes += stack.counter.notes
    var chain = causes.map { LanguageException(type: "Error", message: $0) }
    chain[0].frames = stack.finished()
    report.reason.type = "Error"
    report.reason.message = first
    report.reason.exception = LanguageException.chain(chain)
    return report
  }
}
