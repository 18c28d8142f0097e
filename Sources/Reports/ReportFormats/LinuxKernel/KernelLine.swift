internal import Bytes

/// A line of the kernel's log, without the prefix of its text.
///
///     <4>[  123.456789][ T5233] TEXT      level, seconds since the start, the task or processor
///     May 01 10:11:12 host kernel: [  123.456789] TEXT
///
/// Source: `kernel/printk/printk.c`, `print_prefix`.
struct KernelLine {
  /// Where the text begins.
  let content: Int
  /// The start of level and time, or of the text if there are none.
  let start: Int
  /// The range of the time, without its brackets.
  private(set) var time: Range<Int>?
  /// `T5233` or `C0`, without its brackets.
  private(set) var caller: Range<Int>?

  /// The longest prefix of a line.
  private static let prefixLimit = 256

  init(_ line: RawSpan) {
    let limit = min(line.byteCount, Self.prefixLimit)
    var from = 0
    var found: (start: Int, time: Range<Int>, end: Int)?
    // The last time counts: two lines may have been merged.
    while let open = line.upTo(limit).find(UInt8(ascii: "["), from: from) {
      from = open + 1
      if let end = Self.timeEnd(in: line, from: open) {
        found = (open, (open + 1)..<(end - 1), end)
        from = end
      } else if found != nil {
        break
      }
    }
    guard let found else {
      var index = line.skippingBlanks(from: 0)
      if let level = Self.levelEnd(in: line, at: index) { index = level }
      if let daemon = line.upTo(limit).find(" kernel: ") { index = daemon + 9 }
      start = line.skippingBlanks(from: index)
      content = start
      return
    }
    time = found.time
    var index = found.end
    // `[ T5233]`, `[    C0]`
    if line.byteOrZero(index) == UInt8(ascii: "[") {
      let word = line.skippingBlanks(from: index + 1)
      var digits = word + 1
      if line.byteOrZero(word) == UInt8(ascii: "T") || line.byteOrZero(word) == UInt8(ascii: "C"),
        line.decimal(at: &digits) != nil, line.byteOrZero(digits) == UInt8(ascii: "]")
      {
        caller = word..<digits
        index = digits + 1
      }
    }
    // A journal may write the name of the sender after the time.
    if line.has(" kernel: ", at: index) { index += 8 }
    content = line.skippingBlanks(from: index)
    var start = found.start
    if line.byteOrZero(start - 1) == UInt8(ascii: ">"), start >= 3 {
      let open = line.findLast(UInt8(ascii: "<"), before: start) ?? start
      if Self.levelEnd(in: line, at: open) == start { start = open }
    }
    self.start = start
  }

  /// The seconds since boot, if `line` gives them.
  func seconds(in line: RawSpan) -> Double? {
    time.flatMap { Double(line.part($0).trimmed.name) }
  }

  /// The end of `[  123.456789]` that begins at `open`.
  private static func timeEnd(in line: RawSpan, from open: Int) -> Int? {
    var index = line.skippingBlanks(from: open + 1)
    let first = index
    while line.byteOrZero(index).isDigit { index += 1 }
    guard index > first, line.byteOrZero(index) == UInt8(ascii: ".") else { return nil }
    let point = index
    index += 1
    while line.byteOrZero(index).isDigit { index += 1 }
    guard index > point + 3, line.byteOrZero(index) == UInt8(ascii: "]") else { return nil }
    return index + 1
  }

  /// The end of `<4>` that begins at `open`.
  private static func levelEnd(in line: RawSpan, at open: Int) -> Int? {
    guard line.byteOrZero(open) == UInt8(ascii: "<") else { return nil }
    var index = open + 1
    guard line.decimal(at: &index) != nil, line.byteOrZero(index) == UInt8(ascii: ">") else {
      return nil
    }
    return index + 1
  }
}
