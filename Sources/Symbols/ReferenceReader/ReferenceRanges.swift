internal import Bytes

/// The second reader's code without overlaps: the scope and the row that count from each address on.
///
/// If two units describe the same code the first counts, if two entries of one unit do the later, as in
/// Mayday's own tables; otherwise this is an independent implementation.
struct ReferenceRanges: ~Copyable {
  struct AddressRun: BitwiseCopyable {
    var start: UInt32
    /// The index of a scope or a row; `none` where there is none.
    var index: UInt32
  }

  private(set) var scopes = Table<AddressRun>()
  private(set) var rows = Table<AddressRun>()

  init(_ facts: borrowing ReferenceFacts, limits: ReferenceLimits) throws(ReferenceReaderError) {
    try layScopes(facts, limits)
    layRows(facts)
  }

  // MARK: Scopes

  private mutating func layScopes(
    _ facts: borrowing ReferenceFacts, _ limits: ReferenceLimits
  ) throws(ReferenceReaderError) {
    var order: [UInt32] = []
    order.reserveCapacity(facts.codeRanges.count)
    for index in 0..<facts.codeRanges.count { order.append(UInt32(truncatingIfNeeded: index)) }
    do {
      let starts = Self.starts(of: facts.codeRanges)
      order.sort { (starts[Int($0)], $0) < (starts[Int($1)], $1) }
    }
    // The ranges over the current address.
    var open: [ReferenceFacts.CodeRange] = []
    var next = 0
    var address: UInt32 = 0
    while next < order.count || !open.isEmpty {
      // The next address at which something begins or ends.
      var here = UInt32.max
      if next < order.count { here = facts.codeRanges[Int(order[next])].start }
      for codeRange in open { here = min(here, codeRange.end) }
      address = here
      open.removeAll { $0.end <= address }
      while next < order.count, facts.codeRanges[Int(order[next])].start == address {
        open.append(facts.codeRanges[Int(order[next])])
        next += 1
        guard open.count <= limits.overlaps else {
          throw .limit("overlapping pieces of code", limits.overlaps)
        }
      }
      var best = ReferenceFacts.none
      for codeRange in open {
        guard best != ReferenceFacts.none else {
          best = codeRange.scope
          continue
        }
        let unit = facts.scopes[Int(codeRange.scope)].unit
        let bestUnit = facts.scopes[Int(best)].unit
        if unit < bestUnit || (unit == bestUnit && codeRange.scope > best) {
          best = codeRange.scope
        }
      }
      if scopes.last?.index != best || scopes.isEmpty {
        scopes.append(AddressRun(start: address, index: best))
      }
    }
  }

  private static func starts(of codeRanges: borrowing Table<ReferenceFacts.CodeRange>) -> [UInt32] {
    var starts: [UInt32] = []
    starts.reserveCapacity(codeRanges.count)
    for index in 0..<codeRanges.count { starts.append(codeRanges[index].start) }
    return starts
  }

  // MARK: Rows

  /// Resolves overlaps: the sequence that begins first counts to its end; if two begin together, the first.
  private mutating func layRows(_ facts: borrowing ReferenceFacts) {
    var order: [(start: UInt32, index: Int)] = []
    for index in 0..<facts.sequences.count {
      order.append((facts.sequences[index].start, index))
    }
    order.sort { $0 < $1 }
    var end: UInt32 = 0
    for (_, index) in order {
      let sequence = facts.sequences[index]
      guard sequence.end > end else { continue }
      let start = max(sequence.start, end)
      if end > 0, start > end { rows.append(AddressRun(start: end, index: ReferenceFacts.none)) }
      let last = sequence.firstRow + sequence.rowCount
      var row = sequence.firstRow
      while row < last {
        // The last row at an address counts.
        let isLast = row + 1 == last
        if isLast || facts.rows[row + 1].address > max(facts.rows[row].address, start) {
          let address = max(facts.rows[row].address, start)
          if address >= sequence.end { break }
          rows.append(AddressRun(start: address, index: UInt32(truncatingIfNeeded: row)))
        }
        row += 1
      }
      end = sequence.end
    }
    if end > 0 { rows.append(AddressRun(start: end, index: ReferenceFacts.none)) }
  }
}
