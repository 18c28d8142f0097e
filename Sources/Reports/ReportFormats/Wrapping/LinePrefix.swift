internal import Bytes

/// The text that a logger, a container runtime, a tool or a quotation puts before each line of one source:
/// `2024-05-01T10:11:12Z web-1  | `, `May 01 10:11:12 host app[42]: `, `stderr F `, `12: `, `> `.
///
/// Another line has it if it reads the same, except for times, dates and separate numbers. Digits in a name
/// are part of it: `web-1` and `web-2` are two sources.
struct LinePrefix {
  /// The range of the prefix in the text, without the blanks at its end.
  let sample: Range<Int>
  /// Blanks at its end: more of them are the line's own indentation.
  private let blanks: Int
  private let tokens: [Token]
  /// Whether blanks may precede it: right-aligned numbers.
  private let isAligned: Bool

  private struct Token {
    let range: Range<Int>
    /// The offset of its bytes from which digits may differ.
    let generic: Int
    var isGeneric: Bool { generic == range.lowerBound }
    let follows: Bool
  }

  /// The prefix in `range` of a line of `text`; `nil` if it does not look like one: too long, indentation, or
  /// part of a format's own lines.
  /// - Parameters:
  ///   - ofAnyProcess: Whether the lines of other processes of the same name have it, too: `app[42]:`.
  ///   - isNumber: Whether it numbers the lines: smaller numbers may be aligned to it.
  init?(
    _ range: Range<Int>, in text: RawSpan, ofAnyProcess: Bool = false, isNumber: Bool = false
  ) {
    guard range.count <= FormatLimits.prefixBytes else { return nil }
    var end = range.upperBound
    while end > range.lowerBound, text.byte(end - 1).isBlank { end -= 1 }
    let first = text.skippingBlanks(from: range.lowerBound)
    guard first < end else { return nil }
    var tokens: [Token] = []
    var index = first
    while index < end {
      let start = index
      while index < end, !text.byte(index).isBlank { index += 1 }
      let token = start..<index
      tokens.append(
        Token(
          range: token, generic: Self.generic(token, in: text, ofAnyProcess), follows: start > first
        ))
      index = min(text.skippingBlanks(from: index), end)
    }
    guard let leading = tokens.first, Self.isBalanced(text.between(first, end)) else { return nil }
    isAligned = isNumber || first > range.lowerBound
    // Indentation is not a prefix: numbers are aligned, and Ant indents the name of a task.
    let isTask =
      text.byte(leading.range.lowerBound) == UInt8(ascii: "[")
      && text.byte(leading.range.upperBound - 1) == UInt8(ascii: "]")
    if first > range.lowerBound, !leading.isGeneric, !isTask { return nil }
    sample = first..<end
    blanks = range.upperBound - end
    self.tokens = tokens
    // `LogWindows: Error:` is part of Unreal's lines.
    let isUnreal = tokens.contains { token in
      let word = text.part(token.range)
      return word.has("Log") && word.ends(with: ":") && (65...90).contains(word.byteOrZero(3))
    }
    if isUnreal { return nil }
    // A kernel's times belong to its lines, and so do the bars of Python's groups.
    if Self.endsWithKernelTime(text.part(sample)) || Self.isFuchsia(text.part(sample)) {
      return nil
    }
  }

  /// Whether each bracket that is opened is closed: `[` of `[   12.345678]` is not a prefix.
  private static func isBalanced(_ text: RawSpan) -> Bool {
    var open = 0
    for index in 0..<text.byteCount {
      if text.byte(index) == UInt8(ascii: "[") { open += 1 }
      if text.byte(index) == UInt8(ascii: "]") { open -= 1 }
    }
    return open == 0
  }

