internal import Bytes

/// Finds the headlines of reports in a log of any length.
///
/// Every headline has a colon after a word that few other lines have there, so the search goes from
/// colon to colon.
struct HeadlineFinder {
  private var position = 0
  /// The start of the last line that was asked for, and up to where it is known to be the last.
  private var lineStart = 0
  private var walked = 0

  init() {}

  /// The next headline, in the order of the text. A line gives one.
  ///
  /// - Complexity: O(n) over all calls.
  mutating func next(in text: RawSpan) -> Headline? {
    while let colon = text.find(UInt8(ascii: ":"), from: position) {
      position = colon + 1
      guard let (kind, start, content) = match(text, colon: colon) else { continue }
      let from = lineStart(in: text, at: start)
      let cursorEnd = text.find(10, from: colon) ?? text.byteCount
      position = cursorEnd
      let end = cursorEnd > from && text.byte(cursorEnd - 1) == 13 ? cursorEnd - 1 : cursorEnd
      return Headline(kind: kind, line: from..<end, start: max(start, from), content: content)
    }
    position = text.byteCount
    return nil
  }

  /// Where the line of `index` begins. No byte is walked twice, however long the line.
  private mutating func lineStart(in text: RawSpan, at index: Int) -> Int {
    var start = index
    while start > walked {
      if text.byte(start - 1) == 10 {
        lineStart = start
        break
      }
      start -= 1
    }
    walked = max(walked, index)
    return min(lineStart, index)
  }

  private mutating func match(
    _ text: RawSpan, colon: Int
  ) -> (kind: Headline.Kind, start: Int, content: Int)? {
    switch text.byteOrZero(colon - 1) {
    case UInt8(ascii: "R") where text.has("ERROR: ", at: colon - 5):
      return Self.sanitizer(text, word: colon - 5, name: colon + 2)
    case UInt8(ascii: "G") where text.has("WARNING: ", at: colon - 7):
      guard
        text.has("ThreadSanitizer: ", at: colon + 2) || text.has("MemorySanitizer: ", at: colon + 2)
      else { return nil }
      return Self.sanitizer(text, word: colon - 7, name: colon + 2)
    case UInt8(ascii: "r"):
      if text.has("Sanitizer:DEADLYSIGNAL", at: colon - 9) {
        var start = colon - 9
        while start > 0, text.byte(start - 1).isLetter { start -= 1 }
        return (.deadlySignal, start, colon + 1)
      }
      if text.has(": runtime error: ", at: colon - 15) { return runtimeError(text, at: colon - 15) }
      if text.has("Fatal error: ", at: colon - 11) {
        return (.fatalError, colon - 11, colon + 2)
      }
      return nil
    case UInt8(ascii: "d") where text.has(" failed: ", at: colon - 7):
      // `precondition` and `assert` print a message in the same form.
      guard text.has("Precondition", at: colon - 19) || text.has("Assertion", at: colon - 16) else {
        return nil
      }
      return (.fatalError, colon - 7, colon + 2)
    case UInt8(ascii: "d") where text.has("Program crashed: ", at: colon - 15):
      guard let start = Self.swiftMarker(text, before: colon - 15) else { return nil }
      if text.has("Signal ", at: colon + 2) { return (.swiftSignal, start, colon + 2) }
      return (.swiftCrash, start, colon - 15)
    case UInt8(ascii: "e"):
      if text.has("Swift runtime failure: ", at: colon - 21) {
        guard let start = Self.swiftMarker(text, before: colon - 21) else { return nil }
        return (.swiftCrash, start, colon - 21)
      }
      if text.has("Current stack trace:", at: colon - 19) {
        return (.swiftTrace, colon - 19, colon + 1)
      }
      return nil
    case UInt8(ascii: "0")...UInt8(ascii: "9") where text.has(": Fatal error", at: colon):
      return (.fatalError, colon + 2, colon + 2)
    case UInt8(ascii: "0")...UInt8(ascii: "9") where text.has(": Backtracing from ", at: colon):
      var start = colon
      while start > 0, text.byte(start - 1).isDigit, colon - start < 4 { start -= 1 }
      guard text.has("*** Signal ", at: start - 11) else { return nil }
      return (.swiftSignal, start - 11, start - 7)
    case UInt8(ascii: "\"") where text.has("\"kind\":", at: colon - 6):
      let value = text.skippingBlanks(from: colon + 1)
      guard text.has("\"crashReport\"", at: value) else { return nil }
      // The object begins before it, mostly on the same line.
      let near = max(lineStart(in: text, at: colon - 6), colon - 512)
      let brace = text.part(near..<colon).findLast(UInt8(ascii: "{"))
      return (.swiftJSON, brace.map { near + $0 } ?? colon - 6, value)
    default: return nil
    }
  }

