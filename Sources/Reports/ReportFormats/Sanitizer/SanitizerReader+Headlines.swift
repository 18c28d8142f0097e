internal import Bytes

extension Headline.Kind {
  /// `==1==ERROR: AddressSanitizer: …`, `WARNING: ThreadSanitizer: …`, `==1== ERROR: libFuzzer: …`.
  static let sanitizer = Headline.Kind("sanitizer")
  /// `AddressSanitizer:DEADLYSIGNAL`, printed before the report itself.
  static let deadlySignal = Headline.Kind("deadly signal")
  /// `a.c:1:2: runtime error: …`.
  static let runtimeError = Headline.Kind("runtime error")
}

extension SanitizerReader {
  static let headlines = [
    HeadlineRule(.sanitizer, "ERROR: ", evidence: .line) { text, mark, _ in
      named(text, word: mark, name: mark + 7)
    },
    HeadlineRule(.sanitizer, "WARNING: ", evidence: .line) { text, mark, _ in
      let name = mark + 9
      guard text.has("ThreadSanitizer: ", at: name) || text.has("MemorySanitizer: ", at: name)
      else { return nil }
      return named(text, word: mark, name: name)
    },
    HeadlineRule(.deadlySignal, "Sanitizer:DEADLYSIGNAL", role: .announces(.sanitizer)) {
      text, mark, _ in
      var start = mark
      while start > 0, text.byte(start - 1).isLetter { start -= 1 }
      return Headline.Location(start: start, content: mark + 10)
    },
    HeadlineRule(.runtimeError, ": runtime error: ") { text, mark, lines in
      runtimeError(text, at: mark, &lines)
    },
  ]

  /// A sanitizer's name at `name`, after the word at `word`.
  private static func named(_ text: RawSpan, word: Int, name: Int) -> Headline.Location? {
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
    return Headline.Location(start: start, content: name)
  }

  /// Runtimes before 2013 put no colon between the sanitizer's name and the kind.
  private static func hasOldForm(_ text: RawSpan, at end: Int) -> Bool {
    guard text.byteOrZero(end) == 32 else { return false }
    let near = text.part(end..<(end + 128))
    let line = near.upTo(near.find(10) ?? near.byteCount)
    return line.contains(" on address 0x") || line.contains(" on unknown address 0x")
  }

  /// The source location before `: runtime error: ` distinguishes this from the output of other languages: it
  /// ends with a line or column, or it is `<unknown>` or a module with an offset.
  private static func runtimeError(
    _ text: RawSpan, at index: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let content = index + 17
    let line = max(lines.start(of: index, in: text), index - 4096)
    let source = text.part(line..<index)
    let last = source.byteOrZero(source.byteCount - 1)
    if source.ends(with: "<unknown>") {
      return Headline.Location(start: index - 9, content: content)
    }
    if last == UInt8(ascii: ")"), let plus = source.findLast("+0x") {
      var end = plus + 3
      _ = source.hexadecimalDigits(at: &end)
      guard end == source.byteCount - 1, let open = source.findLast(UInt8(ascii: "("))
      else { return nil }
      return Headline.Location(start: line + open, content: content)
    }
    guard last.isDigit else { return nil }
    var end = source.byteCount
    while end > 0, source.byte(end - 1).isDigit { end -= 1 }
    guard end > 0, source.byte(end - 1) == UInt8(ascii: ":") else { return nil }
    // A path may hold blanks; a logger's prefix ends with one of these characters.
    var start = source.skippingBlanks(from: 0)
    for separator: StaticString in [
      "| ", ": ", "] ", "> ", "\t", " stdout F ", " stderr F ", " stdout P ", " stderr P ",
    ] {
      if let found = source.findLast(separator) {
        start = max(start, source.skippingBlanks(from: found + separator.utf8CodeUnitCount))
      }
    }
    return Headline.Location(start: line + start, content: content)
  }
}
