/// Counts rows by a small number.
///
/// A processor waits for a count that it has just written, so few counts are kept four times each.
struct RankCounts {
  /// The numbers are below this.
  let size: Int
  /// One less than the number of times that each count is kept.
  private let mask: Int
  private var counts: [UInt32]

  /// Numbers up to which counts are kept several times.
  private static let few = 1 << 14

  init(size: Int) {
    self.size = size
    mask = size <= Self.few ? 3 : 0
    counts = [UInt32](repeating: 0, count: size * (mask + 1))
  }

  /// Counts the rows whose bit is set.
  ///
  /// - Parameter number: The number of a row, which must be in range.
  @inline(__always)
  mutating func add(_ words: Span<UInt64>, _ number: (Int) -> Int) {
    let (mask, size) = (mask, size)
    let shift = mask.nonzeroBitCount
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      @inline(__always)
      func count(_ row: Int) {
        let number = number(row)
        precondition(UInt(bitPattern: number) < UInt(bitPattern: size))
        unsafe counts[number &<< shift | row & mask] &+= 1
      }
      for index in words.indices {
        var word = words[index]
        if word == ~0 {
          for row in (index &<< 6)..<(index &<< 6 &+ 64) { count(row) }
          continue
        }
        while word != 0 {
          count(index &<< 6 &+ word.trailingZeroBitCount)
          word &= word &- 1
        }
      }
    }
  }

  /// The numbers that were counted, in ascending order.
  ///
  /// - Parameter value: What a number stands for.
  func results(_ value: (Int) -> Int) -> [ValueCount] {
    (0..<size).compactMap { number in
      let kept = counts[number * (mask + 1)..<(number + 1) * (mask + 1)]
      let count = kept.reduce(0) { $0 + Int($1) }
      return count > 0 ? ValueCount(value: value(number), count: count) : nil
    }
  }
}
