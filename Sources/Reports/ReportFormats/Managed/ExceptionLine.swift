internal import Bytes

/// A line with an exception and its message, followed by its stack:
///
///     Shop.PaymentException: checkout failed
///        at Shop.Till.Charge(Decimal sum) in /src/Till.cs:line 40
///
/// Runtimes print no other mark when they write a stack into a log.
enum ExceptionLine {
  /// Lines between an exception and its stack that may belong to the message.
  private static let messageLines = 40
  /// Bytes within which the stack must begin.
  private static let messageBytes = 16 << 10
  private static let typeBytes = 512

  /// The colon after the type, with the next byte.
  static let marks: [StaticString] = [": ", ":\n", ":\r"]

  /// An exception with a stack in the lines after it.
  struct Found {
    /// The start of the type.
    let start: Int
    /// The form of the stack's first call.
    let shape: ManagedFrameShape
  }

  /// The condition of a rule whose mark is the colon after the type.
  ///
  /// - Parameter hasParts: Whether the type has a namespace, or a name that shows it is an error.
  static func locate(
    hasParts: Bool = false, _ kind: @escaping @Sendable (ManagedFrameShape) -> Bool
  ) -> HeadlineRule.Locate {
    { text, mark, lines in
      guard let found = lines.exception(before: mark, in: text), kind(found.shape) else {
        return nil
      }
      let type = text.part(found.start..<mark)
      if hasParts, !isError(type), type.find(UInt8(ascii: ".")) == nil { return nil }
      return Headline.Location(start: found.start, content: found.start)
    }
  }

  /// The exception whose type ends at the colon at `mark`.
  static func find(before mark: Int, in text: RawSpan, _ lines: inout LineStarts) -> Found? {
    guard let start = start(before: mark, in: text),
      // Few words before a colon have a stack after them.
      let shape = stack(after: mark, type: start..<mark, in: text),
      !text.part(start..<mark).ends(with: "JavascriptException"),
      // A message of Python.
      !text.has("Traceback (most recent call last):", at: mark + 2)
    else { return nil }
    let line = lines.start(of: start, in: text)
    guard start - line <= FormatLimits.prefixBytes, !isQuoted(text.part(line..<start)),
      isNearest(start..<mark, in: text)
    else { return nil }
    return Found(start: start, shape: shape)
  }

  /// Whether a type name is before the colon at `mark`.
  static func isPossible(_ text: RawSpan, _ mark: Int) -> Bool {
    start(before: mark, in: text) != nil
  }

  /// Whether a type name is before the colon at `mark`, and a call may be in the lines after it.
  static func mayHaveStack(_ text: RawSpan, _ mark: Int) -> Bool {
    guard let start = start(before: mark, in: text) else { return false }
    // A message of many lines may follow.
    if tellsError(start..<mark, in: text) { return true }
    return NeighbouringLines.following(mark, in: text) {
      $0.find(UInt8(ascii: "(")) != nil || $0.find(UInt8(ascii: "@")) != nil
        || $0.contains("at ") || $0.contains("---> ")
    }
  }

  /// Whether a type is that of an error, whatever follows it.
  private static func tellsError(_ type: Range<Int>, in text: RawSpan) -> Bool {
    isError(text.part(type)) || text.byteOrZero(type.upperBound - 1) == UInt8(ascii: ")")
      || text.byteOrZero(type.upperBound - 1) == UInt8(ascii: "]")
  }

  private static func start(before mark: Int, in text: RawSpan) -> Int? {
    let next = text.byteOrZero(mark + 1)
    guard next == 32 || next == 10 || next == 13, let start = typeStart(endingAt: mark, in: text),
      begins(text.byteOrZero(start - 1))
    else { return nil }
    return start
  }

  /// Whether a type may follow `byte`.
  private static func begins(_ byte: UInt8) -> Bool {
    byte < 33 || byte.isOne(of: "[|>:\"'")
  }

  /// The start of the type name that ends at `end`: letters, digits and full stops with the number of generic
  /// parameters, `[CODE]` of Node or `(0x80004005)` of .NET after it.
  static func typeStart(endingAt end: Int, in text: RawSpan) -> Int? {
    var nameEnd = end
    let last = text.byteOrZero(end - 1)
    if last == UInt8(ascii: "]") || last == UInt8(ascii: ")") {
      let open = last == UInt8(ascii: "]") ? UInt8(ascii: "[") : UInt8(ascii: "(")
      let from = max(0, end - typeBytes)
      guard let found = text.part(from..<end).findLast(open) else { return nil }
      nameEnd = from + found
      let code = text.part(nameEnd + 1..<end - 1)
      if last == UInt8(ascii: ")") {
        guard isCode(code) else { return nil }
      } else if isNumber(code), text.byteOrZero(nameEnd - 1) != 32 {
        // A program with the number of its process: `sshd[4711]: `.
        return nil
      }
      if text.byteOrZero(nameEnd - 1) == 32 { nameEnd -= 1 }
    }
    var start = nameEnd
    while start > 0, nameEnd - start < typeBytes, isTypeByte(text.byte(start - 1)) { start -= 1 }
    guard nameEnd - start > 2, isType(text.part(start..<nameEnd)) else { return nil }
    return start
  }

