internal import Bytes

extension Headline.Kind {
  /// An exception with its stack.
  static let scriptThrown = Headline.Kind("JavaScript exception")
  /// The first line of a stack without an exception before it.
  static let scriptStack = Headline.Kind("JavaScript stack")
  /// `FILE:LINE` over a line of source and a caret, which Node prints before an uncaught exception.
  static let nodeExcerpt = Headline.Kind("Node source excerpt")
  /// `FATAL ERROR: …`
  static let v8Fatal = Headline.Kind("V8 fatal error")
  /// `# Fatal error in file.cc, line 12`
  static let v8Check = Headline.Kind("V8 check")
  /// The native stack that Node prints when it aborts.
  static let nodeNative = Headline.Kind("Node native stack")
}

extension JavaScriptReader {
  static let headlines =
    [
      HeadlineRule(.v8Fatal, "FATAL ERROR: ", locate: fatal),
      HeadlineRule(.v8Check, "# Fatal error in ", locate: check),
      HeadlineRule(.nodeNative, "----- Native stack trace -----"),
      HeadlineRule(.nodeNative, "1: 0x", locate: nativeStack),
      HeadlineRule(.scriptStack, "@[native code]", locate: firstFrame),
      SafariConsole.headline,
    ]
    + ExceptionLine.marks.map {
      HeadlineRule(.scriptThrown, $0, after: .type, evidence: .exception, locate: thrown)
    }
    + sources.map { source in
      let colon = source.utf8CodeUnitCount - 1
      return HeadlineRule(.nodeExcerpt, source, role: .announces(.scriptThrown)) {
        excerpt($0, $1 + colon, &$2)
      }
    }
    + (sources + [
      "webpack:", "native:", "@http:", "@https:", "@file:", "@resource:", "@chrome:",
      "@moz-extension:", "@app:", "@blob:",
      "@capacitor:", "@safari-extension:", "@Scratchpad/", "@webpack-internal:",
    ]).map { HeadlineRule(.scriptStack, $0, locate: firstFrame) }

  /// Forms of a source file before a line number.
  private static let sources: [StaticString] = [
    ".js:", ".ts:", ".mjs:", ".cjs:", ".jsx:", ".tsx:", ".mts:", ".cts:", ".vue:", ".svelte:",
    ".html:",
    ".bundle:", ".jsbundle:", "<anonymous>:", "[eval]:", "[stdin]:", "[worker eval]:", "node:",
  ]

  private static let thrownAlone = ExceptionLine.locate { isScript($0) }

  private static let thrown: HeadlineRule.Locate = { text, mark, lines in
    guard let start = ExceptionLine.typeStart(endingAt: mark, in: text) else { return nil }
    if let aggregate = aggregate(start..<mark, &lines, in: text) { return aggregate }
    return thrownAlone(text, mark, &lines)
  }

  private static func isScript(_ shape: ManagedFrameShape) -> Bool {
    switch shape {
    case .v8, .gecko: true
    case .dotNet, .java: false
    }
  }

  /// `[AggregateError: All promises were rejected] {`
  private static func aggregate(
    _ type: Range<Int>, _ lines: inout LineStarts, in text: RawSpan
  ) -> Headline.Location? {
    let (start, mark) = (type.lowerBound, type.upperBound)
    guard text.byteOrZero(start - 1) == UInt8(ascii: "[") else { return nil }
    let end = text.find(10, from: mark) ?? text.byteCount
    guard end - mark < FormatLimits.nameBytes, text.part(mark..<end).trimmed.ends(with: "] {")
    else {
      return nil
    }
    let line = lines.start(of: start, in: text)
    guard start - line <= FormatLimits.prefixBytes, !text.part(line..<start).contains("[cause]")
    else {
      return nil
    }
    return Headline.Location(start: start - 1, content: start)
  }

  /// `/src/cart.js:31`, a line of source, and carets below the part that failed.
  private static let excerpt: HeadlineRule.Locate = { text, mark, lines in
    var index = mark + 1
    guard text.byteOrZero(index).isDigit, text.decimal(at: &index) != nil,
      text.byteOrZero(index) == 10 || text.byteOrZero(index) == 13,
      let end = text.find(10, from: index), end - index < 2
    else { return nil }
    let start = lines.start(of: mark, in: text)
    let file = text.part(start..<mark).trimmed
    guard file.byteCount < FormatLimits.nameBytes, isFile(file),
      let source = text.find(10, from: end + 1), source - end < FormatLimits.nameBytes
    else { return nil }
    let carets = text.part((source + 1)..<(text.find(10, from: source + 1) ?? text.byteCount))
    guard carets.byteCount < FormatLimits.nameBytes, let first = carets.find(UInt8(ascii: "^")),
      carets.part(first..<carets.byteCount).trimmed.isOnly(UInt8(ascii: "^"))
    else { return nil }
    // A logger's prefix before the file.
    let blank = file.findLast(32).map { $0 + 1 } ?? 0
    let offset = file.byteOrZero(0) == UInt8(ascii: "/") || file.has("[") ? 0 : blank
    let indent = text.skippingBlanks(from: start)
    return Headline.Location(start: indent + offset, content: indent + offset)
  }

  private static func isFile(_ text: RawSpan) -> Bool {
    text.find("/") != nil || text.find("\\") != nil || text.find("[") != nil
      || text.find("node:") != nil || text.ends(with: ".js")
  }

