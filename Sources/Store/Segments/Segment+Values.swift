public import Bytes

extension Segment {
  /// The values of some rows in a column, such as the row ids of reports.
  ///
  /// - Parameter rows: Rows of this segment.
  /// - Returns: A value for each, in the order of the rows.
  /// - Throws: ``ParseError`` where the column is damaged.
  /// - Complexity: O(n).
  public func values(of column: SegmentColumn, at rows: RowSet) throws(ParseError) -> [Int] {
    precondition(rows.rowCount == rowCount)
    var values: [Int] = []
    values.reserveCapacity(rows.count)
    var cursor = ColumnCursor(try self.column(column))
    rows.words.span.forEachRow(in: 0..<rowCount) { values.append(cursor.value(atRow: $0)) }
    return values
  }
}

/// Reads values of ascending rows.
struct ColumnCursor {
  private let data: ColumnData
  private let codes: [Int]
  private var run = 0
  private var end = 0
  private var current = 0

  init(_ data: ColumnData) {
    self.data = data
    codes = data.isNumber ? [] : data.codes
    if !data.isPlain, data.runCount > 0 { enter(0) }
  }

  private mutating func enter(_ run: Int) {
    self.run = run
    end = data.runs.start(of: run + 1)
    current = codes[data.runs.code(of: run)]
  }

  /// - Parameter row: A row of the segment, not before one that was asked for.
  @inline(__always)
  mutating func value(atRow row: Int) -> Int {
    guard data.isPlain else {
      while row >= end { enter(run + 1) }
      return current
    }
    let rows = data.rows
    return data.isNumber ? rows[row] : codes[Int(rows.stored(row))]
  }
}
