internal import Bytes
internal import DWARF

/// Sorts pieces of code by where they begin; those that begin together keep their order.
///
/// Radix sort: linear, and the same order each time. Two passes are enough for images of up to 64 MB.
enum PieceSort {
  /// In bits: more counters than that do not fit the fastest cache.
  private static let largestDigit: UInt32 = 13

  static func sort(_ pieces: borrowing Table<CodePiece>) -> Table<CodePiece> {
    var isSorted = true
    var bits: UInt32 = 0
    var last: UInt32 = 0
    for index in 0..<pieces.count {
      let start = pieces[index].start
      if start < last { isSorted = false }
      last = start
      bits |= start
    }
    var sorted = Table<CodePiece>(minimumCapacity: pieces.count)
    if isSorted {
      sorted.append(contentsOf: pieces.span)
      return sorted
    }
    let none = CodePiece(start: 0, end: 0, scope: 0)
    sorted = Table(repeating: none, count: pieces.count)
    var other = Table(repeating: none, count: pieces.count)
    let width = UInt32(UInt32.bitWidth - bits.leadingZeroBitCount)
    if width <= 2 * largestDigit {
      let digit = (width + 1) / 2
      pass(from: pieces, to: &other, shift: 0, bits: digit)
      pass(from: other, to: &sorted, shift: digit, bits: digit)
    } else {
      pass(from: pieces, to: &sorted, shift: 0, bits: 11)
      pass(from: sorted, to: &other, shift: 11, bits: 11)
      pass(from: other, to: &sorted, shift: 22, bits: 11)
    }
    return sorted
  }

  private static func pass(
    from source: borrowing Table<CodePiece>, to target: inout Table<CodePiece>, shift: UInt32,
    bits: UInt32
  ) {
    let mask: UInt32 = 1 &<< bits &- 1
    var places = Table<UInt32>(repeating: 0, count: Int(mask) + 1)
    for index in 0..<source.count {
      places[Int((source[index].start &>> shift) & mask)] &+= 1
    }
    var sum: UInt32 = 0
    for digit in 0...Int(mask) {
      let count = places[digit]
      places[digit] = sum
      sum &+= count
    }
    for index in 0..<source.count {
      let piece = source[index]
      let digit = Int((piece.start &>> shift) & mask)
      target[Int(places[digit])] = piece
      places[digit] &+= 1
    }
  }
}
