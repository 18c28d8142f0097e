internal import FlatFile

/// The layout of a symbol cache: one flat file in which an address is found by counting, without building
/// anything in memory.
///
/// All numbers are little-endian. Addresses are offsets from the image base and fit 32 bits.
///
///     OFFSET  SIZE  FIELD
///          0     8  "MAYSYMS" and a zero
///          8     4  version, 6
///         12     4  flags: 1 has lines, 2 has columns, 4 has debug information, 8 is of a 32-bit
///                   program for Windows, 16 and its symbols have C's underscore
///         16     8  checksum of the header, without these eight, and of section 0, the index: what
///                   of it is in the first 4096 bytes
///         24     8  checksum of the sections and their padding
///         32     8  size of the file in bytes
///         40     8  image base, the linked address that offsets count from
///         48    16  debug id, as printed; zeros where the object has none
///         64     4  debug id, age
///         68     4  1 if the object has a debug id
///         72    32  architecture, ASCII, padded with zeros
///        104     4  number of sections, 12
///        112   192  for each section its offset (8) and size (8) in bytes, in the order below
///        304     5  bits that a scope has for its function, distance, file, line and column
///        309     1  bytes that a location has in a block, 5 or 8
///        320        the sections, each from a multiple of 64 on; after the last 64 zeros
///
/// Sections:
///
///     0 spans         8 bytes each, ascending: where a span of code begins (4; a multiple of 256)
///                     and the index of its first page (4); at the end all ones and the number of
///                     pages
///     1 pages         u32 for each 256 bytes of a span: bits 0-30 the offset of a block in section
///                     2; bit 31: nothing changes on this page, and what the block says last goes on
///     2 blocks        see below
///     3 scopes        u64 each, from bit 0 on: function; distance back to the scope around it, 0 for
///                     none; then for a function its entry (32 bits), for an inlined call the file
///                     (index in section 9 plus 1, or 0), line and column of the call. All ones in
///                     location of the function: the rest is the index of the scope in section 4
///     4 wide scopes   20 bytes each, for numbers that need more bits: function, distance, then the
///                     entry and zeros, or file, line and column
///     5 functions     16 bytes each: name offset (4) and length (4) in the strings, file of the
///                     declaration (4; index in section 9 plus 1, or 0), its line (4)
///     6 symbols       12 bytes each, ascending: from here on (4) the symbol with this name, offset (4)
///                     and length (4) in the strings; length 0: no symbol from here on
///     7 symbol files  u32 for each symbol: the source file that the symbol table names for it (index
///                     in section 9 plus 1, or 0); empty where it names none at all
///     8 line files    offset (4) and length (4) in the strings, for each file that blocks name
///     9 files         the same for each file that scopes, functions or symbols name
///    10 strings       names and joined paths, without ends
///    11 notes         what of the object could not be read, a line each, UTF-8
///
/// A block says what is known of the 256 bytes of a page:
///
///     OFFSET  SIZE  FIELD
///          0     1  changes of location
///          1     1  changes of scope
///          2     1  changes of symbol
///          3     1  bits 0-1: a scope has 0, 1, 2 or 4 bytes; bits 2-3: a column has 0, 1 or 2; bits
///                   4-5: an index of a location has 0, 4 or 8 bits; bit 6: there are locations
///          4     4  what is added to scopes
///          8     4  index of the symbol that names the first byte plus 1; 0 for none
///         12        where on the page each change of symbol, of scope and of location comes, a byte each,
///                   ascending
///                   scopes: for the first byte and for each change the index in section 3 plus 1,
///                   less what is added; 0: none. With no bytes for it the scope is what is added, for
///                   the whole page
///                   lines: for the first byte and for each change, a byte each, less that of its location
///                   columns
///                   indices of locations; those of four bits from the low bits of a byte on
///                   locations: file (2; index in section 8 plus 1, or 0) and line (3); where a location has
///                   8 bytes both have 4. File, line and column 0: nothing is known
///
/// An address has a span, its page a block, and there the number of changes up to it gives the
/// symbol (the name of the outermost function), the scope (the innermost function or inlined call;
/// the others around it) and the location (of the innermost; those around it have the location of
/// the call). So a look-up reads few parts of memory, and none that it has to search.
///
/// Readers trust nothing: every offset is checked, and damage at worst gives no answer or a wrong name. Files
/// of another version are rejected and compiled again.
///
/// Opening reads the header and the index, which in almost every file has few entries: damage to them is
/// detected there. Damage to the sections is detected by their checksum, for which the whole file has to be
/// read.
///
/// History: 1, first. 2, an index of equal size in every file, files of lines separate from the others so
/// that two threads can write them. 3, everything about 256 bytes of code in one block, found by counting;
/// numbers of fixed width. 4, as 3; exported names of PE files end with their functions. 5, as 4; so do
/// symbols without a size. 6, as 5; symbols count by their sections, and names other than linkage names have
/// their namespaces.
enum SymbolCacheFormat {
  static let version: UInt32 = 6
  static let layout = FlatFileLayout(
    name: "symbol cache", magic: "MAYSYMS", version: version, headerSize: 320,
    sectionCount: Section.allCases.count, countOffset: 104, tableOffset: 112, alignment: 64,
    trailingZeros: 64, sums: .wide(reach: 4_096))
  /// The offset of the widths of numbers.
  static let widths = 304
  /// The bits of an address within a page.
  static let pageBits: UInt32 = 8
  /// The most pages without changes inside a span.
  static let emptyPages: UInt32 = 15
  static let emptyPage: UInt32 = 1 << 31
  static let blockHeader = 12
  static let symbolSize = 12
  static let functionSize = 16
  static let wideScopeSize = 20

  enum Flags {
    static let lines: UInt32 = 1
    static let columns: UInt32 = 2
    static let debugInfo: UInt32 = 4
    static let decoratedC: UInt32 = 8
    static let underscores: UInt32 = 16
  }

  enum Section: Int, CaseIterable {
    case spans, pages, blocks, scopes, wideScopes, functions, symbols, symbolFiles
    case lineFiles, files, strings, notes
  }

  /// The fourth byte of a block.
  enum BlockForm {
    static let scopes: UInt8 = 0
    static let columns: UInt8 = 2
    static let indices: UInt8 = 4
    static let hasLocations: UInt8 = 0x40
  }
}
