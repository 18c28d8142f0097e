internal import Bytes
internal import CrashModel

/// A frame as gdb prints it.
///
///     #1  0x0000562cd409938d in main (argc=2, argv=<optimized out>) at till.cpp:36
///     #2  <signal handler called>
///     #3  0x00007f778873dbde in g_poll () from /lib64/libglib-2.0.so.0
///     #4  Cart::total (this=0x0) at cart.cpp:12          inlined into by the one before, or at a line's start
///
/// Source: `print_frame` in `gdb/stack.c`.
struct GDBFrame {
  let number: UInt64
  var address: UInt64?
  var function: String?
  var file: String?
  var line: Int?
  var library: String?
  var isSignalHandler = false

  /// - Parameter text: One frame without line ends.
  init?(_ text: RawSpan) {
    guard text.byteOrZero(0) == UInt8(ascii: "#") else { return nil }
    var index = 1
    guard let number = text.decimal(at: &index), text.byteOrZero(index).isBlank else { return nil }
    self.number = number
    index = text.skippingBlanks(from: index)
    if text.has("<signal handler called>", at: index) {
      isSignalHandler = true
      function = SignalTrampoline.placeholder
      return
    }
    if let value = text.hexadecimal(at: &index) {
      address = value
      index = text.skippingBlanks(from: index)
      guard text.has("in ", at: index) else { return nil }
      index = text.skippingBlanks(from: index + 3)
    }
    let rest = text.from(index).trimmed
    guard let arguments = Self.arguments(of: rest) else { return nil }
    let name = rest.upTo(arguments.lowerBound).trimmed
    if name.byteCount > 0, !name.has("??") { function = name.name }
    let after = rest.from(arguments.upperBound).trimmed
    if after.has("at ") {
      let location = SourceLocation(after.from(3).trimmed)
      if location.hasNumber { (file, line) = (location.file, location.line) }
      // Some tools write libraries this way.
      if !location.hasNumber, after.contains(".so") { library = after.from(3).trimmed.name }
    } else if after.has("from ") {
      library = after.from(5).trimmed.name
    }
  }

  /// The range of the arguments in parentheses, the last ones on the top level.
  ///
  /// Names have parentheses too: `std::function<void (int)>::operator() (this=0x0)`.
  private static func arguments(of text: RawSpan) -> Range<Int>? {
    var end = text.byteCount
    for words: StaticString in [") at ", ") from "] {
      if let found = text.findLast(words) { end = min(end, found + 1) }
    }
    if end == text.byteCount, text.byteOrZero(end - 1) != UInt8(ascii: ")") { return nil }
    // Values that gdb truncated leave brackets open.
    if let start = namedArguments(of: text), start < end { return start..<end }
    var depth = 0
    var isQuoted = false
    var index = end
    while index > 0 {
      index -= 1
      let byte = text.byte(index)
      if byte == UInt8(ascii: "\""), text.byteOrZero(index - 1) != UInt8(ascii: "\\") {
        isQuoted.toggle()
      }
      if isQuoted { continue }
      if byte == UInt8(ascii: ")") { depth += 1 }
      if byte == UInt8(ascii: "(") {
        depth -= 1
        if depth == 0 { return index..<end }
      }
    }
    return nil
  }

  /// The first opening parenthesis with a blank before it and `NAME=` inside.
  private static func namedArguments(of text: RawSpan) -> Int? {
    var from = 0
    while let found = text.find(" (", from: from) {
      var index = found + 2
      while text.byteOrZero(index).isLetter || text.byteOrZero(index).isDigit
        || text.byteOrZero(index) == UInt8(ascii: "_")
      {
        index += 1
      }
      if index > found + 2, text.byteOrZero(index) == UInt8(ascii: "=") { return found + 1 }
      from = found + 2
    }
    return nil
  }

  /// Whether the frame continues in the next line: a bracket is open.
  static func isOpen(_ text: RawSpan) -> Bool {
    if let at = text.findLast(") at "), SourceLocation(text.from(at + 5)).hasNumber { return false }
    var depth = 0
    var isQuoted = false
    for index in 0..<text.byteCount {
      let byte = text.byte(index)
      if byte == UInt8(ascii: "\""), text.byteOrZero(index - 1) != UInt8(ascii: "\\") {
        isQuoted.toggle()
      }
      if isQuoted { continue }
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
    }
    return depth > 0
  }
}
