public import Bytes

/// How many rows have a value.
public struct ValueCount: Hashable, Sendable {
  public let value: Int
  /// At least 1.
  public let count: Int

  public init(value: Int, count: Int) {
    self.value = value
    self.count = count
  }
}

/// How many rows of an origin have a value.
public struct OriginValueCount: Hashable, Sendable {
  public let origin: Int
  public let value: Int
  /// At least 1.
  public let count: Int

  public init(origin: Int, value: Int, count: Int) {
    self.origin = origin
    self.value = value
    self.count = count
  }
}

extension Segment {
  /// Counts rows by the value of a column.
  ///
  /// - Parameter rows: Rows of this segment.
  /// - Returns: The values that occur, in ascending order.
  /// - Throws: ``ParseError`` where the column is damaged.
  /// - Complexity: O(n) in the number of rows, or of runs; O(n log n) for a number.
  public func counts(
    by column: SegmentColumn, of rows: RowSet
  ) throws(ParseError) -> [ValueCount] {
    precondition(rows.rowCount == rowCount)
    guard rowCount > 0 else { return [] }
    let data = try self.column(column)
    let words = rows.words.span
    guard !data.isNumber else { return data.countNumbers(words, in: 0..<rowCount) }
    let codes = data.codes
    guard data.isPlain else {
      var counter = CodeCounter(codeCount: codes.count)
      counter.add(data, words, in: 0..<rowCount)
      var counts: [ValueCount] = []
      counter.takeCounts { counts.append(ValueCount(value: codes[$0], count: $1)) }
      return counts
    }
    var histogram = RankCounts(size: codes.count)
    let bytes = data.values.bytes
    switch data.width {
    case 1: histogram.add(words) { Int(bytes.number($0, as: UInt8.self)) }
    case 2: histogram.add(words) { Int(bytes.number($0, as: UInt16.self)) }
    default: histogram.add(words) { Int(bytes.number($0, as: UInt32.self)) }
    }
    return histogram.results { codes[$0] }
  }

  /// Counts rows by their origin and the value of a column.
  ///
  /// - Parameters:
  ///   - rows: Rows of this segment.
  ///   - wanted: The origins to count; `nil` for all.
  /// - Returns: What occurs, in ascending order of origins, then of values.
  /// - Throws: ``ParseError`` where a column is damaged.
  /// - Complexity: O(n) in the number of rows, or of runs; O(n log n) for a number.
  public func countsByOrigin(
    and column: SegmentColumn, of rows: RowSet, in wanted: Set<Int>? = nil
  ) throws(ParseError) -> [OriginValueCount] {
    precondition(rows.rowCount == rowCount)
    guard rowCount > 0 else { return [] }
    let origins = try self.column(.origin)
    let names = origins.codes
    let runs = origins.runs
    let data = try self.column(column)
    let codes = data.isNumber ? [] : data.codes
    let words = rows.words.span
    var counter = CodeCounter(codeCount: codes.count)
    var counts: [OriginValueCount] = []
    for run in 0..<runs.count {
      let range = runs.rows(of: run)
      let origin = names[runs.code(of: run)]
      if let wanted, !wanted.contains(origin) { continue }
      if data.isNumber {
        for count in data.countNumbers(words, in: range) {
          counts.append(
            OriginValueCount(origin: origin, value: count.value, count: count.count))
        }
        continue
      }
      counter.add(data, words, in: range)
      counter.takeCounts {
        counts.append(OriginValueCount(origin: origin, value: codes[$0], count: $1))
      }
    }
    return counts
  }
}

/// Counts rows by their codes.
private struct CodeCounter {
  private var counts: [Int]
  /// A bit for each code that was counted, and one for each word of those.
  private var seen: [UInt64]
  private var seenWords: [UInt64]
  /// Where the next rows begin, in runs.
  private var run = 0

  init(codeCount: Int) {
    counts = [Int](repeating: 0, count: codeCount)
    seen = [UInt64](repeating: 0, count: codeCount / 64 + 1)
    seenWords = [UInt64](repeating: 0, count: codeCount / 4096 + 1)
  }

  /// Adds the rows of a range, which follows those that were added before.
  mutating func add(_ data: ColumnData, _ words: Span<UInt64>, in range: Range<Int>) {
    guard data.isPlain else { return addRuns(data.runs, words, in: range) }
    switch data.width {
    case 1: addPlain(data.values.bytes, words, in: range, as: UInt8.self)
    case 2: addPlain(data.values.bytes, words, in: range, as: UInt16.self)
    default: addPlain(data.values.bytes, words, in: range, as: UInt32.self)
    }
  }

  private mutating func addRuns(
    _ runs: borrowing RunReader, _ words: Span<UInt64>, in range: Range<Int>
  ) {
    if run < runs.count, runs.start(of: run + 1) <= range.lowerBound {
      // Rows between were left out.
      run = max(runs.firstRun(from: run, startingAt: range.lowerBound + 1) - 1, run)
    }
    while run < runs.count {
      let rows = runs.rows(of: run)
      guard rows.lowerBound < range.upperBound else { return }
      let count = words.countRows(in: rows.clamped(to: range))
      if count > 0 {
        let code = runs.code(of: run)
        if counts[code] == 0 { Self.mark(code, in: &seen, &seenWords) }
        counts[code] &+= count
      }
      guard rows.upperBound <= range.upperBound else { return }
      run &+= 1
    }
  }

  @inline(__always)
  private static func mark(_ code: Int, in seen: inout [UInt64], _ words: inout [UInt64]) {
    seen[code &>> 6] |= 1 &<< UInt64(code & 63)
    words[code &>> 12] |= 1 &<< UInt64(code &>> 6 & 63)
  }

  @inline(__always)
  private mutating func addPlain<Code: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ bytes: RawSpan, _ words: Span<UInt64>, in range: Range<Int>, as _: Code.Type
  ) {
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      words.forEachRow(in: range) { row in
        // The dictionary has an entry for each code of a column that was checked.
        let code = Int(bytes.number(row, as: Code.self))
        let count = unsafe counts[code]
        if count == 0 { Self.mark(code, in: &seen, &seenWords) }
        unsafe counts[code] = count &+ 1
      }
    }
  }

  /// Calls `body` with each code that was counted, in ascending order, and starts anew.
  @inline(__always)
  mutating func takeCounts(_ body: (_ code: Int, _ count: Int) -> Void) {
    for place in seenWords.indices where seenWords[place] != 0 {
      var words = seenWords[place]
      seenWords[place] = 0
      while words != 0 {
        let word = place &<< 6 &+ words.trailingZeroBitCount
        words &= words &- 1
        var codes = seen[word]
        seen[word] = 0
        while codes != 0 {
          let code = word &<< 6 &+ codes.trailingZeroBitCount
          codes &= codes &- 1
          body(code, counts[code])
          counts[code] = 0
        }
      }
    }
  }
}

extension ColumnData {
  /// Counts the rows of a range by their numbers.
  fileprivate func countNumbers(_ words: Span<UInt64>, in range: Range<Int>) -> [ValueCount] {
    let rows = self.rows
    var values: [Int] = []
    words.forEachRow(in: range) { values.append(rows[$0]) }
    values.sort()
    var counts: [ValueCount] = []
    var start = 0
    for index in values.indices
    where index + 1 == values.count || values[index + 1] != values[index] {
      counts.append(ValueCount(value: values[index], count: index + 1 - start))
      start = index + 1
    }
    return counts
  }
}
