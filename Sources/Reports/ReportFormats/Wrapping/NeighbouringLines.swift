internal import Bytes

/// The lines next to one that may have a prefix, and how much of its beginning each could share.
///
/// Most lines that may begin a report have no prefix, and the next ones begin otherwise: then no prefix needs to be
/// made and compared.
struct NeighbouringLines {
  /// Lines that are looked at after the first, and before it.
  static let count = 8
  /// Lines that follow and have a prefix, of which no other line needs to tell.
  private static let block = 4

  private struct Line {
    let range: Range<Int>
    /// A prefix that ends behind here is not one of this line.
    let reach: Int
    let isIndented: Bool
  }

  private let own: Range<Int>
  private var start: Int { own.lowerBound }
  /// The part of the line that a prefix may have.
  private let head: Range<Int>
  private let overprints: Set<Int>
  private var cursor: LineCursor
  /// How many lines `cursor` may still look at.
  private var rest = count
  /// Lines that follow, without empty ones, as far as they were asked for.
  private var following: [Line] = []
  /// The line before, where none follows, once it was asked for.
  private var previous: Line??

  /// - Parameters:
  ///   - line: Where the line stands.
  ///   - head: How many of its bytes a prefix may have.
  ///   - overprints: Where lines begin that were printed over others, which do not count.
  init(of line: Range<Int>, head: Int, overprints: Set<Int>, in text: RawSpan) {
    own = line
    self.head = line.lowerBound..<(line.lowerBound + head)
    self.overprints = overprints
    cursor = LineCursor(min(line.upperBound + 1, text.byteCount)..<text.byteCount)
    following.reserveCapacity(Self.count)
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

  /// Whether they may have a prefix that ends at `end`, from the start of the line.
  mutating func canShare(_ end: Int, isTime: Bool, all: Bool, in text: RawSpan) -> Bool {
    let head = text.part(head)
    var length = min(end, head.byteCount)
    while length > 0, head.byte(length - 1).isBlank { length -= 1 }
    return length > 0 && share(isTime, all: all, in: text) { $0.reach >= length }
  }

  /// Whether they have `prefix`.
  ///
  /// The next one has it, or several soon after, between those of others. At the end of a text it is the line
  /// before, and a line that stands alone is enough where `isTime`. With `all`, no line may lack it.
  ///
  /// - Parameter isWord: Whether it ends in a word, so that lines that are the same throughout, such as calls of a
  ///   recursion, don't show where it ends.
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

  /// The line that follows as the one of that number.
  private mutating func following(_ index: Int, in text: RawSpan) -> Line? {
    while following.count <= index, rest > 0, let range = cursor.next(in: text) {
      rest -= 1
      if !overprints.isEmpty, overprints.contains(range.lowerBound) { continue }
      if let line = self.line(range, in: text) { following.append(line) }
    }
    return index < following.count ? following[index] : nil
  }

  /// The line before; `nil` where it is empty.
  private mutating func previous(in text: RawSpan) -> Line? {
    if let previous { return previous }
    let line = start > 0 ? line(before(start, in: text), in: text) : nil
    previous = .some(line)
    return line
  }

  /// How many of the lines before have a prefix; `nil` where one lacks it.
  ///
  /// - Parameter isEnough: Whether only the line directly before has to have it, and others may have been written
  ///   before the block.
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

  /// The line in `range`; `nil` where it is empty.
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
