internal import Bytes

extension Headline.Kind {
  /// `Unhandled exception. ` of .NET, `Unhandled Exception:` of .NET Framework and Mono.
  static let dotNetUnhandled = Headline.Kind(".NET unhandled exception")
  /// `Exception Info: ` in the event log of Windows.
  static let dotNetEvent = Headline.Kind(".NET event")
  /// A fatal error of the runtime, or of a program that ends itself by `FailFast`.
  static let dotNetFatal = Headline.Kind(".NET fatal error")
  /// An exception and its stack, with nothing before it.
  static let dotNetThrown = Headline.Kind(".NET exception")
  /// The native stack that Mono prints after a signal.
  static let monoNative = Headline.Kind("Mono native stack")
  /// The managed stack that Mono before 6 prints first.
  static let monoStack = Headline.Kind("Mono stack")
  /// `CLR: Managed code called FailFast, saying "…"`.
  static let monoFailFast = Headline.Kind("Mono FailFast")
}

extension DotNetReader {
  static let headlines =
    [
      HeadlineRule(.dotNetUnhandled, "Unhandled exception. "),
      HeadlineRule(.dotNetUnhandled, "Unhandled Exception:") { text, mark, _ in
        unhandled(mark, 20, in: text)
      },
      HeadlineRule(.dotNetUnhandled, "[ERROR] FATAL UNHANDLED EXCEPTION: "),
      HeadlineRule(.dotNetEvent, "Exception Info: "),
      HeadlineRule(.dotNetFatal, "Process terminated. ") { text, mark, _ in
        fatal(mark, content: mark + 20, in: text)
      },
      HeadlineRule(.dotNetFatal, "Fatal error. ") { text, mark, _ in
        fatal(mark, content: mark + 13, in: text)
      },
      HeadlineRule(.dotNetFatal, "Stack overflow.") { text, mark, _ in
        fatal(mark, content: mark, in: text)
      },
      HeadlineRule(.monoFailFast, "CLR: Managed code called FailFast", role: .precedes),
      HeadlineRule(.monoNative, "Native stacktrace:") { text, mark, _ in
        isAlone(mark, 18, in: text) ? Headline.Location(start: mark, content: mark + 18) : nil
      },
      HeadlineRule(.monoStack, "Stacktrace:") { text, mark, lines in
        let line = text.part(lines.start(of: mark, in: text)..<mark)
        guard !line.ends(with: "Managed "), isAlone(mark, 11, in: text),
          let next = firstLine(after: mark, lines: 4, in: text, where: isFrame)
        else { return nil }
        return next ? Headline.Location(start: mark, content: mark + 11) : nil
      },
    ]
    + ExceptionLine.marks.map {
      HeadlineRule(
        .dotNetThrown, $0, after: .type, evidence: .exception,
        locate: ExceptionLine.locate(hasParts: true) {
          if case .dotNet = $0 { true } else { false }
        })
    }

  /// Whether the line holds nothing else.
  private static func isAlone(_ mark: Int, _ count: Int, in text: RawSpan) -> Bool {
    let end = text.find(10, from: mark) ?? text.byteCount
    return text.part((mark + count)..<end).trimmed.byteCount == 0
  }

  private static func isFrame(_ line: RawSpan) -> Bool {
    if case .dotNet? = ManagedFrameShape(line) { return true }
    return line.has("at <unknown>")
  }

  /// Dart prints the same text, followed by other frames.
  private static func unhandled(_ mark: Int, _ count: Int, in text: RawSpan) -> Headline.Location? {
    let location = Headline.Location(start: mark, content: mark + count)
    let end = text.find(10, from: mark) ?? text.byteCount
    let rest = text.part((mark + count)..<end).trimmed
    if DotNetType(rest)?.name.contains(".") ?? false { return location }
    return firstLine(after: mark, lines: 40, in: text, where: isFrame) ?? false ? location : nil
  }

  private static func fatal(_ mark: Int, content: Int, in text: RawSpan) -> Headline.Location? {
    firstLine(after: mark, lines: 24, in: text, where: isFrame) ?? false
      ? Headline.Location(start: mark, content: content) : nil
  }

  /// Whether one of the next lines fulfils a condition.
  private static func firstLine(
    after mark: Int, lines: Int, in text: RawSpan, where condition: (RawSpan) -> Bool
  ) -> Bool? {
    guard let end = text.find(10, from: mark) else { return nil }
    var cursor = LineCursor(end + 1..<min(text.byteCount, end + 1 + FormatLimits.preludeBytes))
    for _ in 0..<lines {
      guard let range = cursor.next(in: text) else { return false }
      var line = text.part(range).trimmed
      if condition(line) { return true }
      if let hash = line.find("#0"), DartLine(line.from(hash)) != nil { return false }
      // A logger's prefix.
      if let at = line.find(" at ") {
        line = line.from(at + 1)
        if condition(line) { return true }
      }
    }
    return false
  }
}
