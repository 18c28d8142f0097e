/// The format of segments: immutable files that hold the reports of one app column by column, to be mapped
/// and scanned.
///
/// All numbers are little-endian. Rows are sorted by origin, release, stack, time and report; a column
/// holds a signed number of 64 bits for each. A file has at most 2^20 rows and 64 columns, among them those
/// of ``SegmentColumn/required``.
///
///     OFFSET  SIZE  FIELD
///          0     8  "MDSEGMT", 0
///          8     4  version, 1
///         12     4  CRC-32 of everything from byte 16 up to the end of the directory
///         16     8  size of the file in bytes
///         24     4  number of rows
///         28     4  number of columns
///         32        the directory: an entry for each column, by ascending ids
///
/// An entry:
///
///     OFFSET  SIZE  FIELD
///          0     1  id of the column
///          1     1  kind: 1 code, 2 number
///          2     1  encoding: 0 constant, 1 plain, 2 runs
///          3     1  width of a value in bytes
///          4     1  width of a dictionary entry in bytes
///          5     3  0
///          8     4  number of dictionary entries
///         12     4  number of runs
///         16     4  CRC-32 of the column's section
///         20     4  0
///         24     8  base
///         32     8  offset of the section, a multiple of 64
///         40     8  size of the section in bytes
///
/// Widths are 1, 2, 4 or 8. What an encoding does not use is 0. Encodings:
///
/// - *constant*: each row has the base. There is no section.
/// - *plain*: a value for each row.
/// - *runs*: a value for each run of rows that share it. Origin, release and stack are constant or in runs;
///   the runs of release and stack also end where those of the columns before them end, so that the times
///   of a run of the stack ascend.
///
/// The value of a code is the index of its dictionary entry; a code is the base plus that entry. The value of
/// a number is what it exceeds the base by; a number is constant or plain. Additions wrap around.
///
/// A section has these parts, each at a multiple of 64 bytes and filled up with zeros:
///
/// 1. the dictionary, for codes: entries in ascending order;
/// 2. the first row of each run (4 bytes), for runs: ascending from 0;
/// 3. the values; if plain, zeros follow up to a multiple of 64 rows;
/// 4. the least and the greatest value (each of the width) of each 4096 rows, for plain numbers.
///
/// There are no bitmaps of single values: the bytes of 2^20 rows are compared in 0.06 ms, bitmaps of 40
/// devices would take five bytes a row.
///
/// Versions: 1 is the first.
enum SegmentFormat {
  static let magic = Array("MDSEGMT\0".utf8)
  static let version: UInt32 = 1
  static let headerSize = 32
  static let entrySize = 48
  static let alignment = 64
  static let mostRows = 1 << 20
  static let mostColumns = 64
  /// The rows that share a least and a greatest value.
  static let blockSize = 4096
  /// The words of a ``RowSet`` for a block.
  static let blockWords = blockSize / 64

  static func aligned(_ size: Int) -> Int { (size + alignment - 1) & ~(alignment - 1) }

  /// The number of blocks that `rowCount` rows begin.
  static func blockCount(_ rowCount: Int) -> Int { (rowCount + blockSize - 1) / blockSize }
}
