/// The layout of a symbol cache: one flat file in which an address is found by binary search, without
/// building anything in memory.
///
/// All numbers are little-endian. Addresses are offsets from the image base and fit 32 bits. A
/// *varint* is unsigned LEB128 of at most five bytes; a signed one is folded (0, -1, 1, -2, ...)
/// first.
///
///     OFFSET  SIZE  FIELD
///          0     8  "MAYSYMS" and a zero
///          8     4  version, 2
///         12     4  flags: 1 has lines, 2 has columns, 4 has debug information
///         16     8  checksum of the bytes before the sections, without these eight
///         24     8  checksum of the sections and what fills them up
///         32     8  size of the file in bytes
///         40     8  image base, the linked address that offsets count from
///         48    16  debug id, as printed; zeros where the object has none
///         64     4  debug id, age
///         68     4  1 if the object has a debug id
///         72    32  architecture, ASCII, filled up with zeros
///        104     4  number of sections, 14
///        112   224  for each section its offset (8) and size (8) in bytes, in the order below
///        512  3072  index: for each of the three sections marked * below 256 of its numbers, u32
///                   each: every nth, where n is a 256th of their count, rounded up, and all ones
///                   behind the last
///       3584        the sections, each from a multiple of 8 on
///
/// Sections:
///
///     0 symbol starts *   u32 each, ascending: from here on the symbol of the same index
///     1 symbol names      offset (4) and length (4) in the strings; length 0: no symbol from here on
///     2 scope starts *    u32 each, ascending: where each block of scope runs begins
///     3 scope runs        a block is 96 bytes for up to 16 runs: how far behind the block's start
///                         each begins (2 bytes each, ascending from 0; all ones: no run), then for
///                         each the offset of its scope plus 1 (4 bytes each; 0: nothing from here on)
///     4 scopes            by offset. Varints: function; distance back to the scope around it, 0 for
///                         none; then for a function its entry (4 bytes), for an inlined call the
///                         file (index in section 13 plus 1, or 0), line and column of the call
///     5 functions         16 bytes each: name offset (4) and length (4) in the strings, file of the
///                         declaration (4; index in section 13 plus 1, or 0), its line (4)
///     6 line starts *     u32 each, ascending: where each block of line rows begins
///     7 line blocks       u32 each: where the block's rows begin in section 8
///     8 line rows         in blocks of up to 16 rows: how far behind the block's start each begins (2
///                         bytes each, 32 in all, as for scope runs); then for each row a byte: bits
///                         0-5 the line less that of the row before plus 30, or 62 if a folded varint
///                         follows, or 63 if nothing is known from here on and nothing follows; bit
///                         6: a varint follows that is the file (index in section 9 plus 1); bit
///                         7: a varint follows that is the column. A block begins with file 0, line 0 and column
///                         0; rows of nothing leave them
///     9 line files        offset (4) and length (4) in the strings, for each file that rows name
///    10 strings           names and joined paths, without ends
///    11 symbol files      u32 for each symbol start: the source file that the symbol table names for
///                         it (index in section 13 plus 1, or 0); empty where it names none at all
///    12 notes             what of the object could not be read, a line each, UTF-8
///    13 files             as section 9, for each file that scopes, functions or symbols name
///
/// An address is looked up in the symbol starts (the name of the outermost function), in the scope
/// runs (the innermost function or inlined call; the others around it) and in the line rows (file,
/// line and column of the innermost; those around it have the place of the call).
///
/// Readers believe nothing: every offset is checked, and damage at worst gives no answer or a wrong
/// name. Files of another version are refused and compiled again.
///
/// Opening reads the bytes before the sections, whatever the size of the file: a damaged header or
/// index is seen there. Damage of the sections is seen by the checksum over them, for which the whole
/// file has to be read.
///
/// History: 1, first. 2, an index of equal size in every file, files of lines apart from the others
/// so that two threads can write them.
enum SymbolCacheFormat {
  static let magic: [UInt8] = Array("MAYSYMS".utf8) + [0]
  static let version: UInt32 = 2
  static let sectionCount = 14
  static let sectionTable = 112
  /// Where the index begins.
  static let index = 512
  /// The numbers that the index has of a section.
  static let indexCount = 256
  /// Everything before the sections.
  static let headerSize = index + 3 * indexCount * 4
  /// Runs or rows in a block.
  static let blockCount = 16
  /// The bytes that say where they begin.
  static let blockStarts = 32
  static let scopeBlockSize = 96
  /// How far behind the start of its block a run or row begins at most.
  static let blockReach: UInt32 = 0xfffe

  enum Flags {
    static let lines: UInt32 = 1
    static let columns: UInt32 = 2
    static let debugInfo: UInt32 = 4
  }

  enum Section: Int, CaseIterable {
    case symbolStarts, symbolNames, scopeStarts, scopeRuns, scopes, functions
    case lineStarts, lineBlocks, lineRows, lineFiles, strings, symbolFiles, notes, files

    static let indexed: [Section] = [.symbolStarts, .scopeStarts, .lineStarts]
  }

  /// How far the numbers that stand in the index lie apart in a section of `count` numbers.
  @inline(__always)
  static func indexStride(_ count: Int) -> Int { max((count &+ indexCount &- 1) / indexCount, 1) }

  /// The byte that begins a line row.
  enum RowTag {
    static var lineMask: UInt8 { 0x3f }
    static var lineBias: Int { 30 }
    static var lineLargest: Int { 61 }
    static var otherLine: UInt8 { 62 }
    static var nothing: UInt8 { 63 }
    static var file: UInt8 { 0x40 }
    static var column: UInt8 { 0x80 }
  }
}
