internal import Bytes

/// The line of an exception: `Exception in thread "main" java.lang.Error: MESSAGE`, `Caused by: java.lang.Error`.
struct JavaHeader {
  /// The range of the exception's class name.
  let type: Range<Int>
  /// The start of its message; `nil` if there is none.
  let message: Int?
  /// The start of the part of the line that belongs to Java.
  let start: Int
  /// Whether it is one of the exceptions inside another's trace.
  let isInside: Bool

  /// Reads a line without its end.
  init?(_ line: RawSpan) {
    var position = line.skippingBlanks(from: 0)
    var start = position
    if let found = line.find("Exception in thread \""),
      let close = line.find("\" ", from: found + 21)
    {
      start = found
      position = close + 2
    } else if let found = line.find("== Java Exception: ") {
      start = found
      position = found + 19
    }
    var isInside = false
    for words: StaticString in ["Caused by: ", "Suppressed: ", "Wrapped by: "] {
      if line.has(words, at: position) {
        isInside = true
        start = position
        position += words.utf8CodeUnitCount
      }
    }
    if line.has("[CIRCULAR REFERENCE", at: position) { return nil }
    if let end = Self.endOfType(line, at: position, needsWord: false) {
      type = position..<end
    } else if let found = Self.laterType(line, from: position) {
      // The rest of a logger's line.
      type = found
      start = found.lowerBound
      for words: StaticString in ["Caused by: ", "Suppressed: ", "Wrapped by: "]
      where line.has(words, at: start - words.utf8CodeUnitCount) {
        isInside = true
        start -= words.utf8CodeUnitCount
      }
    } else {
      return nil
    }
    self.start = start
    self.isInside = isInside
    let colon = line.has(":", at: type.upperBound)
    message = colon ? line.skippingBlanks(from: type.upperBound + 1) : nil
  }

  /// The end of the class name at `start` that is followed by at most a message.
  private static func endOfType(_ line: RawSpan, at start: Int, needsWord: Bool) -> Int? {
    var index = start
    var part = start
    var dots = 0
    while index < line.byteCount, index - start < 512 {
      let byte = line.byte(index)
      if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") {
        guard index > part else { return nil }
        dots += 1
        part = index + 1
      } else if !(byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "$") || byte >= 0x80)
      {
        break
      }
      index += 1
    }
    guard index > part, line.byteOrZero(start).isLetter,
      index == line.byteCount || line.has(": ", at: index)
        || line.has(":", at: index) && index + 1 == line.byteCount || line.has(" [", at: index)
    else { return nil }
    let name = line.between(part, index)
    let isWord =
      name.ends(with: "Exception") || name.ends(with: "Error") || name.ends(with: "Throwable")
      || name.ends(with: "ThreadDeath")
    if isWord { return index }
    // `a.b.c` may be an obfuscated class; a host or a file has no colon and message.
    return !needsWord && dots > 0 && line.byte(part) != UInt8(ascii: "_") ? index : nil
  }

  /// The name of a class of exceptions further on in the line.
  private static func laterType(_ line: RawSpan, from start: Int) -> Range<Int>? {
    let line = line.upTo(start + 2048)
    var position = start
    while let blank = line.find(32, from: position) {
      position = blank + 1
      if let end = endOfType(line, at: position, needsWord: true) { return position..<end }
    }
    return nil
  }

  // MARK: Finding it

  /// The most lines of a message before its first call, and how many of them may be empty.
  private static let messageLines = 24
  private static let mostGaps = 4

  /// The line of the exception whose first call has a location at `mark`; `nil` for a later call, and for
  /// calls of causes.
  static func location(ofTraceWithCallAt mark: Int, in text: RawSpan) -> Headline.Location? {
    let limit = max(0, mark - 16384)
    let callStart = lineStart(text, before: mark, limit)
    let callEnd = text.find(10, from: mark) ?? text.byteCount
    guard JavaCall.start(text.between(callStart, callEnd)) != nil else { return nil }
    var end = callStart
    var gaps = 0
    for index in 0..<messageLines + 64 where end > limit {
      let start = lineStart(text, before: end - 1, limit)
      let line = text.between(start, end - 1).upTo(FormatLimits.lineBytes).trimmed
      end = start
      switch kind(of: line) {
      case .call: return nil
      case .callWithoutLocation: continue
      case .other: break
      }
      guard index < messageLines || line.byteCount > 0 else { return nil }
      let rest = text.between(start, start + line.byteCount + 64)
      let shown = rest.upTo(rest.find(10) ?? rest.byteCount).trimmed
      guard let header = JavaHeader(shown) else {
        if line.byteCount == 0, !isBelowScript(text, start, limit) { gaps += 1 }
        continue
      }
      // Above an empty line of the message, the line has nothing before the exception and none nested in it.
      if gaps > 0, header.start > 0 || header.isInside || gaps > mostGaps { return nil }
      if header.isInside, isAfterCalls(text, start, limit) { return nil }
      let from = start + rest.skippingBlanks(from: 0) + header.start
      let lineEnd = text.find(10, from: from) ?? text.byteCount
      return Headline.Location(start: from, content: from, lineEnd: lineEnd)
    }
    return nil
  }

  /// Whether the line before is a call of JavaScript: the stack in a message of React Native ends with an empty line.
  private static func isBelowScript(_ text: RawSpan, _ start: Int, _ limit: Int) -> Bool {
    let from = lineStart(text, before: start - 1, limit)
    let line = text.between(from, start - 1).upTo(FormatLimits.nameBytes).trimmed
    return ReactNativeMessage.isCall(line)
  }

  private enum LineKind {
    case call, callWithoutLocation, other
  }

  private static func kind(of line: RawSpan) -> LineKind {
    guard let start = JavaCall.start(line) else {
      if line.ends(with: " more"), line.contains("... ") { return .call }
      if line.ends(with: "common frames omitted") || line.contains("java.lang.Thread.State: ")
        || line.contains("\" tid=") || line.contains("- locked <") || line.contains("- waiting ")
        || line.contains("- parking to wait") || line.contains("- eliminated <")
      {
        return .call
      }
      return .other
    }
    let call = line.from(start)
    // Without debug information a call has only the file.
    for form: StaticString in [
      "Native Method)", "(Unknown Source)", ".java)", ".kt)", ".scala)", ".groovy)", ".clj)",
    ] where call.contains(form) {
      return .callWithoutLocation
    }
    return .call
  }

  /// Whether an exception inside another's trace has the other's calls before it.
  private static func isAfterCalls(_ text: RawSpan, _ start: Int, _ limit: Int) -> Bool {
    guard start > limit else { return false }
    var end = start
    for _ in 0..<messageLines where end > limit {
      let from = lineStart(text, before: end - 1, limit)
      let line = text.between(from, end - 1).upTo(FormatLimits.lineBytes).trimmed
      switch kind(of: line) {
      case .call, .callWithoutLocation: return true
      case .other:
        if let header = JavaHeader(line), !header.isInside { return true }
      }
      end = from
    }
    return false
  }

  private static func lineStart(_ text: RawSpan, before end: Int, _ limit: Int) -> Int {
    guard end > limit else { return limit }
    return text.between(limit, end).findLast(10).map { limit + $0 + 1 } ?? limit
  }
}
