internal import Bytes
internal import DWARF

/// Sorts pieces of code by where they begin; those that begin together keep their order.
///
/// Radix sort in three passes of eleven bits: linear, and the same order each time.
enum PieceSort {
  static func sort(_ pieces: consuming Table<CodePiece>) -> Table<CodePiece> {
    var isSorted = true
    for index in 0..<max(pieces.count - 1, 0) where pieces[index].start > pieces[index + 1].start {
      isSorted = false
      break
    }
    if isSorted { return pieces }
    let count = pieces.count
    var other = Table<CodePiece>(
      repeating: CodePiece(start: 0, end: 0, scope: 0), count: count)
    pass(from: pieces, to: &other, shift: 0)
    pass(from: other, to: &pieces, shift: 11)
    pass(from: pieces, to: &other, shift: 22)
    return other
  }

  private static func pass(
    from source: borrowing Table<CodePiece>, to target: inout Table<CodePiece>, shift: UInt32
  ) {
    var places = Table<UInt32>(repeating: 0, count: 2_048)
    for index in 0..<source.count {
      places[Int((source[index].start &>> shift) & 2_047)] &+= 1
    }
    var sum: UInt32 = 0
    for digit in 0..<2_048 {
      let count = places[digit]
      places[digit] = sum
      sum &+= count
    }
    for index in 0..<source.count {
      let piece = source[index]
      let digit = Int((piece.start &>> shift) & 2_047)
      target[Int(places[digit])] = piece
      places[digit] &+= 1
    }
  }
}
