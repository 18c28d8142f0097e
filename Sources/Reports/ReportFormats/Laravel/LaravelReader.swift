internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// An exception in a log of Laravel, or of another program with Monolog.
  static let laravel = ReportFormat("laravel")
}

extension Headline.Kind {
  /// `production.ERROR: no price {"exception":"[object] (…`
  fileprivate static let monolog = Headline.Kind("Monolog exception")
}

/// Exceptions in the logs of Laravel and other programs with Monolog:
///
///     [2025-09-02 10:11:12] production.ERROR: no price {"exception":"[object] (Error(code: 0): no price at /app/src/Till.php:171)
///     [stacktrace]
///     #0 /app/src/Desk.php(88): Tern\\Till->pay(9)
///     #1 {main}
///
///     [previous exception] [object] (RuntimeException(code: 3): … at /app/src/Store.php:40)
///     [stacktrace]
///     #0 /app/src/Till.php(170): Tern\\Store->get(9)
///     "}
///
/// Quoted text is escaped as in JSON. The program continues.
///
/// Source: `LineFormatter` of Monolog.
enum LaravelReader: LogReader {
  static let format = ReportFormat.laravel
  static let fileExtension = "log"
  private static let limit = 256 << 10

  static let headlines = [
    HeadlineRule(.monolog, "\"exception\":\"[object] (") { text, mark, lines in
      let line = lines.start(of: mark, in: text)
      guard mark - line < limit else { return nil }
      let start = text.skippingBlanks(from: line)
      return Headline.Location(start: min(start, mark), content: mark + 23)
    }
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let content = section.headline.content
    let block = text.between(content, content + limit)
    let end = Self.end(of: block)
    let words = unescaped(block.upTo(end))
    var exceptions: [LanguageException] = []
    var report = CrashReport(format: .laravel, kind: .handled)
    var budget = StackBudget()
    for part in words.components(separatedBy: "[previous exception] [object] (") {
      guard budget.takeException() else { break }
      if let exception = exception(part, &report) { exceptions.append(exception) }
    }
    guard let exception = LanguageException.chain(exceptions) else { return nil }
    report.reason.exception = exception
    report.reason.type = exception.type
    report.reason.message = exception.message?.cutMessage
    let prefix = text.between(section.headline.line.lowerBound, content)
    report.time = time(prefix)
    return LoggedReport(report: report, end: content + end)
  }

  /// The closing quote, the first that is not escaped.
  private static func end(of block: RawSpan) -> Int {
    var index = 0
    while let quote = block.find(UInt8(ascii: "\""), from: index) {
      var escapes = 0
      while quote - escapes > 0, block.byte(quote - escapes - 1) == UInt8(ascii: "\\") {
        escapes += 1
      }
      if escapes % 2 == 0 { return quote }
      index = quote + 1
    }
    return block.byteCount
  }

  private static func unescaped(_ text: RawSpan) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.byteCount)
    var index = 0
    while index < text.byteCount {
      let byte = text.byte(index)
      guard byte == UInt8(ascii: "\\"), index + 1 < text.byteCount else {
        bytes.append(byte)
        index += 1
        continue
      }
      switch text.byte(index + 1) {
      case UInt8(ascii: "n"):
        // A name after a backslash: `Tern\next` is written with two.
        bytes.append(10)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "r"): break
      case let next: bytes.append(next)
      }
      index += 2
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `Error(code: 0): no price at /app/src/Till.php:171)` with its stack below.
  private static func exception(_ text: String, _ report: inout CrashReport) -> LanguageException? {
    var head = text
    var stack = ""
    if let mark = text.firstRange(of: "[stacktrace]") {
      head = String(text[..<mark.lowerBound])
      stack = String(text[mark.upperBound...])
    }
    head = String(head[...].trimmed)
    while head.last?.isNewline == true || head.last == ")" { head.removeLast() }
    guard let open = head.firstRange(of: "(code: "),
      let close = head[open.upperBound...].firstRange(of: "): ")
    else { return nil }
    let type = String(head[..<open.lowerBound])
    var message = String(head[close.upperBound...])
    var location = ""
    if let at = message.lastIndexOfAt {
      location = String(message[at.upperBound...])
      message = String(message[..<at.lowerBound])
    }
    var trace = PHPTrace(ByteView("\(type): \(message) in \(location)".utf8).bytes)
    _ = trace.read(ByteView("Stack trace:".utf8).bytes)
    for line in stack.split(whereSeparator: \.isNewline).prefix(FormatLimits.framesPerStack) {
      guard trace.read(ByteView(line.utf8).bytes.trimmed) else { break }
    }
    let (exception, note) = trace.finished()
    if let note { report.notes.append(note) }
    return exception
  }

  /// `[2025-09-02 10:11:12] `, with a zone or in the server's.
  private static func time(_ prefix: RawSpan) -> Timestamp? {
    guard let open = prefix.find("["), let close = prefix.find("] ", from: open) else { return nil }
    return Timestamp(prefix.between(open + 1, close).name)
  }
}

extension String {
  /// The last ` at ` before a location.
  fileprivate var lastIndexOfAt: Range<Index>? {
    var result: Range<Index>?
    var from = startIndex
    while let found = self[from...].firstRange(of: " at ") {
      result = found
      from = found.upperBound
    }
    return result
  }

  fileprivate func components(separatedBy mark: String) -> [String] {
    var parts: [String] = []
    var from = startIndex
    while let found = self[from...].firstRange(of: mark) {
      parts.append(String(self[from..<found.lowerBound]))
      from = found.upperBound
    }
    return parts + [String(self[from...])]
  }
}
