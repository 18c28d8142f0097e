public import Bytes

extension Segment {
  /// Counts rows by origin.
  ///
  /// - Parameter rows: Rows of this segment.
  /// - Returns: The origins that have any, in ascending order.
  /// - Throws: ``ParseError`` where a column that is needed is damaged.
  /// - Complexity: O(n / 64), plus the runs of the stack or, where they are fewer, the rows.
  public func countsByOrigin(of rows: RowSet) throws(ParseError) -> [OriginCount] {
    precondition(rows.rowCount == rowCount)
    guard rowCount > 0 else { return [] }
    let origins = try column(.origin)
    let stacks = try column(.stack)
    let times = try column(.time)
    let names = origins.codes
    let runs = origins.runs
    let words = rows.words.span
    var found: [OriginCount] = []
    var stack = 0
    for run in 0..<runs.count {
      let range = runs.rows(of: run)
      let first = stack
      stack = stacks.runs.firstRun(from: stack, startingAt: range.upperBound)
      let count = words.countRows(in: range)
      guard count > 0 else { continue }
      let limits =
        if times.isNumber, stack - first < count / 2 {
          times.limits(ofAscending: stacks.runs, first..<stack, in: words)
        } else {
          times.limits(of: words, in: range)
        }
      found.append(
        OriginCount(
          origin: names[runs.code(of: run)], count: count, first: limits.least,
          last: limits.most))
    }
    return found
  }
}

extension ColumnData {
  /// The least and the greatest value of the rows of a range, which has any.
  fileprivate func limits(
    of words: Span<UInt64>, in range: Range<Int>
  ) -> (least: Int, most: Int) {
    var (least, most) = (Int.max, Int.min)
    guard isNumber else {
      words.forEachRow(in: range) { row in
        let value = value(ofRow: row)
        (least, most) = (min(least, value), max(most, value))
      }
      return (least, most)
    }
    let rows = self.rows
    words.forEachRow(in: range) { row in
      let value = rows[row]
      (least, most) = (min(least, value), max(most, value))
    }
    return (least, most)
  }

  /// The least and the greatest value of the rows of some runs of another column, which have any; in each
  /// run, values ascend.
  fileprivate func limits(
    ofAscending runs: borrowing RunReader, _ range: Range<Int>, in words: Span<UInt64>
  ) -> (least: Int, most: Int) {
    let rows = self.rows
    var (least, most) = (Int.max, Int.min)
    for run in range {
      let range = runs.rows(of: run)
      guard let ends = words.ends(of: range) else { continue }
      least = min(least, rows[ends.first])
      most = max(most, rows[ends.last])
    }
    return (least, most)
  }
}

extension Span<UInt64> {
  /// The first and the last row of a range that is not empty whose bits are set.
  @inline(__always)
  fileprivate func ends(of range: Range<Int>) -> (first: Int, last: Int)? {
    var (first, last, head, tail) = Self.place(range)
    if first == last {
      head &= self[first] & tail
      guard head != 0 else { return nil }
      tail = head
    } else {
      head &= self[first]
      while head == 0 {
        guard first < last else { return nil }
        first &+= 1
        head = first == last ? self[first] & tail : self[first]
      }
      tail &= self[last]
      while tail == 0 {
        last &-= 1
        tail = self[last]
      }
    }
    return (
      first &<< 6 &+ head.trailingZeroBitCount, last &<< 6 &+ 63 &- tail.leadingZeroBitCount
    )
  }
}