  /// The start of the part of `token` whose digits may differ: all of a time or a number, the line number in
  /// `tern.log:12:`, none of a name.
  private static func generic(
    _ token: Range<Int>, in text: RawSpan, _ ofAnyProcess: Bool
  ) -> Int {
    if isGeneric(text.part(token)) { return token.lowerBound }
    if ofAnyProcess, let open = text.part(token).findLast(UInt8(ascii: "[")) {
      let rest = text.part(token).from(open + 1)
      var end = 0
      while rest.byteOrZero(end).isDigit { end += 1 }
      if end > 0, rest.byteOrZero(end) == UInt8(ascii: "]") {
        return token.lowerBound + open + 1
      }
    }
    var index = token.upperBound
    guard index - token.lowerBound > 3, text.byte(index - 1) == UInt8(ascii: ":") else {
      return token.upperBound
    }
    index -= 1
    while index > token.lowerBound, text.byte(index - 1).isDigit { index -= 1 }
    let isNumbered = index < token.upperBound - 1 && text.byteOrZero(index - 1) == UInt8(ascii: ":")
    return isNumbered ? index : token.upperBound
  }

  /// Whether `text` is a time, a date or a number, which may differ in the next line.
  private static func isGeneric(_ text: RawSpan) -> Bool {
    var hasDigit = false
    var index = 0
    while index < text.byteCount {
      let byte = text.byte(index)
      if byte.isDigit {
        hasDigit = true
        index += 1
      } else if byte.isLetter {
        let end = endOfLetters(in: text, from: index)
        let word = text.between(index, end)
        if LineTime.isName(word) {
          if index == 0 || !text.byte(index - 1).isDigit { hasDigit = true }
        } else if !(word.byteCount == 1 && (byte == UInt8(ascii: "T") || byte == UInt8(ascii: "Z")))
        {
          return false
        }
        index = end
      } else {
        guard byte.isOne(of: "-:.,/+[](){}|'\"<>~;") else { return false }
        index += 1
      }
    }
    return hasDigit
  }

  private static func endOfLetters(in text: RawSpan, from start: Int) -> Int {
    var end = start
    while end < text.byteCount, text.byte(end).isLetter { end += 1 }
    return end
  }

  /// `[00226.917444][1102][1192][kernels] WARN:`, which Fuchsia's reader evaluates itself.
  private static func isFuchsia(_ text: RawSpan) -> Bool {
    guard text.byteOrZero(0) == UInt8(ascii: "["), let close = text.find("]["), close < 20,
      text.upTo(close).find(UInt8(ascii: ".")) != nil
    else { return false }
    for index in 1..<close where !text.byte(index).isDigit && text.byte(index) != 0x2E {
      return false
    }
    return text.byteOrZero(close + 2).isDigit
  }

  /// `[   12.345678]`, `[   12.345678][  T123]`
  private static func endsWithKernelTime(_ text: RawSpan) -> Bool {
    guard text.ends(with: "]"), var open = text.findLast(UInt8(ascii: "[")) else { return false }
    let inner = text.between(open + 1, text.byteCount - 1).trimmed
    if inner.byteOrZero(0) == UInt8(ascii: "T") || inner.byteOrZero(0) == UInt8(ascii: "C") {
      guard open > 0, let before = text.findLast(UInt8(ascii: "["), before: open) else {
        return false
      }
      let end = open
      open = before
      return isKernelTime(text.between(open + 1, end).trimmed)
    }
    return isKernelTime(text.between(open + 1, text.byteCount))
  }

  private static func isKernelTime(_ text: RawSpan) -> Bool {
    let number = text.trimmed
    guard let dot = number.find(UInt8(ascii: ".")), dot > 0 else { return false }
    for index in 0..<dot where !number.byte(index).isDigit { return false }
    var end = dot + 1
    while number.byteOrZero(end).isDigit { end += 1 }
    return end == dot + 7 && number.byteOrZero(end) == UInt8(ascii: "]")
      && end + 1 == number.byteCount
  }

  /// Whether it holds a time or a number, and nothing else.
  var isGeneric: Bool { tokens.allSatisfy { $0.isGeneric } }

  /// Whether a suffix of the same quotation ends its lines: `said into stderr: "NOTICE: …"`.
  func isQuoted(in text: RawSpan) -> Bool { text.part(sample).ends(with: "\"") }