  /// The start of `*** ` or of the bomb that stands before the words at `index`.
  private static func swiftMarker(_ text: RawSpan, before index: Int) -> Int? {
    if text.has("*** ", at: index - 4) { return index - 4 }
    // U+1F4A3 is the bomb, U+1F4A5 the collision.
    if text.has("\u{1f4a3} ", at: index - 5) || text.has("\u{1f4a5} ", at: index - 5) {
      return index - 5
    }
    return nil
  }

  private static func sanitizer(
    _ text: RawSpan, word: Int, name: Int
  ) -> (kind: Headline.Kind, start: Int, content: Int)? {
    var end = name
    while end < text.byteCount, end - name < 64, text.byte(end).isLetter { end += 1 }
    guard text.has(": ", at: end) || hasOldForm(text, at: end) else { return nil }
    let known = text.has("Sanitizer", at: end - 9) || text.has("libFuzzer", at: end - 9)
    guard known, end - 9 >= name else { return nil }
    // `==123==` before it, with a blank where libFuzzer writes it.
    var start = word
    var index = word
    if index > 0, text.byte(index - 1) == 32 { index -= 1 }
    if text.has("==", at: index - 2) {
      index -= 2
      let digits = index
      while index > 0, text.byte(index - 1).isDigit, digits - index < 20 { index -= 1 }
      if index < digits, text.has("==", at: index - 2) { start = index - 2 }
    }
    return (.sanitizer, start, name)
  }

  /// Runtimes before 2013 put no colon between the sanitizer's name and the kind.
  private static func hasOldForm(_ text: RawSpan, at end: Int) -> Bool {
    guard text.byteOrZero(end) == 32 else { return false }
    let line = text.part(end..<min(text.find(10, from: end) ?? text.byteCount, end + 128))
    return line.contains(" on address 0x") || line.contains(" on unknown address 0x")
  }

  /// The place before `: runtime error: ` tells this from what other languages print: it ends with a
  /// line or column, or it is `<unknown>` or a module with an offset.
  private mutating func runtimeError(
    _ text: RawSpan, at index: Int
  ) -> (kind: Headline.Kind, start: Int, content: Int)? {
    let line = max(lineStart(in: text, at: index), index - 4096)
    let place = text.part(line..<index)
    let last = place.byteOrZero(place.byteCount - 1)
    if place.ends(with: "<unknown>") { return (.runtimeError, index - 9, index + 17) }
    if last == UInt8(ascii: ")"), let plus = place.findLast("+0x") {
      var end = plus + 3
      _ = place.hexadecimalDigits(at: &end)
      guard end == place.byteCount - 1, let open = place.findLast(UInt8(ascii: "("))
      else { return nil }
      return (.runtimeError, line + open, index + 17)
    }
    guard last.isDigit else { return nil }
    var end = place.byteCount
    while end > 0, place.byte(end - 1).isDigit { end -= 1 }
    guard end > 0, place.byte(end - 1) == UInt8(ascii: ":") else { return nil }
    // A path may hold blanks; a logger's prefix ends with one of these.
    var start = place.skippingBlanks(from: 0)
    for separator: StaticString in ["| ", ": ", "] ", "> ", "\t"] {
      if let found = place.findLast(separator) {
        start = max(start, place.skippingBlanks(from: found + separator.utf8CodeUnitCount))
      }
    }
    return (.runtimeError, line + start, index + 17)
  }
}
