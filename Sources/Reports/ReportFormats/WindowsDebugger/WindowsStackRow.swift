internal import Bytes

/// A row of a stack as the debuggers of Windows print it:
///     002df7e4 00fd1423 00fd1078 00fd1078 7f956000 tern!price+0x1e             kb, STACK_TEXT
///     00000000`04f13f70 000007fe`ef2eba34 : 0 1 2 3 : tern!price+0x1e          the same for 64 bits
///     03 002df7e4 00fd1423 tern!price+0x1e [c:\tern\desk.cpp @ 8]              kn, with the source
///     04 (Inline Function) --------`-------- tern!discount+0x5 [desk.cpp @ 14]
///     0915b6c0 6d9ebb8b 0xba90fd9                                              outside of all modules
struct WindowsStackRow {
  var returnAddress: UInt64?
  var module: String?
  var function: String?
  var offset: UInt64?
  /// The address, if neither module nor function is known.
  var address: UInt64?
  var file: String?
  var line: Int?
  var isInlined = false

  init?(_ text: RawSpan) {
    guard text.byteCount > 9, text.byteCount < 4096 else { return nil }
    var index = 0
    // The number of the frame, if there is one.
    var digits = 0
    if text.hexadecimalDigits(at: &digits) != nil, digits < 4, text.byteOrZero(digits) == 32 {
      index = text.skippingBlanks(from: digits)
    }
    if text.has("(Inline Function)", at: index) || text.has("(Inline) ", at: index) {
      isInlined = true
      guard let close = text.find(UInt8(ascii: ")"), from: index) else { return nil }
      index = text.skippingBlanks(from: close + 1)
      while Self.isFiller(text, at: index) { index = Self.next(text, after: index) }
    } else {
      guard let stack = Self.address(text, at: index) else { return nil }
      index = stack.end
      guard let back = Self.address(text, at: index) else { return nil }
      returnAddress = back.value
      index = back.end
      // Arguments of the call.
      while index < text.byteCount {
        if let argument = Self.address(text, at: index) {
          index = argument.end
        } else if text.byte(index) == UInt8(ascii: ":"), text.byteOrZero(index + 1) == 32 {
          index = text.skippingBlanks(from: index + 1)
        } else {
          break
        }
      }
    }
    guard readSymbol(text.from(index).trimmed) else { return nil }
  }

  /// The eight or sixteen digits at `index`, and the start of the next word.
  private static func address(_ text: RawSpan, at index: Int) -> (value: UInt64, end: Int)? {
    var end = index
    guard var value = text.hexadecimalDigits(at: &end) else { return nil }
    if end == index + 8, text.byteOrZero(end) == UInt8(ascii: "`") {
      var low = end + 1
      guard let rest = text.hexadecimalDigits(at: &low), low == end + 9 else { return nil }
      (value, end) = (value << 32 | rest, low)
    } else if end != index + 8, end != index + 16 {
      return nil
    }
    guard end == text.byteCount || text.byte(end) == 32 else { return nil }
    return (value, text.skippingBlanks(from: end))
  }

  /// `--------` or `` --------`-------- `` in place of addresses, and the colons between.
  private static func isFiller(_ text: RawSpan, at index: Int) -> Bool {
    text.has("--------", at: index) || text.has(": ", at: index)
  }

  private static func next(_ text: RawSpan, after index: Int) -> Int {
    text.skippingBlanks(from: text.find(32, from: index) ?? text.byteCount)
  }

  /// `tern!price+0x1e [c:\tern\desk.cpp @ 8]`, `tern+0x5289`, `0xba90fd9`.
  private mutating func readSymbol(_ whole: RawSpan) -> Bool {
    var text = whole
    if text.ends(with: "]"), let open = text.findLast(" ["), let at = text.from(open).find(" @ ") {
      file = text.between(open + 2, open + at).name
      var digits = open + at + 3
      line = text.decimal(at: &digits).flatMap { Int(exactly: $0) }
      text = text.upTo(open).trimmed
    }
    // `(FPO: [1,0,4])`, `(CONV: cdecl)`
    for mark: StaticString in [" (FPO: ", " (CONV: ", " (No FPO)"] {
      if let found = text.find(mark) { text = text.upTo(found).trimmed }
    }
    guard text.byteCount > 0 else { return false }
    if text.has("0x") {
      var index = 0
      address = text.hexadecimal(at: &index)
      return address != nil && index == text.byteCount
    }
    if let plus = text.findLast("+0x") {
      var index = plus + 1
      guard let value = text.hexadecimal(at: &index), index == text.byteCount else { return false }
      offset = value
      text = text.upTo(plus)
    }
    guard let mark = text.find(UInt8(ascii: "!")) else {
      // A module without symbols.
      guard offset != nil, text.find(32) == nil else { return false }
      module = text.name
      return true
    }
    guard mark > 0, text.upTo(mark).find(32) == nil else { return false }
    module = text.upTo(mark).name
    function = text.from(mark + 1).name
    return function?.isEmpty == false
  }
}

/// A stack that is being parsed.
struct WindowsDebuggerStack {
  var rows: [WindowsStackRow] = []
  var thread: UInt64?
  var name: String?
  /// Whether it is the stack of `STACK_TEXT`, which may be synthetic.
  var isAnalysis = false
}
