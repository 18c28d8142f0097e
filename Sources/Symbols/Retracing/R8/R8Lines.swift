internal import Bytes
internal import Glibc

/// The lines of a mapping as ranges of its bytes, without the blanks around them.
struct R8Lines {
  /// The offset of the next line.
  private(set) var position: Int
  private let end: Int
  /// Whether the last line returned ends with a line feed.
  private(set) var isEnded = true
  /// Whether blanks preceded the last line returned.
  private(set) var isIndented = false

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next line; `nil` after the last.
  mutating func next(in bytes: RawSpan) -> Range<Int>? {
    guard position < end else { return nil }
    var start = position
    var stop = bytes.lineEnd(from: start, before: end)
    isEnded = stop < end
    position = isEnded ? stop + 1 : end
    while stop > start, bytes.byte(stop - 1).isBlankOrReturn { stop -= 1 }
    let first = start
    while start < stop, bytes.byte(start).isBlankOrReturn { start += 1 }
    isIndented = start > first
    return start..<stop
  }
}

extension RawSpan {
  /// The index of the next line feed, or `end`.
  func lineEnd(from start: Int, before end: Int) -> Int { index(of: 10, in: start..<end) ?? end }

  /// The first index of a byte in a range, which must be inside the bytes.
  func index(of byte: UInt8, in range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    return unsafe withUnsafeBytes { buffer -> Int? in
      guard let base = buffer.baseAddress,
        let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Whether a text is at an index, within a range.
  func has(_ text: StaticString, at index: Int, before end: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index >= 0, end <= byteCount, index <= end - count else { return false }
    return unsafe withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return count == 0 }
      return unsafe memcmp(base + index, text.utf8Start, count) == 0
    }
  }

  /// The last index of ` -> ` in a range.
  func lastArrow(in range: Range<Int>) -> Int? {
    var index = range.upperBound - 4
    while index >= range.lowerBound {
      if byte(index + 2) == UInt8(ascii: ">"), has(" -> ", at: index, before: range.upperBound) {
        return index
      }
      index -= 1
    }
    return nil
  }

  /// The text of a range; invalid UTF-8 is replaced.
  func string(_ range: Range<Int>) -> String { extracting(range).text }
}

extension UInt8 {
  var isBlankOrReturn: Bool { self == 32 || self == 9 || self == 13 }
  var isDigit: Bool { self &- 48 < 10 }
}
