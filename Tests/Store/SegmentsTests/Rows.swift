import Bytes
import Segments
import TestSupport

/// Rows of a made-up app, and what is known of them without a segment.
struct Rows {
  static let columns: [SegmentColumnDeclaration] = [
    SegmentColumnDeclaration(.report, .number), SegmentColumnDeclaration(.origin, .code),
    SegmentColumnDeclaration(.time, .number), SegmentColumnDeclaration(received, .number),
    SegmentColumnDeclaration(.install, .number), SegmentColumnDeclaration(uptime, .number),
    SegmentColumnDeclaration(.stack, .code), SegmentColumnDeclaration(.release, .code),
    SegmentColumnDeclaration(few, .code), SegmentColumnDeclaration(byOrigin, .code),
    SegmentColumnDeclaration(many, .code), SegmentColumnDeclaration(distinct, .code),
    SegmentColumnDeclaration(always, .code), SegmentColumnDeclaration(far, .code),
    SegmentColumnDeclaration(small, .number), SegmentColumnDeclaration(extreme, .number),
  ]

  static let received = SegmentColumn(rawValue: 3)
  static let uptime = SegmentColumn(rawValue: 5)
  /// Codes of one byte.
  static let few = SegmentColumn(rawValue: 20)
  /// Codes that an origin has alone.
  static let byOrigin = SegmentColumn(rawValue: 21)
  /// Codes of two bytes, if there are rows enough.
  static let many = SegmentColumn(rawValue: 22)
  /// Codes of four bytes, if there are rows enough.
  static let distinct = SegmentColumn(rawValue: 23)
  static let always = SegmentColumn(rawValue: 24)
  /// Codes that are too far apart for tables.
  static let far = SegmentColumn(rawValue: 25)
  /// Numbers of one byte.
  static let small = SegmentColumn(rawValue: 26)
  /// Numbers at either end of what there is.
  static let extreme = SegmentColumn(rawValue: 27)

  static let day = 86_400_000_000

  /// A value for each of the columns.
  var rows: [[Int]] = []

  init(_ rows: [[Int]]) { self.rows = rows }

  init(count: Int, seed: UInt64) {
    var random = SplitMix(seed: seed)
    let origins = random.pick([1, 3, 40, 500])
    let stacks = random.pick([1, 2, 9])
    let days = random.pick([1, 40, 400])
    let start = random.pick([-3 * Self.day, 0, 20_000 * Self.day, 20_000 * Self.day + 12_345])
    let step = random.pick([1, 7, Self.day / 50])
    for number in 0..<count {
      let origin = min(random.below(origins), random.below(origins)) + 1
      let time = start + random.below(days * Self.day / step) * step
      rows.append([
        random.below(20) == 0 ? 0 : number + 1, origin, time,
        time + random.below(5_000), random.below(4) == 0 ? 0 : -random.below(count) - 1,
        random.below(70_000), origin * 10 + random.below(stacks), random.below(6),
        random.below(200), origin % 7, random.below(5_000), random.below(1_000_000), 77,
        random.below(30) << 40 - 1 << 44, random.below(250) - 100,
        random.pick([Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max]),
      ])
    }
  }

  static func index(of column: SegmentColumn) -> Int? {
    columns.firstIndex { $0.column == column }
  }

  /// The value of a row; 0 in a column that there is not.
  static func value(_ row: [Int], _ column: SegmentColumn) -> Int {
    index(of: column).map { row[$0] } ?? 0
  }

  func values(of column: SegmentColumn) -> [Int] { rows.map { Self.value($0, column) } }

  /// In the order of a segment. Rows that are equal by it may differ in other columns.
  static func key(_ row: [Int]) -> [Int] {
    [SegmentColumn.origin, .release, .stack, .time, .report].map { value(row, $0) }
  }

  static func sorted(_ rows: [[Int]]) -> [[Int]] {
    rows.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// A file of the rows.
  func file() -> ByteView {
    var writer = SegmentWriter(columns: Self.columns)
    for row in rows { writer.append(row.span) }
    return Self.joined(writer.finish())
  }

  static func joined(_ parts: [ByteView]) -> ByteView { ByteView(parts.flatMap(\.array)) }
}

extension Segment {
  /// All rows, read back.
  func allRows() throws -> [[Int]] {
    let all = RowSet(allOf: rowCount)
    let columns = try Rows.columns.map { try values(of: $0.column, at: all) }
    return (0..<rowCount).map { row in columns.map { $0[row] } }
  }
}
