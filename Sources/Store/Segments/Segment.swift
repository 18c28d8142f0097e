public import Bytes
internal import Compression
internal import Synchronization

/// The reports of one app in an immutable file; see ``SegmentFormat``.
///
/// Opening checks the header; a column is checked when it is first used.
public final class Segment: Sendable {
  /// The number of rows, at most 2^20.
  public let rowCount: Int
  let file: ByteView
  /// In ascending order of columns.
  let entries: [ColumnEntry]
  private let checksSums: Bool
  /// A bit for each entry whose section was checked.
  private let checked = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - file: The whole file, usually mapped.
  ///   - checksSums: Whether to compare checksums. Without, everything else is checked.
  /// - Throws: ``ParseError`` for a file of another kind or version, one that is cut off, and one whose
  ///   header is damaged; it names the column and the offset.
  /// - Complexity: O(1) in the number of rows.
  public init(opening file: ByteView, checksSums: Bool = true) throws(ParseError) {
    self.file = file
    self.checksSums = checksSums
    guard file.starts(with: SegmentFormat.magic) else {
      throw ParseError(.notRecognised, in: "segment", at: 0)
    }
    var reader = ByteReader(file.bytes, reading: "segment")
    try reader.skip(SegmentFormat.magic.count)
    let version: UInt32 = try reader.read()
    guard version == SegmentFormat.version else {
      throw ParseError(.unsupported("version \(version)"), in: "segment", at: 8)
    }
    let checksum: UInt32 = try reader.read()
    let size: UInt64 = try reader.read()
    guard size == UInt64(file.count) else {
      throw ParseError(.invalid("a size other than \(file.count)"), in: "segment", at: 16)
    }
    let rowCount = Int(try reader.read(UInt32.self))
    let columnCount = Int(try reader.read(UInt32.self))
    guard rowCount <= SegmentFormat.mostRows, columnCount <= SegmentFormat.mostColumns else {
      throw ParseError(.invalid("too many rows or columns"), in: "segment", at: 24)
    }
    self.rowCount = rowCount
    let end = SegmentFormat.headerSize + columnCount * SegmentFormat.entrySize
    guard end <= file.count else {
      throw ParseError(.truncated(needed: end, left: file.count), in: "segment directory", at: 0)
    }
    guard !checksSums || CRC32.checksum(of: file.clamped(16..<end)) == checksum else {
      throw ParseError(.invalid("a wrong checksum"), in: "segment directory", at: 12)
    }
    var entries: [ColumnEntry] = []
    for _ in 0..<columnCount {
      let start = reader.position
      let entry = try ColumnEntry(
        reading: &reader, rowCount: rowCount, fileSize: file.count)
      guard entries.last.map({ $0.column < entry.column }) ?? true else {
        throw ParseError(.invalid("a column out of order"), in: entry.structure, at: start)
      }
      entries.append(entry)
    }
    for column in SegmentColumn.required where !entries.contains(where: { $0.column == column }) {
      throw ParseError(
        .invalid("no column \(column.rawValue)"), in: "segment directory",
        at: SegmentFormat.headerSize)
    }
    self.entries = entries
  }

  /// The columns of the file. Others read as 0.
  public var columns: [SegmentColumnDeclaration] {
    entries.map { SegmentColumnDeclaration($0.column, $0.kind) }
  }

  /// Size of the file in bytes.
  public var size: Int { file.count }

  /// The size of each column's section in bytes.
  public var columnSizes: [(column: SegmentColumn, size: Int)] {
    entries.map { ($0.column, $0.parts(rowCount: rowCount).size) }
  }

  /// Checks all columns.
  ///
  /// - Throws: ``ParseError`` for a damaged one.
  /// - Complexity: O(n) in the size of the file.
  public func verify() throws(ParseError) {
    for entry in entries { _ = try column(entry.column) }
  }

  /// Checks some columns; those that the file lacks are not damaged.
  ///
  /// - Throws: ``ParseError`` for a damaged one.
  /// - Complexity: O(n) in their size, O(1) where they were checked before.
  public func verify(_ columns: [SegmentColumn]) throws(ParseError) {
    for column in columns { _ = try self.column(column) }
  }

  /// A column that was checked.
  ///
  /// - Throws: ``ParseError`` where it is damaged.
  func column(_ column: SegmentColumn) throws(ParseError) -> ColumnData {
    let index = entries.lowerBound { $0.column < column }
    guard index < entries.count, entries[index].column == column else {
      return ColumnData(
        ColumnEntry(column: column, kind: .code), rowCount: rowCount, section: .empty)
    }
    let entry = entries[index]
    let size = entry.parts(rowCount: rowCount).size
    let section = file.clamped(entry.offset..<entry.offset + size)
    let data = ColumnData(entry, rowCount: rowCount, section: section)
    let bit: UInt64 = 1 << UInt64(index)
    guard checked.load(ordering: .acquiring) & bit == 0 else { return data }
    guard !checksSums || CRC32.checksum(of: section) == entry.checksum else {
      throw ParseError(.invalid("a wrong checksum"), in: entry.structure, at: entry.offset)
    }
    try data.verify()
    checked.bitwiseOr(bit, ordering: .releasing)
    return data
  }
}