  private static func isNumber(_ text: RawSpan) -> Bool {
    for index in 0..<text.byteCount where !text.byte(index).isDigit { return false }
    return text.byteCount > 0
  }

  /// Whether a text is a code that .NET writes in parentheses after a type: `0x80004005`, `111`, `00000001,
  /// 11`.
  private static func isCode(_ text: RawSpan) -> Bool {
    for index in 0..<text.byteCount {
      let byte = text.byte(index)
      guard byte.hexadecimalDigit != nil || byte.isOne(of: "x,- ") else { return false }
    }
    return text.byteCount > 0
  }

  private static func isTypeByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "`") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "$")
      || byte >= 0x80
  }

  /// Whether the last part begins with a capital letter, and the name has parts or indicates an error.
  static func isType(_ name: RawSpan) -> Bool {
    guard
      name.byteOrZero(0).isLetter || name.byteOrZero(0) == UInt8(ascii: "_")
        || name.byteOrZero(0) >= 0x80
    else { return false }
    let dot = name.findLast(UInt8(ascii: "."))
    let first = name.byteOrZero((dot ?? -1) + 1)
    guard first.isLetter && first & 0x20 == 0 || first >= 0x80 || first == UInt8(ascii: "_") else {
      return isError(name)
    }
    return dot != nil || isError(name) || name.find(UInt8(ascii: "_")) == nil
  }

  private static func isError(_ name: RawSpan) -> Bool {
    name.ends(with: "Exception") || name.ends(with: "Error") || name.ends(with: "Fault")
      || name.ends(with: "Rejection") || name.ends(with: "Failure")
  }

  /// Whether a word that is only perhaps a type is the last before the message: `Ausnahme: Shop.Error: `.
  private static func isNearest(_ type: Range<Int>, in text: RawSpan) -> Bool {
    let name = text.part(type)
    if name.find(UInt8(ascii: ".")) != nil || isError(name) { return true }
    let rest = text.part((type.upperBound + 1)..<(type.upperBound + 1 + typeBytes)).trimmed
    guard let colon = rest.find(": "), let start = typeStart(endingAt: colon, in: rest) else {
      return true
    }
    return start != 0
  }

  /// Whether the exception belongs to one before it.
  private static func isQuoted(_ before: RawSpan) -> Bool {
    let before = before.trimmed
    return before.ends(with: "--->") || before.ends(with: "-->") || before.ends(with: "by:")
      || before.ends(with: "Suppressed:") || before.ends(with: "[cause]:") || before.has("[errors]")
      || before.has("---> (Inner Exception")
      // React Native's, with the stack in the message.
      || before.ends(with: "JavascriptException:") || before.ends(with: "Unhandled JS Exception:")
  }

  /// The form of the first call after an exception.
  private static func stack(
    after mark: Int, type: Range<Int>, in text: RawSpan
  ) -> ManagedFrameShape? {
    let stop = min(text.byteCount, mark + messageBytes)
    guard let end = text.find(10, from: mark), end < stop else { return nil }
    let tellsError = tellsError(type, in: text)
    var cursor = LineCursor(end + 1..<stop)
    var left = tellsError ? messageLines : 1
    while left > 0, let range = cursor.next(in: text) {
      let line = text.part(range).trimmed
      left -= 1
      if let shape = ManagedFrameShape(line) { return shape }
      if tellsError, ManagedFrameShape.isBareScript(line) { return .gecko }
      if line.has("---> ") {
        // The cause's message follows.
        left = messageLines
        continue
      }
      if left == 0 || startsAnother(line) { return nil }
    }
    return nil
  }

  /// Whether a line is an exception of its own, whose stack is not that of the one before.
  private static func startsAnother(_ line: RawSpan) -> Bool {
    if isOfAnotherRuntime(line) { return true }
    guard let colon = line.find(": "), let start = typeStart(endingAt: colon, in: line) else {
      return false
    }
    return start == 0 && isError(line.upTo(colon)) || line.find("---> ") != nil
  }

  /// Whether a report begins that has other text before the exception, or none.
  private static func isOfAnotherRuntime(_ line: RawSpan) -> Bool {
    for words: StaticString in [
      "Unhandled exception. ", "Unhandled Exception:", "Exception in thread \"", "goroutine ",
      "thread '", "#0 ", "Uncaught ",
    ] where line.has(words) { return true }
    // Unity's call: `Till:Charge () (at Assets/Till.cs:85)`.
    if line.ends(with: ")"), line.contains(") (at ") { return true }
    // After bars in the traceback of a group of exceptions.
    if line.contains("Traceback (most recent call last):") { return true }
    return line.has("==") && line.contains("==ERROR: ") || line.contains("wasm backtrace:")
  }
}
