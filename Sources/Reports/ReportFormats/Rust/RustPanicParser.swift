internal import Bytes
internal import CrashModel

/// Parses a panic of Rust line by line.
struct RustPanicParser {
  private var report = CrashReport(format: .rustPanic)
  private var stack = RustFrames()
  private var message: [String] = []
  private var messageBytes = 0
  /// The number of lines of the message before one that may be another program's.
  private var certainLines = 0
  private var location: SourceLocation?
  private var step = Step.message
  private(set) var endsProcess = false

  private enum Step {
    /// The message may continue.
    case message
    /// Before 1.73 the message was in quotation marks, before the location.
    case quoted
    case ended, backtrace
  }

  var tags: [ReportTag: String] { report.tags }

  /// `thread 'main' (4711)`, with anything after it.
  mutating func readThread(_ line: RawSpan) {
    guard let open = line.find(UInt8(ascii: "'")) else { return }
    let rest = line.from(open + 1)
    guard let close = rest.findLast(UInt8(ascii: "'")) else { return }
    let name = rest.upTo(close).name
    if name != "<unnamed>", !name.isEmpty { report.tags[.threadName] = name }
    if let id = rest.from(close).number(after: "' (") { report.tags[.threadID] = String(id) }
  }

  /// `src/main.rs:3:5:`, before 1.73 `'MESSAGE', src/main.rs:3:5`.
  mutating func readLocation(_ line: RawSpan) {
    if line.has("'") {
      step = .quoted
      takeQuoted(line.from(1))
      return
    }
    let end = line.ends(with: ":") ? line.byteCount - 1 : line.byteCount
    location = SourceLocation(line.upTo(end))
  }

  private mutating func takeQuoted(_ line: RawSpan) {
    guard let end = line.findLast("', "), SourceLocation(line.from(end + 3)).hasNumber else {
      // A message of several lines; if its end is missing, it is unknown where it ends.
      if message.count < 64 { addMessage(line) }
      return
    }
    addMessage(line.upTo(end))
    location = SourceLocation(line.from(end + 3))
    step = .ended
  }

  mutating func addMessage(_ line: RawSpan) {
    guard messageBytes + line.byteCount < FormatLimits.nameBytes else { return }
    messageBytes += line.byteCount + 1
    message.append(line.name)
  }

  /// Takes the next line; returns whether another one is wanted.
  mutating func take(_ line: RawSpan) -> Bool {
    if line.has("stack backtrace:") || line.contains(" BACKTRACE ") {
      certainLines = step == .message ? message.count : certainLines
      step = .backtrace
      return true
    }
    if line.has("note: run with `RUST_BACKTRACE=") || line.has("note: Some details are omitted") {
      if step == .message { certainLines = message.count }
      step = .ended
      return true
    }
    if line.has("thread panicked while processing panic. aborting.")
      || line.has("thread caused non-unwinding panic. aborting.")
      || line.has("fatal runtime error: ")
    {
      endsProcess = true
      report.reason.signal = "SIGABRT"
      if step != .backtrace { step = .ended }
      return true
    }
    switch step {
    case .message:
      // `color-eyre`: the location follows the message.
      if line.has("Location: ") {
        certainLines = message.count
        location = SourceLocation(line.from(10).trimmed)
        step = .ended
      } else if message.count < 256 {
        addMessage(line)
        if line.has("left: ") || line.has("right: ") || line.has("left: `") {
          certainLines = message.count
        }
      }
    case .quoted: takeQuoted(line)
    case .ended: break
    case .backtrace:
      if !stack.take(line) { RustImages.take(line, into: &report, &stack) }
    }
    return true
  }

  consuming func finished() -> CrashReport {
    if step == .message {
      message.removeLast(message.count - min(message.count, max(certainLines, 1)))
    }
    while let last = message.last, last.isEmpty { message.removeLast() }
    let text = message.joined(separator: "\n")
    report.notes += stack.counter.notes
    var exception = LanguageException(type: "panic", message: text.isEmpty ? nil : text)
    exception.frames = stack.finished()
    if exception.frames.isEmpty, let location, let file = location.file {
      // Only the location of the panic is known.
      exception.frames = [
        Frame(position: .adjusted, file: file, line: location.line, column: location.column)
      ]
    }
    report.reason.type = "panic"
    report.reason.exception = exception
    report.reason.message = exception.message
    report.reason.code = locationText
    return report
  }

  /// The location of the panic.
  private var locationText: String? {
    guard let location, let file = location.file else { return nil }
    return [file, location.line.map(String.init), location.column.map(String.init)]
      .compactMap { $0 }.joined(separator: ":")
  }
}