  /// The process that `NSLog` names in `prefix`: `2026-05-01 10:11:12.5+0200 Tern[4711:90211] `.
  static func loggedProcess(in prefix: RawSpan) -> (name: String, pid: Int)? {
    var end = 0
    while let close = prefix.find("]", from: end) {
      end = close + 1
      guard end == prefix.byteCount || prefix.byte(end).isBlank,
        let open = prefix.findLast(UInt8(ascii: "["), before: close)
      else { continue }
      var index = open + 1
      guard let pid = prefix.decimal(at: &index), prefix.byteOrZero(index) == UInt8(ascii: ":"),
        let number = Int(exactly: pid)
      else { continue }
      index += 1
      while prefix.byteOrZero(index).isDigit || prefix.byteOrZero(index).isLetter { index += 1 }
      let start = prefix.findLast(UInt8(ascii: " "), before: open).map { $0 + 1 } ?? 0
      if index == close, start < open { return (prefix.between(start, open).name, number) }
    }
    return nil
  }

  /// The length of the prefix in `line`; `nil` if it does not have it.
  func length(in line: RawSpan, of text: RawSpan) -> Int? {
    var index = isAligned ? line.skippingBlanks(from: 0) : 0
    // Most lines begin differently.
    let (first, other) = (text.byteOrZero(sample.lowerBound), line.byteOrZero(index))
    if first != other, first.isDigit != other.isDigit || first.isLetter != other.isLetter {
      return nil
    }
    for token in tokens {
      if token.follows {
        guard line.byteOrZero(index).isBlank else { return nil }
        index = line.skippingBlanks(from: index)
      }
      guard let end = Self.end(of: token, in: line, from: index, of: text) else { return nil }
      index = end
    }
    var rest = blanks
    while rest > 0, line.byteOrZero(index).isBlank {
      index += 1
      rest -= 1
    }
    // A longer word is another word.
    if blanks > 0, rest == blanks, index < line.byteCount { return nil }
    return index
  }

  private static func end(
    of token: Token, in line: RawSpan, from start: Int, of text: RawSpan
  ) -> Int? {
    let sample = text.part(token.range)
    let generic = token.generic - token.range.lowerBound
    if generic >= sample.byteCount {
      return line.between(start, start + sample.byteCount).equals(sample)
        ? start + sample.byteCount : nil
    }
    var index = 0
    var other = start
    while index < sample.byteCount {
      let byte = sample.byte(index)
      if index >= generic, byte.isDigit {
        guard line.byteOrZero(other).isDigit else { return nil }
        while index < sample.byteCount, sample.byte(index).isDigit { index += 1 }
        while other < line.byteCount, line.byte(other).isDigit { other += 1 }
      } else if index >= generic, byte.isLetter {
        let end = endOfLetters(in: sample, from: index)
        let otherEnd = endOfLetters(in: line, from: other)
        let word = sample.between(index, end)
        let otherWord = line.between(other, otherEnd)
        guard word.equals(otherWord) || LineTime.isName(word) && LineTime.isName(otherWord)
        else { return nil }
        index = end
        other = otherEnd
      } else {
        guard other < line.byteCount, line.byte(other) == byte else { return nil }
        index += 1
        other += 1
      }
    }
    return other
  }

  /// The length of the start that `head`, the beginning of a line, and `line` share, in bytes of `head`: no
  /// longer prefix is the prefix of both.
  static func reach(of line: RawSpan, in head: RawSpan) -> Int {
    // Blanks before a prefix belong to it if it has them.
    var index = head.skippingBlanks(from: 0)
    var other = index > 0 ? line.skippingBlanks(from: 0) : 0
    while index < head.byteCount, other < line.byteCount {
      let byte = head.byte(index)
      if byte.isDigit {
        guard line.byte(other).isDigit else { return index }
        while index < head.byteCount, head.byte(index).isDigit { index += 1 }
        while other < line.byteCount, line.byte(other).isDigit { other += 1 }
      } else if byte.isLetter {
        let end = endOfLetters(in: head, from: index)
        let otherEnd = endOfLetters(in: line, from: other)
        let word = head.between(index, end)
        let otherWord = line.between(other, otherEnd)
        guard word.equals(otherWord) || LineTime.isName(word) && LineTime.isName(otherWord)
        else { return index }
        index = end
        other = otherEnd
      } else if byte.isBlank {
        guard line.byte(other).isBlank else { return index }
        index = head.skippingBlanks(from: index)
        other = line.skippingBlanks(from: other)
      } else {
        guard line.byte(other) == byte else { return index }
        index += 1
        other += 1
      }
    }
    return index
  }
}
