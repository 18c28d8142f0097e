internal import Bytes

/// The lines next to one that may have a prefix, and the length of the start that each could share with it.
///
/// Most lines that may begin a report have no prefix, and the next ones begin differently: then no prefix
/// needs to be built and compared.
struct NeighbouringLines {
  /// The number of lines that are read after the first, and before it.
  static let count = 8
  /// The number of following lines with a prefix that suffice as evidence.
  private static let block = 4

  private struct Line {
    let range: Range<Int>
    /// The longest possible end of this line's prefix.
    let reach: Int
    let isIndented: Bool
  }

  private let own: Range<Int>
  private var start: Int { own.lowerBound }
  /// The part of the line that a prefix may have.
  private let head: Range<Int>
  private let overprints: Set<Int>
  private var cursor: LineCursor
  /// The number of lines that `cursor` may still read.
  private var rest = count
  /// Lines that follow, without empty ones, as far as they were requested.
  private var following: [Line] = []
  /// The previous line, if none follows, once it was requested.
  private var previous: Line??

  /// - Parameters:
  ///   - line: The range of the line.
  ///   - head: The most bytes of a prefix.
  ///   - overprints: The starts of lines that were printed over others, which are ignored.
  init(of line: Range<Int>, head: Int, overprints: Set<Int>, in text: RawSpan) {
    own = line
    self.head = line.lowerBound..<(line.lowerBound + head)
    self.overprints = overprints
    cursor = LineCursor(min(line.upperBound + 1, text.byteCount)..<text.byteCount)
    following.reserveCapacity(Self.count)
  }

  /// Whether one of the lines after that of `index` fulfils a condition.
  static func following(_ index: Int, in text: RawSpan, _ condition: (RawSpan) -> Bool) -> Bool {
    guard let end = text.find(10, from: index) else { return false }
    var cursor = LineCursor(end + 1..<text.byteCount)
    for _ in 0...count {
      guard let range = cursor.next(in: text) else { return false }
      if condition(text.part(range).upTo(FormatLimits.nameBytes)) { return true }
    }
    return false
  }

  /// Whether no line can share anything with it.
  mutating func differ(in text: RawSpan) -> Bool {
    var index = 0
    while let line = following(index, in: text) {
      if line.reach > 0 { return false }
      if index == 0, line.isIndented { return true }
      index += 1
    }
    return index > 0 || previous(in: text)?.reach == 0
  }

  /// Whether the lines may share a prefix that ends at `end`, from the start of the line.
  mutating func canShare(_ end: Int, isTime: Bool, all: Bool, in text: RawSpan) -> Bool {
    let head = text.part(head)
    var length = min(end, head.byteCount)
    while length > 0, head.byte(length - 1).isBlank { length -= 1 }
    return length > 0 && share(isTime, all: all, in: text) { $0.reach >= length }
  }

  /// Whether the lines have `prefix`.
  ///
  /// The next one must have it, or several soon after, between lines of others. At the end of a text, the
  /// line before must have it, and a single line is enough if `isTime`. With `all`, no line may lack it.
  ///
  /// - Parameter isWord: Whether it ends in a word, so that lines that are the same throughout, such as calls
  ///   of a recursion, don't show its end.
  mutating func share(
    _ prefix: LinePrefix, isTime: Bool, all: Bool, isWord: Bool = false, in text: RawSpan
  ) -> Bool {
    share(isTime, all: all, isWord: isWord, in: text) {
      prefix.length(in: Self.part($0.range, of: text), of: text) != nil
    }
  }

  private mutating func share(
    _ isTime: Bool, all: Bool, isWord: Bool = false, in text: RawSpan, _ has: (Line) -> Bool
  ) -> Bool {
    var others = 0
    var count = 0
    var index = 0
    while let line = following(index, in: text) {
      index += 1
      if isWord, isSame(line, in: text) { continue }
      if has(line) {
        count += 1
        if !all, others == 0 || count == 2 { return true }
      } else {
        if all { return false }
        // An indented line continues the one before.
        if others == 0, line.isIndented { return false }
        others += 1
      }
    }
    if all {
      return preceding(isEnough: count >= Self.block, in: text, has).map { count + $0 > 1 } ?? false
    }
    if others > 0 { return false }
    return previous(in: text).map(has) ?? isTime
  }

  private func isSame(_ line: Line, in text: RawSpan) -> Bool {
    text.part(line.range).equals(text.part(own))
  }

  /// The following line with that index.
  private mutating func following(_ index: Int, in text: RawSpan) -> Line? {
    while following.count <= index, rest > 0, let range = cursor.next(in: text) {
      rest -= 1
      if !overprints.isEmpty, overprints.contains(range.lowerBound) { continue }
      if let line = self.line(range, in: text) { following.append(line) }
    }
    return index < following.count ? following[index] : nil
  }

  /// The line before; `nil` if it is empty.
  private mutating func previous(in text: RawSpan) -> Line? {
    if let previous { return previous }
    let line = start > 0 ? line(before(start, in: text), in: text) : nil
    previous = .some(line)
    return line
  }

  /// The number of preceding lines with a prefix; `nil` if one lacks it.
  ///
  /// - Parameter isEnough: Whether only the line directly before must have it, as others may have been
  ///   written before the block.
  private func preceding(isEnough: Bool, in text: RawSpan, _ has: (Line) -> Bool) -> Int? {
    var next = start
    var count = 0
    for _ in 0..<Self.count {
      guard next > 1 else { break }
      let range = before(next, in: text)
      next = range.lowerBound
      guard let line = line(range, in: text) else { continue }
      guard has(line) else { return isEnough && count > 0 ? count : nil }
      count += 1
    }
    return count
  }

  /// The line that ends before the one at `start`.
  private func before(_ start: Int, in text: RawSpan) -> Range<Int> {
    (text.findLast(10, before: start - 1).map { $0 + 1 } ?? 0)..<(start - 1)
  }

  /// The line in `range`; `nil` if it is empty.
  private func line(_ range: Range<Int>, in text: RawSpan) -> Line? {
    let line = Self.part(range, of: text)
    guard line.trimmed.byteCount > 0 else { return nil }
    return Line(
      range: range, reach: LinePrefix.reach(of: line, in: text.part(head)),
      isIndented: line.byte(0).isBlank)
  }

  @_lifetime(copy text)
  private static func part(_ range: Range<Int>, of text: RawSpan) -> RawSpan {
    text.part(range).upTo(4 * FormatLimits.prefixBytes)
  }
}
