internal import Bytes
internal import CrashModel

/// `  File "/app/tern.py", line 12, in charge`; `faulthandler` writes no comma after the number.
struct PythonFrameLine {
  let frame: Frame

  /// Reads a line without its indentation.
  init?(_ line: RawSpan) {
    // loguru marks the frame that caught the exception.
    let line = line.has("> File ") ? line.from(2) : line
    guard line.has("File \"") else { return nil }
    // A path may hold quotation marks.
    guard let mark = line.find("\", line ") else { return nil }
    var position = mark + 8
    var frame = Frame(position: .adjusted, file: line.between(6, mark).name)
    if let number = line.decimal(at: &position) {
      frame.line = number > 0 ? Int(exactly: number) : nil
    } else {
      // No line is known: `line ???`
      guard line.has("???", at: position) else { return nil }
      position += 3
    }
    if line.has(", in ", at: position) {
      frame.function = line.from(position + 5).trimmed.name
    } else if line.has(" in ", at: position) {
      frame.function = line.from(position + 4).trimmed.name
    }
    if frame.function?.isEmpty == true || frame.function == "???" { frame.function = nil }
    self.frame = frame
  }
}

/// One traceback and the exception below it.
struct PythonBlock {
  var type: String?
  private var words: [String] = []
  private var bytes = 0
  /// Oldest first.
  private var frames: [Frame] = []
  /// The members of a group.
  var members: [LanguageException] = []

  var isEmpty: Bool { type == nil && frames.isEmpty }
  var hasFrames: Bool { !frames.isEmpty }
  var wordCount: Int { words.count }

  /// `TYPE: MESSAGE`, with the first line of the message.
  var headline: String { [type, words.first].compactMap(\.self).joined(separator: ": ") }

  mutating func append(_ frame: Frame, counter: inout StackCounter) {
    counter.append(frame, to: &frames)
  }

  /// Reads `TYPE: MESSAGE` or `TYPE`; returns whether it is one.
  mutating func readException(_ line: RawSpan) -> Bool {
    var end = 0
    while end < line.byteCount, end < 512, Self.isOfType(line.byte(end)) { end += 1 }
    guard end > 0, !line.byte(0).isDigit,
      end == line.byteCount || line.has(": ", at: end)
        || line.has(":", at: end) && end + 1 == line.byteCount
    else { return false }
    let name = line.upTo(end)
    // The module of the program itself, which is printed before Python 3.11.
    type = (name.has("__main__.") ? name.from(9) : name).name
    if end < line.byteCount { addWords(line.from(end + 1).trimmed) }
    return true
  }

  private static func isOfType(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
  }

  /// Takes the exception that was printed before the stack.
  mutating func takeException(of early: PythonBlock) {
    type = early.type
    words = early.words
    bytes = early.bytes
  }

  /// Moves a line that was taken for the exception to the stack.
  mutating func forgetException() {
    type = nil
    words = []
    bytes = 0
  }

  /// Whether a line without distinguishing indentation is an exception rather than source: its class is
  /// spelled like one.
  static func looksLikeException(_ line: RawSpan) -> Bool {
    var end = 0
    var first = 0
    while end < line.byteCount, end < 512, isOfType(line.byte(end)) {
      if line.byte(end) == UInt8(ascii: ".") { first = end + 1 }
      end += 1
    }
    let capital = line.byteOrZero(first)
    return (65...90).contains(capital) && end > first
      && (end == line.byteCount || line.has(": ", at: end)
        || line.has(":", at: end) && end + 1 == line.byteCount)
  }

  mutating func addWords(_ line: RawSpan) {
    guard words.count < 64, bytes + line.byteCount < FormatLimits.nameBytes else { return }
    bytes += line.byteCount
    words.append(line.name)
  }

  consuming func exception() -> LanguageException {
    let message = words.isEmpty ? nil : words.joined(separator: "\n")
    return LanguageException(
      type: type, message: message, frames: frames.reversed(), inner: members)
  }
}