  /// The first line of a stack: the line before is not part of it.
  private static let firstFrame: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    guard mark - start < FormatLimits.nameBytes else { return nil }
    let end = text.find(10, from: mark) ?? text.byteCount
    guard end - start < FormatLimits.nameBytes,
      let frame = JavaScriptLine.frameStart(of: text.part(start..<end))
    else { return nil }
    // Rust's and Java's calls look alike.
    if text.between(start, end).contains(".rs:") || text.between(start, end).contains(".java:") {
      return nil
    }
    if start > 0 {
      let before = text.part(max(0, start - FormatLimits.nameBytes)..<(start - 1))
      let previous = before.from((before.findLast(10) ?? -1) + 1)
      if JavaScriptLine.frameStart(of: previous) != nil { return nil }
      // The stack in a message of React Native.
      if ReactNativeMessage.isCall(previous.trimmed) || previous.trimmed.ends(with: ", stack:") {
        return nil
      }
      // `  12: NAME` and `  12:   0x55ac745d875a - NAME` above a place are Rust's.
      let call = previous.trimmed
      var digits = 0
      let isNumbered = call.decimal(at: &digits) != nil && call.has(": ", at: digits)
      if isNumbered || call.contains(" 0x") && call.contains(" - ") { return nil }
    }
    return Headline.Location(start: start + frame, content: start + frame)
  }

  /// Others print this text too: V8's messages are about its memory or its functions, and the native stack
  /// follows.
  private static let fatal: HeadlineRule.Locate = { text, mark, _ in
    let location = Headline.Location(start: mark, content: mark + 13)
    guard let end = text.find(10, from: mark) else {
      return text.from(mark).contains("JavaScript heap") ? location : nil
    }
    let line = text.part(mark..<end)
    if line.contains("JavaScript heap out of memory") || line.contains(" v8::") { return location }
    var cursor = LineCursor(end + 1..<min(text.byteCount, end + 1 + FormatLimits.preludeBytes))
    for _ in 0..<6 {
      guard let range = cursor.next(in: text) else { return nil }
      let line = text.part(range)
      if line.contains("----- Native stack trace -----") || line.contains(" 1: 0x") {
        return location
      }
    }
    return nil
  }

  /// Chromium writes this text too, with a stack of another kind.
  private static let check: HeadlineRule.Locate = { text, mark, _ in
    guard let end = text.find(10, from: mark) else { return nil }
    var cursor = LineCursor(end + 1..<min(text.byteCount, end + 1 + FormatLimits.preludeBytes))
    for _ in 0..<12 {
      guard let range = cursor.next(in: text) else { return nil }
      let line = text.part(range)
      // V8 without Node.
      if line.contains("==== C stack trace") { return nil }
      if line.contains("Native stack trace") || line.contains(" 1: 0x") || line.contains(" 1: 0000")
      {
        return Headline.Location(start: mark, content: mark + 17)
      }
    }
    return nil
  }

  /// ` 1: 0xb7a3e0 node::Abort() [node]`
  private static let nativeStack: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    guard text.byteOrZero(mark - 1) == 32 || mark == start else { return nil }
    let end = text.find(10, from: mark) ?? text.byteCount
    let line = text.part(mark..<end).trimmed
    guard line.ends(with: "]"), line.findLast(" [") != nil || line.findLast("] [") != nil else {
      return nil
    }
    return Headline.Location(start: mark, content: mark)
  }
}

extension RawSpan {
  /// Whether all bytes are `byte`, and there are some.
  fileprivate func isOnly(_ byte: UInt8) -> Bool {
    for index in 0..<byteCount where self.byte(index) != byte { return false }
    return byteCount > 0
  }
}

/// A line of a JavaScript stack, as it is in a log.
enum JavaScriptLine {
  /// The start of the call in a line, after a logger's prefix; `nil` if there is none.
  static func frameStart(of line: RawSpan) -> Int? {
    let blanks = line.skippingBlanks(from: 0)
    let trimmed = clean(line.from(blanks))
    if isFrame(trimmed) { return blanks }
    guard let at = line.find(" at "), endsPrefix(line.upTo(at)),
      case .v8? = ManagedFrameShape(clean(line.from(at + 1)))
    else { return nil }
    return at + 1
  }

  /// Whether the text before a call may be a logger's prefix. Frames of other languages name their location
  /// with the same word: `main() in tern at /src/tern.swift:11:11`.
  private static func endsPrefix(_ text: RawSpan) -> Bool {
    let last = text.byteOrZero(text.byteCount - 1)
    return last.isBlank || last.isOne(of: "|:>]-")
  }

  /// - Parameter line: The line without surrounding blanks.
  static func isFrame(_ line: RawSpan) -> Bool {
    switch ManagedFrameShape(line) {
    case .v8?, .gecko?: true
    case .dotNet?, .java?, nil: false
    }
  }

  /// The call without the text that follows it when Node prints an exception's properties after its stack.
  @_lifetime(copy line)
  static func clean(_ line: RawSpan) -> RawSpan {
    var line = line.trimmed
    if line.ends(with: " {") { line = line.upTo(line.byteCount - 2) }
    if line.ends(with: ",") { line = line.upTo(line.byteCount - 1) }
    if line.ends(with: "]"), !line.ends(with: "[native code]") {
      line = line.upTo(line.byteCount - 1)
    }
    return line.trimmed
  }
}
