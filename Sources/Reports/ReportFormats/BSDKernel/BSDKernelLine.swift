internal import Bytes

/// A line of a BSD kernel's log, which may begin with the time: `[  39.1414248] TEXT`, `[123] TEXT`.
enum BSDKernelLine {
  /// Where the text begins.
  static func content(_ line: RawSpan) -> Int {
    guard line.byteOrZero(0) == UInt8(ascii: "["), let end = timeEnd(line, from: 0) else {
      return 0
    }
    return line.skippingBlanks(from: end)
  }

  /// The start of the time at the end of `before`.
  static func timeStart(_ before: RawSpan) -> Int? {
    guard let open = before.findLast(UInt8(ascii: "[")), let end = timeEnd(before, from: open),
      before.skippingBlanks(from: end) == before.byteCount
    else { return nil }
    return open
  }

  private static func timeEnd(_ line: RawSpan, from open: Int) -> Int? {
    var index = line.skippingBlanks(from: open + 1)
    let first = index
    while line.byteOrZero(index).isDigit { index += 1 }
    guard index > first else { return nil }
    if line.byteOrZero(index) == UInt8(ascii: ".") {
      index += 1
      while line.byteOrZero(index).isDigit { index += 1 }
    }
    return line.byteOrZero(index) == UInt8(ascii: "]") ? index + 1 : nil
  }
}
