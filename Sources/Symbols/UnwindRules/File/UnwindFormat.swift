internal import FlatFile

/// The layout of a file of unwind rules: one flat file in which the rules of an address are found
/// by binary search, without building anything in memory.
///
/// All numbers are little-endian. Addresses are offsets from the image base and fit 32 bits. A
/// *word* has eight bytes. Registers have their DWARF numbers (see ``UnwindRegisters``).
///
///     OFFSET  SIZE  FIELD
///          0     8  "MAYUNWD" and a zero
///          8     4  version, 2
///         12     4  where the rules come from, see ``UnwindSources``
///         16     8  checksum of the header (bytes 0 to 255, these eight as zeros) and of section 0
///         24     8  checksum of everything after the header
///         32     8  size of the file in bytes
///         40     8  image base, the linked address that offsets count from
///         48    16  debug id, as printed; zeros where the object has none
///         64     4  debug id, age
///         68     4  1 if the object has a debug id
///         72    32  architecture, ASCII, filled up with zeros
///        104     4  number of rows with rules
///        108     1  size of an address in bytes, 4 or 8
///        109     1  1 if the program's memory is big-endian
///        110     2  zeros
///        112     4  number of sections, 5
///        116     4  zeros
///        120    80  for each section its offset (8) and size (8) in bytes, in the order below
///        200    56  zeros
///        256        the sections, each from a multiple of 8 on
///
/// Sections:
///
///     0 block starts *  u32 each, ascending: where each block of rows begins
///     1 blocks          96 bytes for up to 16 rows: how far after the block's start each begins (2
///                       bytes each, ascending from 0; all ones: no row), then for each the number of
///                       the word in section 2 where its rules begin plus 1 (4 bytes each; 0: no rules
///                       from here on)
///     2 rules           records of words. The first: bits 0-1 what the CFA is (0 unknown, 1 register
///                       plus offset, 2 expression); bits 2-7 ``UnwindRow/Flags``; byte 1 the number
///                       of words that follow; byte 2 the register of the CFA; byte 3 the register that
///                       holds the return address; bytes 4-7 the signed offset, or the place of the
///                       expression. Then a word for each register rule, by register: bytes 0-1 the
///                       register, byte 2 the kind (0 undefined, 1 same value, 2 saved at CFA plus
///                       offset, 3 CFA plus offset, 4 in another register, 5 saved at an expression,
///                       6 value of an expression), byte 3 zero, bytes 4-7 the signed offset,
///                       register or place. With bit 6 of the first word (flag 16) a last word has in
///                       bytes 4-7 how many bytes of parameters the function takes off the stack
///     3 expressions     at each place u16 length, then as many bytes: DWARF operations, see
///                       ``ExpressionOperation``, with little-endian operands
///     4 notes           what of the object could not be read, a line each, UTF-8
///
/// Readers believe nothing: every offset is checked, and damage at worst gives no answer or wrong
/// rules. Files of another version are refused and compiled again.
///
/// History: 1, first. 2, the exception index of 32-bit Arm is read: the layout is the same.
enum UnwindFormat {
  static let version: UInt32 = 2
  static let layout = FlatFileLayout(
    name: "unwind rules", magic: "MAYUNWD", version: version, headerSize: 256, sectionCount: 5,
    countOffset: 112, tableOffset: 120, alignment: 8, trailingZeros: 0, sums: .simple)
  /// Where the number of rows and what a program's memory is like begin.
  static let rowCount = 104
  /// Rows in a block.
  static let blockCount = 16
  /// The bytes that say where they begin.
  static let blockStarts = 32
  static let blockSize = 96
  /// How far after the start of its block a row begins at most.
  static let blockReach: UInt32 = 0xfffe

  enum CFA {
    static let unknown: UInt64 = 0
    static let register: UInt64 = 1
    static let expression: UInt64 = 2
  }

  /// The kind of a register rule.
  enum RuleKind {
    static let undefined: UInt8 = 0
    static let sameValue: UInt8 = 1
    static let offset: UInt8 = 2
    static let valueOffset: UInt8 = 3
    static let register: UInt8 = 4
    static let expression: UInt8 = 5
    static let valueExpression: UInt8 = 6
  }
}
