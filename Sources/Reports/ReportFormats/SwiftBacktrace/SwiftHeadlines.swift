internal import Bytes

extension Headline.Kind {
  /// `*** Program crashed: …`, `*** Swift runtime failure: …`.
  static let swiftCrash = Headline.Kind("Swift crash")
  /// `Current stack trace:`, of Swift runtimes before 5.9 and without the backtracer.
  static let swiftTrace = Headline.Kind("Swift trace")
  /// A line with `"kind": "crashReport"`.
  static let swiftJSON = Headline.Kind("Swift JSON")
  /// `*** Signal 4: Backtracing from 0x1… done ***`, printed before the report itself.
  static let swiftSignal = Headline.Kind("Swift signal")
  /// `main/main.swift:1: Fatal error: …`, printed before the report itself.
  static let fatalError = Headline.Kind("fatal error")
}

/// The headlines of a Swift program's crash output.
enum SwiftHeadlines {
  /// Headlines of the report as text.
  static let text = [
    HeadlineRule(.swiftCrash, "Program crashed: ") { text, mark, _ in
      guard !text.has("Signal ", at: mark + 17), let start = marker(text, before: mark) else {
        return nil
      }
      return Headline.Location(start: start, content: mark)
    },
    HeadlineRule(.swiftCrash, "Swift runtime failure: ") { text, mark, _ in
      marker(text, before: mark).map { Headline.Location(start: $0, content: mark) }
    },
    HeadlineRule(.swiftTrace, "Current stack trace:"),
  ]

  /// Headlines of the report as JSON.
  static let json = [
    HeadlineRule(.swiftJSON, "\"kind\":") { text, mark, lines in
      let colon = mark + 6
      let value = text.skippingBlanks(from: colon + 1)
      guard text.has("\"crashReport\"", at: value) else { return nil }
      // The object begins before it, mostly on the same line.
      let near = max(lines.start(of: mark, in: text), colon - 512)
      let brace = text.part(near..<colon).findLast(UInt8(ascii: "{"))
      return Headline.Location(start: brace.map { near + $0 } ?? mark, content: value)
    }
  ]

  /// The marks that the runtime and the backtracer print before either.
  static let before = [
    HeadlineRule(.swiftSignal, "Program crashed: ", role: .precedes) { text, mark, _ in
      guard text.has("Signal ", at: mark + 17), let start = marker(text, before: mark) else {
        return nil
      }
      return Headline.Location(start: start, content: mark + 17)
    },
    HeadlineRule(.swiftSignal, ": Backtracing from ", role: .precedes, after: .digit) {
      text, mark, _ in
      var start = mark
      while start > 0, text.byte(start - 1).isDigit, mark - start < 4 { start -= 1 }
      guard text.has("*** Signal ", at: start - 11) else { return nil }
      return Headline.Location(start: start - 11, content: start - 7)
    },
    HeadlineRule(.fatalError, ": Fatal error", role: .precedes, after: .digit) { _, mark, _ in
      Headline.Location(start: mark + 2, content: mark + 2)
    },
    HeadlineRule(.fatalError, "Fatal error: ", role: .precedes),
    // `precondition` and `assert` print a message in the same form.
    HeadlineRule(.fatalError, " failed: ", role: .precedes) { text, mark, _ in
      guard
        text.has("Precondition", at: mark - 12)
          || text.has("Assertion", at: mark - 9) && !isOfC(text, mark)
      else { return nil }
      return Headline.Location(start: mark, content: mark + 9)
    },
  ]

  /// Whether C's `assert` printed the line: `(x), function f, file a.c, line 5.`, `x, file a.c, line 5` or
  /// `x (a.c: f: 5)`.
  private static func isOfC(_ text: RawSpan, _ mark: Int) -> Bool {
    let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 4096)
    let line = text.between(mark, end).trimmed
    let hasLocation = line.contains(", function ") || line.contains(", file ")
    if hasLocation, line.contains(", line ") { return true }
    guard line.ends(with: ")"), let colon = line.findLast(": "), line.findLast(" (") != nil else {
      return false
    }
    var digits = colon + 2
    return line.decimal(at: &digits) != nil && digits == line.byteCount - 1
  }

  /// The start of `*** ` or of the bomb before the text at `index`.
  private static func marker(_ text: RawSpan, before index: Int) -> Int? {
    if text.has("*** ", at: index - 4) { return index - 4 }
    // U+1F4A3 is the bomb, U+1F4A5 the collision.
    if text.has("\u{1f4a3} ", at: index - 5) || text.has("\u{1f4a5} ", at: index - 5) {
      return index - 5
    }
    return nil
  }
}
