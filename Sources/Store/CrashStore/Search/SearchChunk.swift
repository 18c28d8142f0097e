internal import Database

/// The fields of 8192 reports, column by column.
///
/// A settled chunk is stored in `search_columns`, one row per column: numbers of 1, 2, 4 or 8 bytes,
/// little-endian, one for each database row of a report from the first to the last; those whose group
/// is 0 do not exist. Most are moved on to a segment, see ``SearchSegments``. The newest chunk, and one with
/// later changes, is read from the rows of `search_facts`.
struct SearchChunk {
  static let bits = 13
  static let size = 1 << bits
  static let mask = size - 1
  /// Chunks of ``search_past`` are numbered from here.
  static let firstPast = 1 << 20
  /// Number of chunks that a transaction settles in addition to its other work.
  static let settledAtOnce = 2

  private(set) var number = 0
  private var isStale = false
  /// Columns by raw value of the field; the memory is reused for each chunk.
  private var columns = [[Int]](repeating: [], count: SearchField.function.rawValue)
  /// The columns loaded for this chunk, a bit for each raw value.
  private var loaded: UInt64 = 0
  /// The database row of each report, where they do not follow each other.
  private var reports: [Int]?

  /// Whether its reports were deleted while their groups still count them.
  var isPast: Bool { number >= Self.firstPast }

  /// The database row of the first report of a chunk that is not part of a segment.
  private var first: Int { number << Self.bits }

  /// The database row of the report at a position, or the number of a deleted one.
  func row(_ position: Int) -> Int { reports.map { $0[position] } ?? first + position }

  /// A loaded column: a number for each position.
  subscript(field: SearchField) -> [Int] { columns[field.rawValue] }

  /// Switches to another chunk, without loading columns.
  mutating func open(_ number: Int, isStale: Bool) {
    self.number = number
    self.isStale = isStale
    reports = nil
    loaded = 0
  }

  /// Switches to reports of a segment, at most ``size`` of them.
  ///
  /// - Parameters:
  ///   - reports: Their database rows.
  ///   - columns: All columns that are read, a number for each report.
  mutating func open(_ reports: [Int], columns: [(field: SearchField, numbers: [Int])]) {
    number = 0
    isStale = false
    self.reports = reports
    loaded = 0
    for column in columns {
      self.columns[column.field.rawValue] = column.numbers
      loaded |= 1 << UInt64(column.field.rawValue)
    }
  }

  /// Loads those of the columns that are not loaded yet.
  ///
  /// - Throws: `DatabaseError`.
  mutating func load(_ fields: [SearchField], in database: borrowing Connection) throws {
    let lacking = fields.filter { loaded >> UInt64($0.rawValue) & 1 == 0 }
    guard !lacking.isEmpty else { return }
    precondition(reports == nil, "a column of a segment was not read")
    for field in lacking where !isStale {
      if try !loadSettled(field, in: database) { isStale = true }
    }
    if isStale { try loadRows(lacking, in: database) }
    for field in lacking { loaded |= 1 << UInt64(field.rawValue) }
  }

  private mutating func loadSettled(
    _ field: SearchField, in database: borrowing Connection
  ) throws -> Bool {
    let row = try database.prepare(
      "SELECT bytes FROM search_columns WHERE id = ?1", [Self.id(field, number)])
    guard try row.step() else { return false }
    return try row.withBlob("bytes") { Self.decode($0, into: &columns[field.rawValue]) }
  }

  private mutating func loadRows(
    _ fields: [SearchField], in database: borrowing Connection
  ) throws {
    for (field, list) in zip(fields, try Self.rows(number, fields, in: database)) {
      columns[field.rawValue] = list
    }
  }

  /// Rows beyond are corrupt: iterating over all numbers up to theirs would take forever.
  private static let mostReports = (firstPast << bits) - 1

  /// The numbers of the existing chunks of reports.
  static func numbers(in database: borrowing Connection) throws -> Range<Int> {
    let range = "WHERE report BETWEEN 0 AND \(mostReports)"
    guard let last = try database.integer("SELECT max(report) FROM search_facts \(range)"),
      let first = try database.integer("SELECT min(report) FROM search_facts \(range)")
    else { return 0..<0 }
    return (first >> bits)..<((last >> bits) + 1)
  }

  /// The numbers of the chunks of deleted reports that their groups still count.
  static func pastNumbers(in database: borrowing Connection) throws -> Range<Int> {
    guard
      let last = try database.integer(
        "SELECT max(id) FROM search_past WHERE id BETWEEN 0 AND \(mostReports)")
    else { return 0..<0 }
    return firstPast..<(firstPast + (last >> bits) + 1)
  }

