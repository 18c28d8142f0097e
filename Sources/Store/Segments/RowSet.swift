/// A set of rows of one segment, a bit for each.
public struct RowSet: Hashable, Sendable {
  /// The number of rows of the segment.
  public let rowCount: Int
  /// A bit for each row, the lowest of the first word for row 0; those past the last row are 0.
  public internal(set) var words: [UInt64]

  /// The empty set.
  public init(rowCount: Int) {
    precondition(rowCount >= 0)
    self.rowCount = rowCount
    words = [UInt64](repeating: 0, count: (rowCount + 63) / 64)
  }

  /// The set of all rows.
  public init(allOf rowCount: Int) {
    self.init(rowCount: rowCount)
    for index in words.indices { words[index] = ~0 }
    clearRest()
  }

  /// The set with the bits of `words`; missing ones are 0, others than those of rows are ignored.
  public init(rowCount: Int, words: some Sequence<UInt64>) {
    self.init(rowCount: rowCount)
    for (index, word) in zip(self.words.indices, words) { self.words[index] = word }
    clearRest()
  }

  private mutating func clearRest() {
    let rest = rowCount & 63
    if rest > 0 { words[words.count - 1] &= (1 << UInt64(rest)) - 1 }
  }

  /// The number of rows in the set.
  ///
  /// - Complexity: O(n / 64).
  public var count: Int { words.reduce(0) { $0 &+ $1.nonzeroBitCount } }

  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  public func contains(_ row: Int) -> Bool {
    row >= 0 && row < rowCount && words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Traps for a row that the segment does not have.
  public mutating func insert(_ row: Int) {
    precondition(row >= 0 && row < rowCount)
    words[row >> 6] |= 1 << UInt64(row & 63)
  }

  /// Traps for a set of another number of rows.
  public mutating func formUnion(_ other: RowSet) {
    precondition(rowCount == other.rowCount)
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// Traps for a set of another number of rows.
  public mutating func subtract(_ other: RowSet) {
    precondition(rowCount == other.rowCount)
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  /// The rows in ascending order.
  public var rows: [Int] {
    var rows: [Int] = []
    rows.reserveCapacity(count)
    words.span.forEachRow(in: 0..<rowCount) { rows.append($0) }
    return rows
  }
}

extension Span<UInt64> {
  /// The words of a range that is not empty, and what of the first and of the last is in it.
  @inline(__always)
  static func place(_ range: Range<Int>) -> (first: Int, last: Int, head: UInt64, tail: UInt64) {
    let end = range.upperBound &- 1
    return (
      range.lowerBound &>> 6, end &>> 6, ~0 &<< UInt64(range.lowerBound & 63),
      ~0 &>> UInt64(63 &- end & 63)
    )
  }

  /// Calls `body` with each row of `range` whose bit is set.
  @inline(__always)
  func forEachRow(in range: Range<Int>, _ body: (Int) -> Void) {
    guard !range.isEmpty else { return }
    let (first, last, head, tail) = Self.place(range)
    for index in first...last {
      var word = self[index]
      if index == first { word &= head }
      if index == last { word &= tail }
      while word != 0 {
        body(index &<< 6 &+ word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  /// The number of rows of `range` whose bit is set.
  @inline(__always)
  func countRows(in range: Range<Int>) -> Int {
    guard !range.isEmpty else { return 0 }
    let (first, last, head, tail) = Self.place(range)
    guard last > first else { return (self[first] & head & tail).nonzeroBitCount }
    var count = (self[first] & head).nonzeroBitCount
    for index in (first &+ 1)..<last { count &+= self[index].nonzeroBitCount }
    return count &+ (self[last] & tail).nonzeroBitCount
  }
}
