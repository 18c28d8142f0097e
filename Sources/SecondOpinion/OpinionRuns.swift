internal import Bytes

/// The second reader's code side by side: which scope counts from where on, and which row.
///
/// Of two units that tell of the same code the first counts, of two entries of one unit the later, as
/// in our own tables; otherwise this is written anew.
struct OpinionRuns: ~Copyable {
  struct Run: BitwiseCopyable {
    var start: UInt32
    /// A scope or a row; `none` where there is none.
    var index: UInt32
  }

  private(set) var scopes = Table<Run>()
  private(set) var rows = Table<Run>()

  init(_ opinion: borrowing Opinion, limits: OpinionLimits) throws(OpinionError) {
    try layScopes(opinion, limits)
    layRows(opinion)
  }

  // MARK: Scopes

  private mutating func layScopes(
    _ opinion: borrowing Opinion, _ limits: OpinionLimits
  ) throws(OpinionError) {
    var order: [UInt32] = []
    order.reserveCapacity(opinion.pieces.count)
    for index in 0..<opinion.pieces.count { order.append(UInt32(truncatingIfNeeded: index)) }
    do {
      let starts = Self.starts(of: opinion.pieces)
      order.sort { (starts[Int($0)], $0) < (starts[Int($1)], $1) }
    }
    // The pieces over the current place.
    var open: [Opinion.Piece] = []
    var next = 0
    var place: UInt32 = 0
    while next < order.count || !open.isEmpty {
      // The next place at which something begins or ends.
      var here = UInt32.max
      if next < order.count { here = opinion.pieces[Int(order[next])].start }
      for piece in open { here = min(here, piece.end) }
      place = here
      open.removeAll { $0.end <= place }
      while next < order.count, opinion.pieces[Int(order[next])].start == place {
        open.append(opinion.pieces[Int(order[next])])
        next += 1
        guard open.count <= limits.overlaps else {
          throw .limit("overlapping pieces of code", limits.overlaps)
        }
      }
      var best = Opinion.none
      for piece in open {
        guard best != Opinion.none else {
          best = piece.scope
          continue
        }
        let unit = opinion.scopes[Int(piece.scope)].unit
        let bestUnit = opinion.scopes[Int(best)].unit
        if unit < bestUnit || (unit == bestUnit && piece.scope > best) { best = piece.scope }
      }
      if scopes.last?.index != best || scopes.isEmpty {
        scopes.append(Run(start: place, index: best))
      }
    }
  }

  private static func starts(of pieces: borrowing Table<Opinion.Piece>) -> [UInt32] {
    var starts: [UInt32] = []
    starts.reserveCapacity(pieces.count)
    for index in 0..<pieces.count { starts.append(pieces[index].start) }
    return starts
  }

  // MARK: Rows

  /// The sequence that begins first counts to its end; of two that begin together the first.
  private mutating func layRows(_ opinion: borrowing Opinion) {
    var order: [(start: UInt32, index: Int)] = []
    for index in 0..<opinion.sequences.count {
      order.append((opinion.sequences[index].start, index))
    }
    order.sort { $0 < $1 }
    var end: UInt32 = 0
    for (_, index) in order {
      let sequence = opinion.sequences[index]
      guard sequence.end > end else { continue }
      let start = max(sequence.start, end)
      if end > 0, start > end { rows.append(Run(start: end, index: Opinion.none)) }
      let last = sequence.firstRow + sequence.rowCount
      var row = sequence.firstRow
      while row < last {
        // The last row at an address counts.
        let isLast = row + 1 == last
        if isLast || opinion.rows[row + 1].address > max(opinion.rows[row].address, start) {
          let address = max(opinion.rows[row].address, start)
          if address >= sequence.end { break }
          rows.append(Run(start: address, index: UInt32(truncatingIfNeeded: row)))
        }
        row += 1
      }
      end = sequence.end
    }
    if end > 0 { rows.append(Run(start: end, index: Opinion.none)) }
  }
}
