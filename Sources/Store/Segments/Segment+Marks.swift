public import Bytes

/// A column whose rows are counted by value or, for a number, by its range.
public struct CountedColumn: Sendable {
  public let column: SegmentColumn
  /// The upper ends of the ranges, in ascending order; a row counts as the number of those below its value.
  /// `nil` to count by value.
  public let bounds: [Int]?

  public init(_ column: SegmentColumn, bounds: [Int]? = nil) {
    self.column = column
    self.bounds = bounds
  }
}

/// How many rows have a value, and which.
public struct MarkedCount: Sendable {
  public let value: Int
  /// At least 1.
  public let count: Int
  /// The sum of a random number of each row: sets of rows with equal sums are the same.
  public let mark: UInt64
}

/// How many rows of a release have a value of a class.
public struct ClassCount: Sendable {
  public let release: Int
  public let valueClass: Int
  /// At least 1.
  public let count: Int
}

extension Segment {
  /// Counts rows by the values of columns, with marks of the rows.
  ///
  /// - Parameters:
  ///   - rows: Rows of this segment.
  ///   - seed: Another one for each segment whose marks are added up.
  /// - Returns: For each column the values that occur, in ascending order.
  /// - Throws: ``ParseError`` where a column is damaged.
  /// - Complexity: O(n) in the rows of the set, times the columns; O(n log n) for a number without ranges.
  public func markedCounts(
    by columns: [CountedColumn], of rows: RowSet, seed: UInt64
  ) throws(ParseError) -> [[MarkedCount]] {
    precondition(rows.rowCount == rowCount)
    var sums: [MarkSums] = []
    for column in columns { sums.append(MarkSums(try self.column(column.column), column.bounds)) }
    guard rowCount > 0 else { return columns.map { _ in [] } }
    var batch = RowBatch(rows, seed: seed)
    while batch.next() {
      for index in sums.indices { sums[index].add(batch) }
    }
    return sums.map { $0.counts }
  }

  /// Counts rows by release and by the class of a value.
  ///
  /// - Parameters:
  ///   - rows: Rows of this segment.
  ///   - classes: The class of each value that is counted, from 0 up to `count`.
  /// - Throws: ``ParseError`` where a column is damaged.
  /// - Complexity: O(n) in the rows of the set.
  public func countsByRelease(
    and column: CountedColumn, in classes: [Int: Int], count: Int, of rows: RowSet
  ) throws(ParseError) -> [ClassCount] {
    precondition(rows.rowCount == rowCount)
    let (releases, data) = try (self.column(.release), self.column(column.column))
    guard rowCount > 0, count > 0 else { return [] }
    let codes = ColumnCodes(data, column.bounds)
    // The last is for values without a class.
    let size = count + 1
    let classOfCode = codes.values.map { classes[$0] ?? count }
    let names = releases.codes
    var counts = [Int](repeating: 0, count: names.count * size)
    let (runs, words) = (releases.runs, rows.words.span)
    var reader = CodeReader(data, codes)
    for run in 0..<runs.count {
      let first = runs.code(of: run) * size
      words.forEachRow(in: runs.rows(of: run)) { row in
        counts[first &+ classOfCode[reader.code(ofRow: row)]] &+= 1
      }
    }
    return counts.indices.compactMap { index in
      let (release, valueClass) = index.quotientAndRemainder(dividingBy: size)
      guard valueClass < count, counts[index] > 0 else { return nil }
      return ClassCount(release: names[release], valueClass: valueClass, count: counts[index])
    }
  }
}

/// Small numbers that stand for the values of a column.
private struct ColumnCodes {
  /// The value of each code, in ascending order.
  let values: [Int]
  let bounds: [Int]?
  /// Whether a code is found by its value.
  let isSearched: Bool

  init(_ data: ColumnData, _ bounds: [Int]?) {
    self.bounds = bounds
    isSearched = data.isNumber && bounds == nil
    if let bounds {
      values = Array(0...bounds.count)
    } else if data.isNumber {
      let rows = data.rows
      values = Set((0..<data.rowCount).map { rows[$0] }).sorted()
    } else {
      values = data.codes
    }
  }
}

/// Reads the codes of ascending rows.
private struct CodeReader {
  private let data: ColumnData
  private let codes: ColumnCodes
  /// For ranges, the code of each dictionary entry.
  private let ranges: [Int]
  private var run = 0
  private var end = 0
  private var current = 0

  init(_ data: ColumnData, _ codes: ColumnCodes) {
    self.data = data
    self.codes = codes
    if let bounds = codes.bounds, !data.isNumber {
      ranges = data.codes.map { value in bounds.count { $0 < value } }
    } else {
      ranges = []
    }
  }

