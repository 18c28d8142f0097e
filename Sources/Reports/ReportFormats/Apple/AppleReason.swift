internal import Bytes
internal import CrashModel
internal import Identifiers

extension CrashReason {
  /// Applies the text after `Exception Subtype:` or `Exception Codes:`: `KERN_INVALID_ADDRESS at
  /// 0x0000000000000000`, `SEGV_MAPERR at 0x8`, `#0 at 0x1f`, `CPU`.
  mutating func applyAppleCode(_ text: String) {
    guard let range = text.firstRange(of: " at ") else {
      // Two bare numbers are codes that only the exception's type explains.
      if !text.hasPrefix("0x") && !text.isEmpty { code = code ?? text }
      return
    }
    let name = String(text[..<range.lowerBound])
    let digits = text[range.upperBound...].prefix { $0.isHexDigit || $0 == "x" }
    if !name.isEmpty && !name.hasPrefix("#") { code = code ?? name }
    if address == nil, digits.hasPrefix("0x"), let value = UInt64(digits.dropFirst(2), radix: 16) {
      address = Address(value)
    }
  }

  /// Sets the message from lines of application-specific information, and the exception that they describe.
  mutating func applyApplicationInformation(_ lines: [String]) {
    let telling = lines.filter { !AppleNames.isSurroundings($0) }
    let text = telling.joined(separator: "\n").trimmingBlankEnds()
    if message == nil && !text.isEmpty {
      message = (SwiftFatalError.message(in: text) ?? text).cutMessage
    }
    if exception == nil { exception = LanguageException(appleText: text) }
  }
}

extension LanguageException {
  /// Finds `*** Terminating app due to uncaught exception 'NAME', reason: 'TEXT'`, which the Objective-C
  /// runtime prints, the C++ runtime's text for an uncaught exception, or AppKit's `Crashing on exception:
  /// TEXT`.
  init?(appleText text: String) {
    if let start = text.firstRange(of: "uncaught exception '") {
      let rest = text[start.upperBound...]
      guard let quote = rest.firstIndex(of: "'") else { return nil }
      self.init(type: String(rest[..<quote]))
      let after = rest[quote...]
      let reason =
        after.firstRange(of: "reason: '").map { (after[$0.upperBound...], true) }
        ?? after.firstRange(of: "reason: ").map { (after[$0.upperBound...], false) }
      if let (reason, isQuoted) = reason {
        // The text may hold quotes and several lines; it ends where the runtime continues.
        var end = reason.endIndex
        for mark in ["'\n", "\nterminating with", "\n*** First throw", "\nabort() called"] {
          if let found = reason.firstRange(of: mark) { end = min(end, found.lowerBound) }
        }
        var message = reason[..<end]
        let isClosed = end < reason.endIndex && reason[end] == "'"
        if isQuoted && !isClosed && message.hasSuffix("'") { message.removeLast() }
        self.message = String(message)
      }
      return
    }
    // libc++abi: `terminating due to uncaught exception of type TYPE: TEXT`.
    if let start = text.firstRange(of: "uncaught exception of type ") {
      let line = text[start.upperBound...].prefix { !$0.isNewline }
      let colon = line.firstRange(of: ": ")
      self.init(
        type: String(line[..<(colon?.lowerBound ?? line.endIndex)]),
        message: colon.map { String(line[$0.upperBound...]) })
      return
    }
    if let start = text.firstRange(of: "Crashing on exception: ") {
      let line = text[start.upperBound...].prefix { $0 != "\n" }
      self.init(message: String(line))
      return
    }
    return nil
  }
}

extension String {
  /// The text without blanks and line ends at either end.
  func trimmingBlankEnds() -> String {
    var text = Substring(self)
    while let last = text.last, last == " " || last.isNewline || last == "\t" { text.removeLast() }
    while let first = text.first, first == " " || first.isNewline || first == "\t" {
      text.removeFirst()
    }
    return String(text)
  }

  /// The text cut to the limit of a message.
  var cutMessage: String { cut(AppleLimits.messageBytes) }

  /// The first bytes, cut between characters, with an ellipsis if something is left out.
  func cut(_ bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end =
      utf8.index(utf8.startIndex, offsetBy: bytes, limitedBy: utf8.endIndex) ?? utf8.endIndex
    while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end]) + "…"
  }

  /// The first range of `text`.
  func firstRange(of text: String) -> Range<String.Index>? { Substring(self).firstRange(of: text) }
}

extension Substring {
  /// The first range of `text`, compared byte by byte.
  func firstRange(of text: String) -> Range<String.Index>? { firstRange(ofBytes: text) }
}
