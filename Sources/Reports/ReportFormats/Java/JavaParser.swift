internal import Bytes
internal import CrashModel

/// Parses a trace of Java line by line.
struct JavaParser {
  private var report = CrashReport(format: .javaTrace)
  private var counter = StackCounter()
  /// The exception and its causes, nearest first.
  private var chain: [LanguageException] = []
  /// The destination of the following calls and text.
  private var target = Target.chain
  private var isInMessage = true
  private var messageLines = 0
  /// The calls of the last exception at each indentation, for `... 2 more`.
  private var traces: [(indentation: Int, frames: [Frame])] = []
  private var lastIndentation = 0
  private var isSuppressed = false
  private var leftOut = 0
  private var isCircular = false

  private enum Target {
    case chain, suppressed, nothing
  }

  /// Exceptions of one report, and calls of all in total.
  private static let exceptions = 64
  private static let frames = 250_000
  private var frameCount = 0

  init(_ header: JavaHeader, in line: RawSpan) {
    if line.has("Exception in thread \""), let close = line.find("\" ", from: 21) {
      report.tags[.threadName] = line.between(21, close).name
    }
    addException(header, in: line)
  }

  // MARK: Before the trace

  /// Reads what Android, xCrash and loggers print above the exception, and on its line.
  mutating func readContext(before text: RawSpan, ownLine: RawSpan) {
    var lines = 0
    var end = text.byteCount
    while end > 0, lines < 4 {
      let start = text.findLast(10, before: end - 1).map { $0 + 1 } ?? 0
      let lineEnd = text.byteOrZero(end - 1) == 10 ? end - 1 : end
      readContext(text.between(start, lineEnd).trimmed)
      end = start
      lines += 1
    }
    if text.contains("Crash type: 'java'") { XCrashHeader.read(text, into: &report) }
    let near = text.from(max(0, text.byteCount - 512))
    let last = near.from((near.findLast(10, before: near.byteCount - 1) ?? -1) + 1)
    if report.kind == .crash, report.tags[.threadName] == nil, report.process.pid == nil,
      Self.isLogged(ownLine) || Self.isLogged(last)
    {
      report.kind = .handled
    }
  }

  private mutating func readContext(_ line: RawSpan) {
    if let mark = line.find("FATAL EXCEPTION") {
      report.os.name = "Android"
      if let colon = line.find(": ", from: mark) {
        report.tags[.threadName] = line.from(colon + 2).trimmed.name
      }
    } else if let mark = line.find("Process: "), let comma = line.find(", PID: ", from: mark) {
      report.os.name = "Android"
      report.process.name = line.between(mark + 9, comma).name
      report.app.identifier = report.process.name
      var digits = comma + 7
      report.process.pid = line.decimal(at: &digits).flatMap { Int(exactly: $0) }
    }
  }

  /// Whether a program that continued wrote a line: it has a log level.
  private static func isLogged(_ line: RawSpan) -> Bool {
    for level: StaticString in [
      "ERROR", "WARN", "INFO", "DEBUG", "SEVERE", "WARNING", "FINE", "TRACE",
    ] {
      guard let found = line.find(level) else { continue }
      let after = line.byteOrZero(found + level.utf8CodeUnitCount)
      if found == 0 || !line.byte(found - 1).isLetter, !after.isLetter { return true }
    }
    return false
  }

  // MARK: Lines

  /// Takes a line with the number of blanks by which it is indented; returns whether another one is wanted.
  mutating func take(_ line: RawSpan, indentation: Int) -> Bool {
    if line.has("at "), let frame = JavaCall.frame(line) {
      isInMessage = false
      add(frame, at: indentation)
      return true
    }
    if line.has("... "), takeMore(line, indentation) { return true }
    if line.has("Caused by: ") || line.has("Suppressed: ") || line.has("Wrapped by: ") {
      beginInner(line, indentation)
      return true
    }
    if isInMessage, messageLines < 64, target == .chain, let last = chain.indices.last {
      messageLines += 1
      let text = chain[last].message ?? ""
      if text.utf8.count + line.byteCount < FormatLimits.nameBytes {
        chain[last].message = text + "\n" + line.name
      }
      return true
    }
    // Boundaries of coroutines, and empty lines between causes.
    return isInMessage || line.byteCount == 0 || line.has("(Coroutine boundary)")
  }

