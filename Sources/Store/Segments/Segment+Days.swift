public import Bytes

extension Segment {
  /// Counts rows by the day of a time, in UTC.
  ///
  /// - Parameters:
  ///   - column: A column of microseconds since 1970.
  ///   - rows: Rows of this segment.
  /// - Returns: Days since 1970 that have any, in ascending order.
  /// - Throws: ``ParseError`` where the column is damaged.
  /// - Complexity: O(n), and O(n log n) where times are thousands of years apart.
  public func countsByDay(
    _ column: SegmentColumn = .time, of rows: RowSet
  ) throws(ParseError) -> [ValueCount] {
    precondition(rows.rowCount == rowCount)
    guard rowCount > 0 else { return [] }
    let data = try self.column(column)
    let first = Self.day(data.entry.base)
    guard data.isNumber, let most = data.greatestOffset, data.entry.base >= Int.min / 2,
      most / Self.microsecondsOfDay < UInt64(Self.usualDays)
    else {
      var counts: [Int: Int] = [:]
      for count in try self.counts(by: column, of: rows) {
        counts[Self.day(count.value).number, default: 0] += count.count
      }
      return counts.sorted { $0.key < $1.key }.map { ValueCount(value: $0.key, count: $0.value) }
    }
    var days = RankCounts(size: Int(most / Self.microsecondsOfDay) + 2)
    let sinceStart = UInt64(data.entry.base - first.start)
    switch data.width {
    case 1: data.count(rows.words.span, as: UInt8.self, from: sinceStart, &days)
    case 2: data.count(rows.words.span, as: UInt16.self, from: sinceStart, &days)
    case 4: data.count(rows.words.span, as: UInt32.self, from: sinceStart, &days)
    default: data.count(rows.words.span, as: UInt64.self, from: sinceStart, &days)
    }
    return days.results { first.number + $0 }
  }

  fileprivate static let microsecondsOfDay: UInt64 = 86_400_000_000
  /// More are counted in a dictionary.
  private static let usualDays = 1 << 20

  private static func day(_ time: Int) -> (number: Int, start: Int) {
    let size = Int(microsecondsOfDay)
    let (quotient, rest) = time.quotientAndRemainder(dividingBy: size)
    let number = rest < 0 ? quotient - 1 : quotient
    return (number, number.multipliedReportingOverflow(by: size).partialValue)
  }
}

extension ColumnData {
  /// The greatest number less the base.
  fileprivate var greatestOffset: UInt64? {
    (0..<SegmentFormat.blockCount(rowCount)).map { limits(ofBlock: $0).most }.max()
  }

  /// Counts by the day of a number, with what the base exceeds the start of the first day by.
  @inline(__always)
  fileprivate func count<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ words: Span<UInt64>, as _: Number.Type, from sinceStart: UInt64, _ days: inout RankCounts
  ) {
    let bytes = values.bytes
    // Where the limits of a file are wrong, there may be later ones.
    let last = UInt64(days.size - 1)
    days.add(words) { row in
      let time = UInt64(bytes.number(row, as: Number.self)) &+ sinceStart
      return Int(truncatingIfNeeded: min(time / Segment.microsecondsOfDay, last))
    }
  }
}
