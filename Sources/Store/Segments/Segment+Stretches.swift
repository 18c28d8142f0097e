public import Bytes

/// Rows that follow each other and share their origin and two other values.
public struct RowStretch: Sendable {
  public let origin: Int
  public let first: Int
  public let second: Int
  /// How many rows of the set it has, at least 1.
  public let count: Int
  public let rows: Range<Int>
}

extension Segment {
  /// Calls `body` with the stretches of rows that share their origin and the values of two columns, in
  /// ascending order of rows; those without any row of the set are left out.
  ///
  /// - Parameter rows: Rows of this segment.
  /// - Throws: ``ParseError`` where a column is damaged; then `body` was not called.
  /// - Complexity: O(n) in the runs of the columns, and in the rows of one that has a value for each.
  public func forEachStretch(
    by first: SegmentColumn, _ second: SegmentColumn, of rows: RowSet, _ body: (RowStretch) -> Void
  ) throws(ParseError) {
    precondition(rows.rowCount == rowCount)
    let (origins, first, second) = try (column(.origin), column(first), column(second))
    guard rowCount > 0 else { return }
    var (ones, others) = (StretchCursor(first), StretchCursor(second))
    let names = origins.codes
    let runs = origins.runs
    let words = rows.words.span
    for run in 0..<runs.count {
      let range = runs.rows(of: run)
      guard words.countRows(in: range) > 0 else { continue }
      var row = range.lowerBound
      while row < range.upperBound {
        ones.move(to: row, before: range.upperBound)
        others.move(to: row, before: range.upperBound)
        let end = min(ones.end, others.end, range.upperBound)
        let count = words.countRows(in: row..<end)
        if count > 0 {
          body(
            RowStretch(
              origin: names[runs.code(of: run)], first: ones.value, second: others.value,
              count: count, rows: row..<end))
        }
        row = end
      }
    }
  }
}

/// Finds where the value of a column ends.
private struct StretchCursor {
  private let data: ColumnData
  private let codes: [Int]
  private var run = 0
  /// The first row that may have another value.
  private(set) var end = 0
  private(set) var value = 0

  init(_ data: ColumnData) {
    self.data = data
    codes = data.isNumber ? [] : data.codes
  }

  /// - Parameters:
  ///   - row: A row that is not before one that was asked for.
  ///   - limit: What follows from there on is not looked at.
  mutating func move(to row: Int, before limit: Int) {
    guard row >= end else { return }
    let data = self.data
    guard data.isPlain else {
      let runs = data.runs
      run = max(runs.firstRun(from: run, startingAt: row + 1) - 1, 0)
      value = codes[runs.code(of: run)]
      end = runs.start(of: run + 1)
      return
    }
    let rows = data.rows
    let stored = rows.stored(row)
    value = data.isNumber ? rows[row] : codes[Int(stored)]
    end = row + 1
    while end < limit, rows.stored(end) == stored { end += 1 }
  }
}
