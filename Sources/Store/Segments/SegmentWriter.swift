public import Bytes
internal import Compression

/// Makes a segment of rows in any order.
public struct SegmentWriter: Sendable {
  /// The most rows of a segment.
  public static let mostRows = SegmentFormat.mostRows

  /// In ascending order of columns.
  public let columns: [SegmentColumnDeclaration]
  /// The values of each column.
  private var values: [[Int]]
  public private(set) var rowCount = 0

  /// Traps unless each column is declared once, the required ones are among them, those by which rows are
  /// sorted are codes, and there are at most 64.
  public init(columns: [SegmentColumnDeclaration]) {
    self.columns = columns.sorted { $0.column < $1.column }
    let names = self.columns.map(\.column)
    precondition(names.count <= SegmentFormat.mostColumns && Set(names).count == names.count)
    precondition(SegmentColumn.required.allSatisfy(names.contains))
    for column in SegmentColumn.sorted {
      precondition(columns.contains(SegmentColumnDeclaration(column, .code)))
    }
    values = columns.map { _ in [] }
  }

  /// Adds a row; traps where there are ``mostRows``.
  ///
  /// - Parameter row: A value for each of ``columns``.
  public mutating func append(_ row: Span<Int>) {
    precondition(row.count == columns.count && rowCount < Self.mostRows)
    for index in 0..<row.count { values[index].append(row[index]) }
    rowCount += 1
  }

  /// The file, in parts that follow each other.
  ///
  /// - Complexity: O(n log n).
  public consuming func finish() -> [ByteView] {
    let order = order()
    var file = SegmentFile(columns: columns, rowCount: rowCount)
    var buffer = [Int](repeating: 0, count: rowCount)
    for index in file.order {
      for (place, row) in order.enumerated() { buffer[place] = values[index][Int(row)] }
      values[index] = []
      file.append(index, buffer)
    }
    return file.finish()
  }

  private func values(of column: SegmentColumn) -> [Int] {
    values[columns.lowerBound { $0.column < column }]
  }

  /// The rows in the order of the file.
  private func order() -> [UInt32] {
    struct Key {
      var codes: UInt64
      var time: Int
      var report: Int
      var row: UInt32
    }
    // There are at most 2^20 values of a column, which leaves bits for three.
    let times = values(of: .time)
    let reports = values(of: .report)
    var keys = (0..<rowCount).map { row in
      Key(codes: 0, time: times[row], report: reports[row], row: UInt32(row))
    }
    for column in SegmentColumn.sorted {
      let values = values(of: column)
      let numbering = Numbering(values)
      for row in keys.indices {
        keys[row].codes = keys[row].codes << 20 | UInt64(numbering.index(of: values[row]))
      }
    }
    keys.sort {
      if $0.codes != $1.codes { return $0.codes < $1.codes }
      if $0.time != $1.time { return $0.time < $1.time }
      return ($0.report, $0.row) < ($1.report, $1.row)
    }
    return keys.map(\.row)
  }
}

/// A segment that is being written, column by column.
struct SegmentFile {
  private let columns: [SegmentColumnDeclaration]
  private let rowCount: Int
  private var encoders: [ColumnEncoder?]
  private var borders: RowSet

  init(columns: [SegmentColumnDeclaration], rowCount: Int) {
    self.columns = columns
    self.rowCount = rowCount
    encoders = columns.map { _ in nil }
    borders = RowSet(rowCount: rowCount)
  }

  /// The indices of the columns in the order in which they are to be appended: the runs of those by which
  /// rows are sorted follow from those before them.
  var order: [Int] {
    let sorted = SegmentColumn.sorted.compactMap { column in
      columns.firstIndex { $0.column == column }
    }
    return sorted + columns.indices.filter { !sorted.contains($0) }
  }

  /// Adds the column with an index.
  mutating func append(_ index: Int, _ values: [Int]) {
    encoders[index] = ColumnEncoder(columns[index], values, borders: &borders)
  }

  /// The file, in parts that follow each other.
  consuming func finish() -> [ByteView] {
    let encoders = encoders.compactMap(\.self)
    precondition(encoders.count == columns.count)
    let directoryEnd =
      SegmentFormat.headerSize + encoders.count * SegmentFormat.entrySize
    var size = SegmentFormat.aligned(directoryEnd)
    var directory = Table<UInt8>()
    for encoder in encoders {
      encoder.entry(at: size).write(to: &directory, rowCount: rowCount)
      size += encoder.section.count
    }
    var rest = Table<UInt8>()
    rest.append(littleEndian: UInt64(size))
    rest.append(littleEndian: UInt32(rowCount))
    rest.append(littleEndian: UInt32(encoders.count))
    rest.append(contentsOf: unsafe directory.span.bytes)
    var header = Table<UInt8>()
    for byte in SegmentFormat.magic { header.append(byte) }
    header.append(littleEndian: SegmentFormat.version)
    let checked = ByteView(taking: rest)
    header.append(littleEndian: CRC32.checksum(of: checked))
    header.append(contentsOf: checked.bytes)
    header.resize(to: SegmentFormat.aligned(directoryEnd), filling: 0)
    return [ByteView(taking: header)] + encoders.map(\.section).filter { !$0.isEmpty }
  }
}