  private mutating func addException(_ header: JavaHeader, in line: RawSpan) {
    var message = header.message.map { line.from($0).trimmed.name }
    if message?.isEmpty == true { message = nil }
    isInMessage = true
    messageLines = 0
    guard chain.count < Self.exceptions else {
      leftOut += 1
      target = .nothing
      return
    }
    target = .chain
    chain.append(LanguageException(type: Self.typeName(line.part(header.type)), message: message))
  }

  /// Without module and class loader.
  private static func typeName(_ name: RawSpan) -> String {
    name.from(name.findLast(UInt8(ascii: "/")).map { $0 + 1 } ?? 0).name
  }

  private mutating func beginInner(_ line: RawSpan, _ indentation: Int) {
    endTrace()
    lastIndentation = indentation
    isSuppressed = line.has("Suppressed: ")
    traces.removeAll { $0.indentation > indentation }
    isInMessage = false
    if line.contains("[CIRCULAR REFERENCE") {
      isCircular = true
      target = .nothing
      return
    }
    guard let header = JavaHeader(line) else {
      target = .nothing
      return
    }
    if indentation == 0, !line.has("Suppressed: ") {
      addException(header, in: line)
      if line.has("Wrapped by: "), chain.count > 1, let wrapper = chain.popLast() {
        // logback's order with the root first.
        chain.insert(wrapper, at: 0)
        isWrapping = true
      }
      return
    }
    guard counter.addsStack() else {
      target = .nothing
      return
    }
    target = .suppressed
    let title = line.name.prefix { !$0.isNewline }
    report.otherStacks.append(NamedStack(title: String(title.prefix(1000)), frames: []))
  }

  /// Whether the exception that is read is the outermost.
  private var isWrapping = false
  private var current: Int { isWrapping ? 0 : chain.count - 1 }

  private mutating func add(_ frame: Frame, at indentation: Int) {
    guard frameCount < Self.frames else {
      leftOut += 1
      return
    }
    switch target {
    case .chain: counter.append(frame, to: &chain[current].frames)
    case .suppressed:
      counter.append(frame, to: &report.otherStacks[report.otherStacks.count - 1].frames)
    case .nothing: return
    }
    frameCount += 1
  }

  /// Keeps the calls of the exception that ends.
  private mutating func endTrace() {
    let frames: [Frame]
    switch target {
    case .chain: frames = chain.isEmpty ? [] : chain[current].frames
    case .suppressed: frames = report.otherStacks.last?.frames ?? []
    case .nothing: return
    }
    traces.removeAll { $0.indentation >= lastIndentation }
    if traces.count < 16 { traces.append((lastIndentation, frames)) }
  }

  /// `... 2 more`, `... 23 common frames omitted`: the oldest calls of the exception around this one.
  private mutating func takeMore(_ line: RawSpan, _ indentation: Int) -> Bool {
    var position = 4
    guard let count = line.decimal(at: &position),
      line.has(" more", at: position)
        || line.has(" common frames omitted", at: position)
    else { return false }
    isInMessage = false
    guard target != .nothing else { return true }
    // A cause refers to the exception before it, a suppressed one to that with a less indented line.
    let limit = isSuppressed ? lastIndentation - 1 : lastIndentation
    let around = traces.last { $0.indentation <= limit }?.frames ?? []
    guard count <= around.count, frameCount < Self.frames else {
      leftOut += 1
      return true
    }
    for frame in around.suffix(Int(count)) { add(frame, at: indentation) }
    return true
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    for index in chain.indices {
      while chain[index].message?.utf8.last == 10 { chain[index].message?.removeLast() }
    }
    guard let exception = LanguageException.chain(chain),
      chain.contains(where: { !$0.frames.isEmpty })
    else { return nil }
    report.reason.exception = exception
    report.reason.type = exception.type
    report.reason.message = exception.message
    if isCircular { report.notes.append("the causes are circular") }
    if leftOut > 0 { report.notes.append("\(leftOut) lines beyond a limit were left out") }
    report.notes += counter.notes
    return report
  }
}
