internal import Bytes

/// The number that `cat -n`, `nl` or `grep -n` put before a line: `     12\t`, `12:`, `tern.log:12:`.
struct LineNumber {
  /// The most preceding lines that are read to find the start of the numbers.
  private static let lines = 256

  private let value: UInt64
  /// The name of a file before the digits.
  private let name: Range<Int>
  private let separator: UInt8
  /// The start of the line's own text.
  private let end: Int

  /// - Parameter line: A line and the text after it.
  private init?(_ line: RawSpan) {
    var index = line.skippingBlanks(from: 0)
    let isAligned = index > 0
    let digits = index
    if let value = line.decimal(at: &index), Self.ends(line.byteOrZero(index), isAligned) {
      // `10:11:12` is a time.
      guard
        !line.byteOrZero(index + 1).isDigit || !line.byteOrZero(index + 2).isDigit
          || line.byteOrZero(index + 3) != UInt8(ascii: ":")
      else { return nil }
      (self.value, name, separator) = (value, 0..<0, line.byte(index))
      end = index + 1
      return
    }
    let colon = line.upTo(FormatLimits.prefixBytes).find(UInt8(ascii: ":"), from: digits) ?? 0
    index = colon + 1
    guard !isAligned, colon > 0, let value = line.decimal(at: &index),
      line.byteOrZero(index) == UInt8(ascii: ":")
    else { return nil }
    for position in 0..<colon where line.byte(position).isBlank { return nil }
    (self.value, name, separator) = (value, 0..<colon, UInt8(ascii: ":"))
    end = index + 1
  }

  /// Only numbers before a tab are aligned: `  12: ` numbers the calls of a stack.
  private static func ends(_ byte: UInt8, _ isAligned: Bool) -> Bool {
    byte == 0x09 || !isAligned && byte == UInt8(ascii: ":")
  }

  /// The length of the number of a line; 0 for none.
  ///
  /// The adjacent lines have the adjacent numbers, and so do all before it, up to an empty line or the start
  /// of the text: calls are numbered too, but after a line without a number.
  static func end(of line: Range<Int>, in text: RawSpan) -> Int {
    guard let number = Self.of(line, in: text) else { return 0 }
    let next = min(line.upperBound + 1, text.byteCount)
    var hasNeighbour = false
    if next < text.byteCount {
      let following = next..<(text.find(10, from: next) ?? text.byteCount)
      guard number.precedes(Self.of(following, in: text), line.lowerBound, following, in: text)
      else { return 0 }
      hasNeighbour = true
    }
    var later = (number: number, start: line.lowerBound)
    for _ in 0..<lines {
      guard later.start > 0 else { break }
      let start = text.findLast(10, before: later.start - 1).map { $0 + 1 } ?? 0
      let before = start..<(later.start - 1)
      if text.part(before).trimmed.byteCount == 0 { break }
      guard let number = Self.of(before, in: text),
        number.precedes(later.number, start, later.start..<text.byteCount, in: text)
      else { return 0 }
      later = (number, start)
      hasNeighbour = true
    }
    return hasNeighbour ? number.end : 0
  }

  private static func of(_ line: Range<Int>, in text: RawSpan) -> LineNumber? {
    LineNumber(text.part(line).upTo(2 * FormatLimits.prefixBytes))
  }

  /// Whether `next` is the number after it, in the same file.
  private func precedes(
    _ next: LineNumber?, _ start: Int, _ line: Range<Int>, in text: RawSpan
  ) -> Bool {
    guard let next, next.value == value &+ 1, next.separator == separator else { return false }
    return text.between(start, start + name.count).equals(
      text.between(line.lowerBound, line.lowerBound + next.name.count))
  }
}
