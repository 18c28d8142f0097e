/// The text of an assertion, a fatal error, a panic or an abort message, as far as it belongs in a
/// key.
struct AssertionText {
  /// The base name of the source file, lower case.
  var file: String?
  /// Expression or message, without parameters.
  var text: String?

  /// The rule by which `text` is too general to distinguish bugs.
  static func genericRule(_ text: String, _ rules: RulesVersion) -> String? {
    let bytes = Scrubbing.scrub(text, limit: SigningLimits.messageBytes)
    let parameterised = MessageParameters.parameterised(text)
    if let rule = rules.messages.match(bytes)
      ?? rules.messages.match(NameBytes(parameterised.utf8))
    {
      return rule.id
    }
    // Letters beyond ASCII come from a system in another language, which words the same message differently
    // elsewhere: the frames decide.
    let isForeign = parameterised.unicodeScalars.contains {
      $0.value >= 0x80 && $0.properties.isAlphabetic
    }
    return isForeign ? "text in another language" : nil
  }

  /// Reads the forms in which runtimes write assertions. Any other text is taken whole.
  init(_ message: String, _ rules: RulesVersion) {
    let bytes = Scrubbing.scrub(message, limit: SigningLimits.messageBytes)
    let written: Parts =
      Self.swift(bytes) ?? Self.apple(bytes) ?? Self.glibc(bytes) ?? Self.glib(bytes)
      ?? Self.rust(bytes) ?? Self.chromium(bytes) ?? (nil, bytes)
    let parts = Self.refined(written)
    file = parts.file.flatMap(Self.baseName)
    let text = MessageParameters.parameterised(parts.message.text)
    self.text = text.isEmpty || Self.genericRule(parts.message.text, rules) != nil ? nil : text
  }

  /// The source file and the message of an assertion, as written.
  typealias Parts = (file: NameBytes?, message: NameBytes)

  /// The base name of a source file, lower case, as it is in keys.
  static func fileName(_ path: String) -> String? {
    baseName(Scrubbing.scrub(path, limit: SigningLimits.nameBytes))
  }

  private static func baseName(_ path: NameBytes) -> String? {
    let start = path.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    var name = Array(path[(start.map { $0 + 1 } ?? 0)...]).map { $0.lowercased }
    Scrubbing.shorten(&name, to: SigningLimits.tokenBytes)
    return name.isEmpty ? nil : name.text
  }

  /// `MODULE/FILE:LINE: Fatal error: TEXT`, also `Assertion failed` and `Precondition failed`.
  private static func swift(_ bytes: NameBytes) -> Parts? {
    for word: StaticString in [
      "Fatal error", "Precondition failed", "Assertion failed", "Fatal access conflict detected",
    ] {
      guard let position = bytes.find(word) else { continue }
      let end = position + word.utf8CodeUnitCount
      guard bytes.at(end) == UInt8(ascii: ":") || end == bytes.count else { continue }
      // Apple's C assertion begins the same, but has the expression in parentheses.
      if bytes.has(": (", at: end), bytes.find(", function ") != nil { return nil }
      var text = bytes.from(end + 1)
      while text.first == 0x20 { text.removeFirst() }
      if let tail = text.findLast(": file "), tail > 0, bytes.find(", line ") != nil {
        // The older form: `Fatal error: TEXT: file FILE, line LINE`.
        var file = text.from(tail + 7)
        if let comma = file.findLast(", line ") { file.cut(at: comma) }
        text.cut(at: tail)
        return (file: file, message: text)
      }
      return (file: fileBefore(bytes, position), message: text)
    }
    return nil
  }

  /// The file in `FILE:LINE: ` before `position`.
  private static func fileBefore(_ bytes: NameBytes, _ position: Int) -> NameBytes? {
    var end = position
    while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == UInt8(ascii: ":") { end -= 1 }
    var digits = end
    while digits > 0, bytes[digits - 1].isDigit { digits -= 1 }
    guard digits < end, digits > 0, bytes[digits - 1] == UInt8(ascii: ":") else { return nil }
    var start = digits - 1
    while start > 0, bytes[start - 1] != 0x20 { start -= 1 }
    return Array(bytes[start..<(digits - 1)])
  }

  /// `Assertion failed: (EXPRESSION), function F, file FILE, line 12.`
  private static func apple(_ bytes: NameBytes) -> Parts? {
    guard let start = bytes.find("Assertion failed: ("), let end = bytes.findLast("), function "),
      end > start, let file = bytes.findLast(", file ")
    else { return nil }
    var name = bytes.from(file + 7)
    if let comma = name.firstIndex(of: UInt8(ascii: ",")) { name.cut(at: comma) }
    return (file: name, message: Array(bytes[(start + 19)..<end]))
  }

