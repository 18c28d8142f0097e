internal import Bytes
internal import DWARF

/// Sorts ranges of code by where they begin; those that begin together keep their order.
///
/// Radix sort: linear, and the same order each time. Two passes are enough for images of up to 64 MB.
enum CodeRangeSort {
  /// In bits: more counters than that do not fit the fastest cache.
  private static let largestDigit: UInt32 = 13

  static func sort(_ codeRanges: consuming Table<CodeRange>) -> Table<CodeRange> {
    var isSorted = true
    var bits: UInt32 = 0
    var last: UInt32 = 0
    for index in 0..<codeRanges.count {
      let start = codeRanges[index].start
      if start < last { isSorted = false }
      last = start
      bits |= start
    }
    if isSorted { return codeRanges }
    var other = Table(repeating: CodeRange(start: 0, end: 0, scope: 0), count: codeRanges.count)
    let width = UInt32(UInt32.bitWidth - bits.leadingZeroBitCount)
    if width <= 2 * largestDigit {
      let digit = (width + 1) / 2
      pass(from: codeRanges, to: &other, shift: 0, bits: digit)
      pass(from: other, to: &codeRanges, shift: digit, bits: digit)
    } else {
      pass(from: codeRanges, to: &other, shift: 0, bits: 11)
      pass(from: other, to: &codeRanges, shift: 11, bits: 11)
      pass(from: codeRanges, to: &other, shift: 22, bits: 11)
      return other
    }
    return codeRanges
  }

  private static func pass(
    from source: borrowing Table<CodeRange>, to target: inout Table<CodeRange>, shift: UInt32,
    bits: UInt32
  ) {
    let mask: UInt32 = 1 &<< bits &- 1
    var positions = Table<UInt32>(repeating: 0, count: Int(mask) + 1)
    for index in 0..<source.count {
      positions[Int((source[index].start &>> shift) & mask)] &+= 1
    }
    var sum: UInt32 = 0
    for digit in 0...Int(mask) {
      let count = positions[digit]
      positions[digit] = sum
      sum &+= count
    }
    for index in 0..<source.count {
      let codeRange = source[index]
      let digit = Int((codeRange.start &>> shift) & mask)
      target[Int(positions[digit])] = codeRange
      positions[digit] &+= 1
    }
  }
}
