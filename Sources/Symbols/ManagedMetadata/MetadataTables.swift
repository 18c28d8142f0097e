internal import Bytes

/// The tables of metadata.
///
///     OFFSET  SIZE  FIELD
///          0     6  reserved, versions
///          6     1  width of heap offsets: bit 0 strings, 1 GUIDs, 2 blobs: 4 bytes, otherwise 2
///          7     1  reserved
///          8     8  a bit for each table that is there
///         16     8  a bit for each sorted table
///         24   4 n  rows of each that is there; then the rows
///
/// Source: ECMA-335, section II.24.2.6.
struct MetadataTables: Sendable {
  private struct Layout {
    var rows: UInt32 = 0
    /// The offset in the stream, in bytes.
    var start: Int = 0
    var rowSize: Int = 0
    /// The offset of each column in a row, and its width.
    var columns: [(offset: Int, width: Int)] = []
  }

  private let bytes: ByteView
  private var layouts: [Layout]

  /// - Parameter others: The numbers of rows of tables stored elsewhere, for the widths of columns.
  init(parsing view: ByteView, others: [Int: UInt32]) throws(ParseError) {
    bytes = view
    var reader = ByteReader(view.bytes, reading: "metadata tables")
    try reader.skip(6)
    let widths: UInt8 = try reader.read()
    try reader.skip(1)
    let present: UInt64 = try reader.read()
    try reader.skip(8)
    layouts = [Layout](repeating: Layout(), count: MetadataTable.count)
    for table in 0..<MetadataTable.count where present >> UInt64(table) & 1 == 1 {
      layouts[table].rows = try reader.read()
    }
    // Some writers add four bytes, announced by bit 6.
    if widths & 0x40 != 0 { try reader.skip(4) }
    var start = reader.position
    let rows = layouts.indices.map { max(layouts[$0].rows, others[$0] ?? 0) }
    for table in layouts.indices {
      guard let columns = MetadataTable.columns[table] else {
        // The offset of the next one would be unknown.
        guard layouts[table].rows == 0 else {
          throw reader.error(.unsupported("table \(table.hexadecimal)"))
        }
        continue
      }
      var size = 0
      for column in columns {
        let width =
          switch column {
          case .number(let width): width
          case .string: widths & 1 == 0 ? 2 : 4
          case .guid: widths & 2 == 0 ? 2 : 4
          case .blob: widths & 4 == 0 ? 2 : 4
          case .row(let table): rows[table] < 1 << 16 ? 2 : 4
          case .coded(let index):
            index.tables.allSatisfy { rows[$0] < 1 << (16 - index.bits) } ? 2 : 4
          }
        layouts[table].columns.append((size, width))
        size += width
      }
      layouts[table].rowSize = size
      layouts[table].start = start
      // At most 2^32 rows of 64 bytes.
      start += Int(layouts[table].rows) * size
      guard start <= view.count else {
        throw ParseError(
          .outOfBounds(offset: UInt64(start), count: 0, size: view.count), in: "metadata table",
          at: reader.position)
      }
    }
  }

  func rows(of table: MetadataTable) -> UInt32 { layouts[table.rawValue].rows }

  /// The number in a column of a row, which counts from 1; `nil` where there is no such row.
  func value(_ table: MetadataTable, _ row: UInt32, _ column: Int) -> UInt32? {
    let layout = layouts[table.rawValue]
    guard row > 0, row <= layout.rows, column < layout.columns.count else { return nil }
    let (offset, width) = layout.columns[column]
    let start = layout.start + Int(row - 1) * layout.rowSize + offset
    let span = bytes.bytes
    var value: UInt32 = 0
    for index in 0..<width { value |= UInt32(span.byte(start + index)) << UInt32(8 * index) }
    return value
  }

  /// The first row whose column is not less than `value`, in a table that is sorted by it.
  ///
  /// - Complexity: O(log n).
  func firstRow(of table: MetadataTable, column: Int, notLessThan value: UInt32) -> UInt32? {
    let count = Int(rows(of: table))
    let index = (0..<count).lowerBound {
      self.value(table, UInt32($0 + 1), column).map { $0 < value } ?? false
    }
    return index < count ? UInt32(index + 1) : nil
  }
}