  /// Chunks whose `search_columns` are out of date.
  static func stale(in database: borrowing Connection) throws -> Set<Int> {
    let rows = try database.prepare("SELECT chunk FROM search_stale")
    var stale: Set<Int> = []
    while try rows.step() { try stale.insert(rows.int("chunk")) }
    return stale
  }

  private static func rows(
    _ number: Int, _ fields: [SearchField], in database: borrowing Connection
  ) throws -> [[Int]] {
    var lists = [[Int]](repeating: [Int](repeating: 0, count: size), count: fields.count)
    let names = fields.map(\.sqlName).joined(separator: ", ")
    let first = (number >= firstPast ? number - firstPast : number) << bits
    let rows = try database.prepare(
      number >= firstPast
        ? "SELECT id, \(names) FROM search_past WHERE id BETWEEN ?1 AND ?2"
        : "SELECT report, \(names) FROM search_facts WHERE report BETWEEN ?1 AND ?2",
      [first, first | mask])
    // By position: the columns follow from `fields`, and there are many rows.
    while try rows.step() {
      let position = rows.int(0) & mask
      for index in lists.indices { lists[index][position] = rows.int(index + 1) }
    }
    return lists
  }

  /// The row of a column in `search_columns`.
  static func id(_ field: SearchField, _ number: Int) -> Int {
    field.rawValue << 32 | number
  }

  // MARK: Settling

  /// The newest chunk is still filling.
  private static let canSettle = """
    chunk < (SELECT max(report) >> \(bits) FROM search_facts)
    OR chunk BETWEEN \(firstPast) AND
      (SELECT (max(id) >> \(bits)) + \(firstPast - 1) FROM search_past)
    """

  /// Whether a chunk could be settled.
  static func isWaiting(in database: borrowing Connection) throws -> Bool {
    try database.integer("SELECT 1 FROM search_stale WHERE " + canSettle + " LIMIT 1") != nil
  }

  /// Settles chunks that have changed, or are full by now.
  ///
  /// - Parameter limit: Maximum number of chunks; one takes about ten milliseconds.
  /// - Returns: Whether there are more.
  @discardableResult
  static func settle(atMost limit: Int, in database: borrowing Connection) throws -> Bool {
    var waiting: [Int] = []
    do {
      let rows = try database.prepare(
        "SELECT chunk FROM search_stale WHERE " + canSettle + " LIMIT \(limit + 1)")
      while try rows.step() { try waiting.append(rows.int("chunk")) }
    }
    for chunk in waiting.prefix(limit) {
      let columns = try rows(chunk, SearchField.columns, in: database)
      for (field, column) in zip(SearchField.columns, columns) {
        try database.run(
          """
          INSERT INTO search_columns (id, bytes) VALUES (?1, ?2)
          ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes
          """, id(field, chunk), encode(column))
      }
      try database.run("DELETE FROM search_stale WHERE chunk = ?1", chunk)
      try SegmentSettling.changed(chunk, in: database)
    }
    if !waiting.isEmpty { try SegmentSettling.run(in: database) }
    return waiting.count > limit
  }

  static func encode(_ column: [Int]) -> [UInt8] {
    let least = column.min() ?? 0
    let most = column.max() ?? 0
    let width = least < 0 || most > 0xffff_ffff ? 8 : most > 0xffff ? 4 : most > 0xff ? 2 : 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(column.count * width)
    for value in column {
      var rest = UInt(bitPattern: value)
      for _ in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      }
    }
    return bytes
  }

  /// - Returns: Whether the bytes are a valid column.
  static func decode(_ bytes: UnsafeRawBufferPointer, into column: inout [Int]) -> Bool {
    let width = bytes.count >> bits
    guard [1, 2, 4, 8].contains(width), bytes.count == width << bits else { return false }
    if column.count != size { column = [Int](repeating: 0, count: size) }
    switch width {
    case 1: fill(&column, bytes) { (number: UInt8) in Int(number) }
    case 2: fill(&column, bytes) { (number: UInt16) in Int(UInt16(littleEndian: number)) }
    case 4: fill(&column, bytes) { (number: UInt32) in Int(UInt32(littleEndian: number)) }
    default: fill(&column, bytes) { (number: Int) in Int(littleEndian: number) }
    }
    return true
  }

  @inline(__always)
  private static func fill<Number: FixedWidthInteger>(
    _ column: inout [Int], _ bytes: UnsafeRawBufferPointer, _ value: (Number) -> Int
  ) {
    let stride = MemoryLayout<Number>.size
    column.withUnsafeMutableBufferPointer { column in
      for index in column.indices {
        column[index] = value(bytes.loadUnaligned(fromByteOffset: index * stride, as: Number.self))
      }
    }
  }
}
