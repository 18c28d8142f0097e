internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// Output of Node, browsers and other JavaScript runtimes.
  static let javaScript = ReportFormat("javascript")
}

/// Exceptions and fatal errors of JavaScript in logs: V8 (Node, Chrome, Electron, Deno), Firefox, Safari,
/// Hermes, Internet Explorer and old Opera.
///
///     /src/till.js:4                            Node, before an uncaught exception
///     const total = list.map(x => x.length);
///                                   ^
///
///     TypeError: Cannot read properties of null (reading 'length')
///         at total (/src/till.js:4:39)
///
///     Node.js v20.20.2
///
/// See ``ScriptTrace`` for causes and lists, ``V8FatalError`` for fatal errors.
///
/// Source: V8's stack trace API, Node's util.inspect and its process for uncaught exceptions.
enum JavaScriptReader: LogReader {
  static let format = ReportFormat.javaScript
  static let fileExtension = "txt"

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    switch section.headline.kind {
    case .v8Fatal, .v8Check, .nodeNative: V8FatalError.report(of: section, in: text)
    case .nodeExcerpt: value(section, in: text)
    case .safariConsole: SafariConsole.report(of: section, in: text)
    case .scriptStack: stack(section, in: text)
    default: thrown(section, in: text)
    }
  }

  // MARK: Exceptions

  private static func thrown(_ section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var trace = ScriptTrace(header: text.part(headline.content..<headline.line.upperBound))
    var end = read(&trace, &lines, in: text)
    let frames = trace.frameCount
    let code = trace.code
    var (exception, note) = trace.finished()
    guard frames > 0 || headline.kind == .nodeExcerpt else { return nil }
    var report = CrashReport(format: .javaScript)
    let excerpt = section.prelude.last { $0.kind == .nodeExcerpt }
    // Only the source excerpt names the line that could not be parsed.
    if exception.type == "SyntaxError", let excerpt, let frame = location(excerpt, in: text) {
      exception.frames.insert(frame, at: 0)
    }
    report.reason.code = code
    readEnd(&lines, &end, in: text, into: &report)
    set(exception, of: &report)
    if let note { report.notes.append(note) }
    if excerpt == nil, report.tags[.wrapperRuntime] == nil { report.kind = kind(section, in: text) }
    return LoggedReport(report: report, end: end)
  }

  private static func set(_ exception: LanguageException, of report: inout CrashReport) {
    report.reason.exception = WasmFrames.located(exception, in: &report.images)
    report.reason.type = exception.type
    report.reason.message = exception.message?.cutMessage
  }

  /// Reads lines while they belong to the trace.
  ///
  /// - Returns: The end of the last one.
  private static func read(
    _ trace: inout ScriptTrace, _ lines: inout TraceLines, in text: RawSpan
  ) -> Int {
    var end = lines.position
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { return end }
      let line = text.part(range).trimmed
      guard trace.read(line) else { return end }
      lines = ahead
      if line.byteCount > 0 { end = lines.position }
    }
  }

  /// Reads Node's text after an exception: where an event was emitted or a value thrown, and its version.
  private static func readEnd(
    _ lines: inout TraceLines, _ end: inout Int, in text: RawSpan, into report: inout CrashReport
  ) {
    var ahead = lines
    var isStack = false
    for _ in 0..<FormatLimits.registers {
      guard let range = ahead.next(in: text) else { return }
      let line = text.part(range).trimmed
      if line.has("Node.js v"), line.byteCount < 40 {
        report.tags[.wrapperRuntime] = line.name
        lines = ahead
        end = ahead.position
        return
      }
      if line.has("Emitted 'error' event ") || line.has("Thrown at:") {
        isStack = true
        let title = line.upTo(line.byteCount - (line.ends(with: ":") ? 1 : 0)).name
        report.otherStacks.append(NamedStack(title: title, frames: []))
      } else if isStack, JavaScriptLine.isFrame(JavaScriptLine.clean(line)),
        let frame = ManagedStackText.frame(JavaScriptLine.clean(line).name)
      {
        report.otherStacks[report.otherStacks.count - 1].frames.append(frame)
      } else if line.byteCount > 0, !line.has("(Use `node "), !line.has("}"), !isStack {
        return
      }
      if isStack, line.byteCount > 0 {
        lines = ahead
        end = ahead.position
      }
    }
  }

  /// Whether a logger wrote the exception, or a runtime that continued.
  private static func kind(_ section: ReportSection, in text: RawSpan) -> ReportKind {
    let before = text.part(section.headline.line.lowerBound..<section.headline.start).trimmed
    guard before.byteCount > 0 else { return .crash }
    return before.contains("ncaught") ? .crash : .handled
  }

  // MARK: Stacks and values

  /// A stack; the line before may name the exception's type, which has no message.
  private static func stack(_ section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var type: String?
    section.forEachLineBefore(in: text) { line in
      var line = line
      if line.has("Uncaught ") { line = line.from(9) }
      let isType =
        line.byteCount < 256 && ExceptionLine.typeStart(endingAt: line.byteCount, in: line) == 0
      type = isType && (line.ends(with: "Error") || line.ends(with: "Exception")) ? line.name : nil
    }
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var trace = ScriptTrace(header: RawSpan.empty(of: text))
    guard trace.read(text.part(headline.content..<headline.line.upperBound).trimmed) else {
      return nil
    }
    let end = read(&trace, &lines, in: text)
    let isLone = trace.frameCount < 2 && type == nil
    var (exception, note) = trace.finished()
    // A single line may be anything.
    guard !isLone else { return nil }
    exception.type = type
    var report = CrashReport(format: .javaScript)
    set(exception, of: &report)
    report.reason.type = type ?? "JavaScript error"
    if let note { report.notes.append(note) }
    return LoggedReport(report: report, end: end)
  }

  /// A thrown value that is not an exception: Node prints only the line.
  private static func value(_ section: ReportSection, in text: RawSpan) -> LoggedReport? {
    guard let frame = location(section.headline, in: text) else { return nil }
    var lines = TraceLines(of: section, in: text)
    for _ in 0..<3 { _ = lines.next(in: text) }
    var words: [String] = []
    var end = lines.position
    var report = CrashReport(format: .javaScript)
    while words.count < 64 {
      var ahead = lines
      guard let range = ahead.next(in: text) else { break }
      let line = text.part(range).trimmed
      if line.byteCount == 0 || line.has("Thrown at:") || line.has("(Use `node ") { break }
      words.append(line.name)
      lines = ahead
      end = lines.position
    }
    guard let first = words.first else { return nil }
    // Another excerpt: of an error that a worker passed on.
    if words.count > 2, ScriptLocation(first[...]).line != nil,
      words[2].utf8.allSatisfy({ $0 == UInt8(ascii: "^") })
    {
      return nil
    }
    readEnd(&lines, &end, in: text, into: &report)
    report.reason.type = "Uncaught value"
    report.reason.message = words.joined(separator: "\n").cutMessage
    report.reason.exception = LanguageException(
      message: report.reason.message, frames: report.otherStacks.first?.frames ?? [frame])
    return LoggedReport(report: report, end: end)
  }

  /// `/src/cart.js:31`, with the column of the caret two lines below.
  private static func location(_ excerpt: Headline, in text: RawSpan) -> Frame? {
    let parsed = ScriptLocation(
      text.part(excerpt.content..<excerpt.line.upperBound).trimmed.name[...])
    guard parsed.line != nil else { return nil }
    var frame = Frame(position: .returnAddress)
    frame.file = parsed.file
    frame.line = parsed.line
    if let source = text.find(10, from: excerpt.line.upperBound + 1) {
      let indent = excerpt.start - excerpt.line.lowerBound
      let carets = text.part((source + 1)..<(text.find(10, from: source + 1) ?? text.byteCount))
      if let caret = carets.find(UInt8(ascii: "^")), caret >= indent {
        frame.column = caret - indent + 1
      }
    }
    return frame
  }
}

extension RawSpan {
  /// An empty span.
  @_lifetime(copy text)
  static func empty(of text: RawSpan) -> RawSpan { text.part(0..<0) }
}