  /// - Parameter row: A row of the segment, not before one that was asked for.
  @inline(__always)
  mutating func code(ofRow row: Int) -> Int {
    guard data.isPlain else {
      while row >= end {
        if end > 0 { run += 1 }
        current = range(data.runs.code(of: run))
        end = data.runs.start(of: run + 1)
      }
      return current
    }
    guard data.isNumber else { return range(Int(data.rows.stored(row))) }
    let number = data.rows[row]
    guard let bounds = codes.bounds else {
      return codes.values.indices.lowerBound { codes.values[$0] < number }
    }
    var code = 0
    for bound in bounds where bound < number { code &+= 1 }
    return code
  }

  @inline(__always)
  private func range(_ code: Int) -> Int { ranges.isEmpty ? code : ranges[code] }
}

/// Some rows of a set at a time, with a random number for each.
private struct RowBatch {
  private static let size = 1024
  private let set: RowSet
  private let seed: UInt64
  private var word = 0
  private(set) var rows: [Int] = []
  /// A random number, and a count of 1 in the lower bits.
  private(set) var weights: [UInt64] = []

  init(_ set: RowSet, seed: UInt64) {
    self.set = set
    self.seed = seed
    rows.reserveCapacity(Self.size + 64)
    weights.reserveCapacity(Self.size + 64)
  }

  /// Moves to the next rows; whether there are any.
  mutating func next() -> Bool {
    rows.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    while word < set.words.count, rows.count < Self.size {
      var left = set.words[word]
      while left != 0 {
        let row = word &<< 6 &+ left.trailingZeroBitCount
        rows.append(row)
        weights.append(MarkSums.weight(of: row, seed))
        left &= left &- 1
      }
      word += 1
    }
    return !rows.isEmpty
  }
}

/// The sums of the weights of rows by code.
private struct MarkSums {
  /// A processor waits for a sum that it has just written: each is kept as often as this.
  private static let lanes = 2
  /// The lower bits of a sum count rows, of which a segment has at most 2^20.
  private static let countBits: UInt64 = 22

  private let data: ColumnData
  private let codes: ColumnCodes
  private var reader: CodeReader
  private var sums: [UInt64]

  init(_ data: ColumnData, _ bounds: [Int]?) {
    self.data = data
    codes = ColumnCodes(data, bounds)
    reader = CodeReader(data, codes)
    sums = [UInt64](repeating: 0, count: codes.values.count * Self.lanes)
  }

  /// Source of the multipliers: SplitMix64.
  @inline(__always)
  static func weight(of row: Int, _ seed: UInt64) -> UInt64 {
    var mixed = UInt64(truncatingIfNeeded: row &+ 1) &* 0x9e37_79b9_7f4a_7c15 &+ seed
    mixed = (mixed ^ mixed &>> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed &>> 27) &* 0x94d0_49bb_1331_11eb
    return (mixed ^ mixed &>> 31) &<< countBits | 1
  }

  mutating func add(_ batch: borrowing RowBatch) {
    guard data.isPlain, codes.bounds == nil, !data.isNumber else {
      for index in batch.rows.indices {
        sums[reader.code(ofRow: batch.rows[index]) &* Self.lanes] &+= batch.weights[index]
      }
      return
    }
    switch data.width {
    case 1: add(batch.rows, batch.weights, as: UInt8.self)
    case 2: add(batch.rows, batch.weights, as: UInt16.self)
    default: add(batch.rows, batch.weights, as: UInt32.self)
    }
  }

  @inline(__always)
  private mutating func add<Code: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ rows: [Int], _ weights: [UInt64], as _: Code.Type
  ) {
    let data = self.data
    let bytes = data.values.bytes
    let rows = rows.span
    let weights = weights.span
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      for index in rows.indices {
        // The dictionary has an entry for each code of a column that was checked.
        let code = Int(bytes.number(rows[index], as: Code.self))
        unsafe sums[code &* Self.lanes &+ index & (Self.lanes &- 1)] &+= weights[index]
      }
    }
  }

  /// The values that were seen, with their counts.
  var counts: [MarkedCount] {
    codes.values.enumerated().compactMap { code, value in
      let sum = sums[code * Self.lanes..<(code + 1) * Self.lanes].reduce(0, &+)
      let count = Int(sum & (1 << Self.countBits - 1))
      return count > 0
        ? MarkedCount(value: value, count: count, mark: sum >> Self.countBits) : nil
    }
  }
}
