internal import Bytes
internal import CrashModel

/// `from FILE:LINE:in 'NAME': MESSAGE`, of which only file and line are required.
struct RubyLine {
  let hasFrom: Bool
  let frame: Frame
  /// The text after the call, if there is one.
  let message: String?

  init?(_ line: RawSpan) {
    var line = line.trimmed
    hasFrom = line.has("from ")
    if hasFrom { line = line.from(5) }
    var from = 0
    var found: (colon: Int, line: UInt64, end: Int)?
    // The file may have colons: the first one followed by a line number and a valid continuation counts.
    while let colon = line.find(UInt8(ascii: ":"), from: from), colon < 4096 {
      var index = colon + 1
      if let number = line.decimal(at: &index),
        line.has(":in ", at: index) || index == line.byteCount && hasFrom
      {
        found = (colon, number, index)
        break
      }
      from = colon + 1
    }
    guard let found, found.colon > 0, found.line < UInt64(Int32.max) else { return nil }
    var frame = Frame(position: .returnAddress)
    frame.file = line.upTo(found.colon).name
    frame.line = found.line > 0 ? Int(found.line) : nil
    guard found.end < line.byteCount else {
      self.frame = frame
      message = nil
      return
    }
    let open = found.end + 4
    let quote = line.byteOrZero(open)
    guard quote == UInt8(ascii: "`") || quote == UInt8(ascii: "'"),
      let close = Self.close(of: line, from: open + 1)
    else { return nil }
    frame.function = line.part((open + 1)..<close).name
    self.frame = frame
    if close + 1 == line.byteCount {
      message = nil
    } else {
      guard line.has(": ", at: close + 1) else { return nil }
      message = line.from(close + 3).name
    }
  }

  /// The quotation mark after a name, which may contain some.
  private static func close(of line: RawSpan, from start: Int) -> Int? {
    var from = start
    while let quote = line.find(UInt8(ascii: "'"), from: from) {
      if quote + 1 == line.byteCount || line.has(": ", at: quote + 1) { return quote }
      from = quote + 1
    }
    return nil
  }

  /// Ruby's own functions have the line of their caller.
  static func markOwn(_ frames: inout [Frame]) {
    for index in frames.indices.dropLast() {
      let caller = frames[index + 1]
      guard frames[index].file == caller.file, frames[index].line == caller.line,
        frames[index].function != caller.function,
        frames[index].function.map({ !$0.contains(" in ") && !$0.hasPrefix("<") }) ?? false
      else { continue }
      frames[index].inApp = false
    }
  }

  /// The start of the file in a line that may have a logger's prefix.
  static func fileStart(of line: RawSpan, colon: Int) -> Int {
    let blanks = line.skippingBlanks(from: 0)
    let name = line.part(blanks..<colon)
    guard let blank = name.findLast(32) else { return blanks }
    // A file's name may have blanks; after a prefix it has a slash or is a word.
    if name.byteOrZero(0) == UInt8(ascii: "/") || name.has("from ") { return blanks }
    if let root = name.find(" /") { return blanks + root + 1 }
    return blanks + blank + 1
  }

  /// `message (Type)`, with the type at the end of the first line.
  static func setMessage(_ text: String, of exception: inout LanguageException) {
    guard text.utf8.last == UInt8(ascii: ")"), let open = text[...].lastRange(of: " ("),
      isConstant(text[open.upperBound...].dropLast()) || text[open.upperBound...].hasPrefix("#<")
    else {
      if text == "unhandled exception" { return exception.type = "RuntimeError" }
      // Without a message the type is alone.
      let isType = text.utf8.first.map { (65...90).contains($0) } ?? false
      if isType, !text.contains(" ") { exception.type = text } else { exception.message = text }
      return
    }
    exception.type = String(text[open.upperBound...].dropLast())
    exception.message = String(text[..<open.lowerBound])
  }

  /// Finds the type at the end of a message of several lines, where old versions and loggers write it.
  static func closeMessage(of exception: inout LanguageException) {
    guard let message = exception.message, message.utf8.last == UInt8(ascii: ")"),
      message.utf8.contains(10), let open = message[...].lastRange(of: " ("),
      isConstant(message[open.upperBound...].dropLast())
    else { return }
    // A one-word first line was taken for the type.
    let first = exception.type.map { $0 + (message.hasPrefix("\n") ? "" : "\n") } ?? ""
    if let type = exception.type, !message.hasPrefix("\n") || type.contains("::") { return }
    exception.type = String(message[open.upperBound...].dropLast())
    exception.message = first + String(message[..<open.lowerBound])
  }

  /// `Shop::Error`
  private static func isConstant(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (65...90).contains(first) else { return false }
    return text.utf8.allSatisfy {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":")
    }
  }

  /// `Type (message):` or `Type: message` in the last line with text before `start`.
  static func header(before start: Int, in text: RawSpan) -> (type: String, message: String?)? {
    let head = text.part(max(0, start - FormatLimits.nameBytes)..<start)
    var end = head.byteCount
    var others = 0
    for _ in 0..<16 {
      guard end > 0, others < 3 else { return nil }
      let from = (head.upTo(end - 1).findLast(10) ?? -1) + 1
      let line = head.part(from..<max(from, end - 1)).trimmed
      end = from
      guard line.byteCount > 0 else {
        others += 1
        continue
      }
      // For templates, the lines around the error follow: `    11: <%= @cart.total %>`.
      var digits = 0
      if line.decimal(at: &digits) != nil, line.byteOrZero(digits) == UInt8(ascii: ":") { continue }
      if line.ends(with: "):"), let open = line.find(" (") {
        let name = rubyName(line, endingAt: open)
        guard name.hasSuffix("Error") || name.hasSuffix("Exception") || name.contains("::"),
          open + 2 <= line.byteCount - 2
        else { return nil }
        return (name, line.part((open + 2)..<(line.byteCount - 2)).name)
      }
      var position = 0
      while let colon = line.find(": ", from: position) {
        if let word = ExceptionLine.typeStart(endingAt: colon, in: line),
          line.part(word..<colon).ends(with: "Error")
            || line.part(word..<colon).ends(with: "Exception")
        {
          return (rubyName(line, endingAt: colon), line.from(colon + 2).name)
        }
        position = colon + 2
      }
      return nil
    }
    return nil
  }

  /// `ActiveRecord::RecordNotFound` before `end`.
  private static func rubyName(_ line: RawSpan, endingAt end: Int) -> String {
    var start = end
    while start > 0 {
      let byte = line.byte(start - 1)
      guard byte.isLetter || byte.isDigit || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "_")
      else {
        break
      }
      start -= 1
    }
    return line.part(start..<end).name
  }
}