  /// ``PROGRAM: FILE:12: FUNCTION: Assertion `EXPRESSION' failed.``, whatever the language and its
  /// quotation marks.
  private static func glibc(_ bytes: NameBytes) -> Parts? {
    var index = 0
    while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
      index = colon + 1
      let digits = bytes.digitsEnd(index)
      guard digits > index, bytes.has(": ", at: digits) else { continue }
      guard let quotes = quotes(bytes, from: digits) else { return nil }
      var start = colon
      while start > 0, bytes[start - 1] != 0x20 { start -= 1 }
      return (file: Array(bytes[start..<colon]), message: Array(bytes[quotes]))
    }
    return nil
  }

  /// The text in the first quotation marks of any language.
  private static func quotes(_ bytes: NameBytes, from start: Int) -> Range<Int>? {
    let pairs: [(StaticString, StaticString)] = [
      ("`", "'"), ("\u{2018}", "\u{2019}"), ("\u{201C}", "\u{201D}"), ("\u{BB}", "\u{AB}"),
      ("\u{AB}", "\u{BB}"), ("\u{201E}", "\u{201C}"), ("\u{300C}", "\u{300D}"),
      ("\u{2019}", "\u{2019}"),
    ]
    var best: Range<Int>?
    for (open, close) in pairs {
      guard let first = bytes.find(open, from: start), let last = bytes.findLast(close),
        last > first
      else { continue }
      let range = (first + open.utf8CodeUnitCount)..<last
      guard !range.isEmpty, best.map({ range.lowerBound < $0.lowerBound }) ?? true else { continue }
      best = range
    }
    guard var range = best else { return nil }
    while range.lowerBound < range.upperBound, bytes[range.lowerBound] == 0x20 {
      range = (range.lowerBound + 1)..<range.upperBound
    }
    while range.lowerBound < range.upperBound, bytes[range.upperBound - 1] == 0x20 {
      range = range.lowerBound..<(range.upperBound - 1)
    }
    return range
  }

  /// `ERROR:FILE:12:FUNCTION: assertion failed: (EXPRESSION)`
  private static func glib(_ bytes: NameBytes) -> Parts? {
    guard let mark = bytes.find("ERROR:"), let text = bytes.find(": assertion failed") else {
      return nil
    }
    var file = bytes.from(mark + 6)
    if let colon = file.firstIndex(of: UInt8(ascii: ":")) { file.cut(at: colon) }
    var message = bytes.from(text + 18)
    while message.first == 0x20 || message.first == UInt8(ascii: ":") { message.removeFirst() }
    return (file: file, message: message)
  }

  /// `thread 'main' panicked at src/main.rs:5:9: TEXT`, and the form before Rust 1.73 with the text
  /// first, in quotation marks.
  private static func rust(_ bytes: NameBytes) -> Parts? {
    guard let position = bytes.find("panicked at ") else { return nil }
    var rest = bytes.from(position + 12)
    if rest.first == UInt8(ascii: "'"), let end = rest.findLast("', ") {
      var file = rest.from(end + 3)
      if let colon = file.firstIndex(of: UInt8(ascii: ":")) { file.cut(at: colon) }
      return (file: file, message: Array(rest[1..<end]))
    }
    guard let colon = rest.find(".rs:") else { return nil }
    let file = Array(rest[..<(colon + 3)])
    var end = colon + 4
    while rest.at(end).isDigit || rest.at(end) == UInt8(ascii: ":") { end += 1 }
    rest = rest.from(end)
    while rest.first == 0x20 { rest.removeFirst() }
    return (file: file, message: rest)
  }

  /// `[FATAL:FILE(12)] Check failed: EXPRESSION`,
  /// `F1121 03:07:12 FILE:12] Check failed: EXPRESSION`.
  private static func chromium(_ bytes: NameBytes) -> Parts? {
    guard let position = bytes.find("] ") else { return nil }
    var index = position
    if bytes.at(index - 1) == UInt8(ascii: ")") { index -= 1 }
    var digits = index
    while digits > 0, bytes[digits - 1].isDigit { digits -= 1 }
    guard digits > 1, digits < index,
      bytes[digits - 1] == UInt8(ascii: "(") || bytes[digits - 1] == UInt8(ascii: ":")
    else { return nil }
    var start = digits - 1
    while start > 0, bytes[start - 1] != 0x20, bytes[start - 1] != UInt8(ascii: ":"),
      bytes[start - 1] != UInt8(ascii: "[")
    {
      start -= 1
    }
    return (
      file: Array(bytes[start..<(digits - 1)]), message: bytes.from(position + 2)
    )
  }
}
