internal import Bytes
internal import CrashModel

extension Headline.Kind {
  /// `[Error] TypeError: undefined is not an object`, above calls.
  static let safariConsole = Headline.Kind("Safari console")
}

/// Errors as Safari's console copies them:
///
///     [Error] TypeError: undefined is not an object (evaluating 'till.total')
///     	total (till.js:171:27)
///     	(anonymous function) (till.js:140:12)
///     	promiseReactionJob
enum SafariConsole {
  static let headline = HeadlineRule(.safariConsole, "[Error] ") { text, mark, _ in
    guard let end = text.find(10, from: mark), end - mark < FormatLimits.nameBytes else {
      return nil
    }
    let next = text.between(end + 1, end + 1 + 2048)
    guard frame(next.upTo(next.find(10) ?? next.byteCount).trimmed) != nil else { return nil }
    return Headline.Location(start: mark, content: mark + 8)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var words = text.between(section.headline.content, section.headline.line.upperBound).trimmed
    if words.has("Unhandled Promise Rejection: ") { words = words.from(29) }
    var exception = LanguageException()
    if let colon = words.find(": "), isType(words.upTo(colon)) {
      exception.type = words.upTo(colon).name
      exception.message = words.from(colon + 2).name.cutMessage
    } else {
      exception.message = words.name.cutMessage
    }
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var budget = StackBudget()
    while let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      guard let frame = frame(line) ?? native(line) else { break }
      end = lines.position
      if budget.takeFrame() { exception.frames.append(frame) }
    }
    guard !exception.frames.isEmpty else { return nil }
    var report = CrashReport(format: .javaScript)
    report.reason.exception = exception
    report.reason.type = exception.type ?? "JavaScript error"
    report.reason.message = exception.message
    if let note = budget.note { report.notes.append(note) }
    return LoggedReport(report: report, end: min(end, text.byteCount))
  }

  private static func isType(_ text: RawSpan) -> Bool {
    text.byteCount > 2 && text.find(32) == nil && text.byte(0).isLetter
  }

  /// `total (till.js:171:27)`, `(anonymous function) (till.js:140)`.
  private static func frame(_ line: RawSpan) -> Frame? {
    guard line.ends(with: ")"), let open = line.findLast(" ("), open > 0 else { return nil }
    let location = SourceLocation(line.part((open + 2)..<(line.byteCount - 1)))
    guard location.line != nil, location.file?.contains(" ") == false else { return nil }
    var frame = Frame(position: .returnAddress)
    frame.file = location.file
    frame.line = location.line
    frame.column = location.column
    let name = line.upTo(open).trimmed
    guard
      name.find(32) == nil || name.has("(anonymous function)") || name.has("global code")
        || name.has("module code") || name.has("async ")
    else { return nil }
    if !name.has("(anonymous function)") { frame.function = name.name }
    return frame
  }

  /// A function of the engine, which has no location: `promiseReactionJob`.
  private static func native(_ line: RawSpan) -> Frame? {
    guard line.byteCount > 0, line.byteCount < 128, line.byte(0).isLetter else { return nil }
    for index in 0..<line.byteCount {
      let byte = line.byte(index)
      guard byte.isLetter || byte.isDigit || byte == UInt8(ascii: ".") else { return nil }
    }
    return Frame(position: .returnAddress, function: line.name, inApp: false)
  }
}
