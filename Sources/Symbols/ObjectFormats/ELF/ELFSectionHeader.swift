internal import Bytes

/// One entry of the section header table.
///
///     32  64  SIZE    FIELD
///      0   0     4    name, an offset into the section names
///      4   4     4    type
///      8   8     4/8  flags
///     12  16     4/8  address
///     16  24     4/8  offset in the file
///     20  32     4/8  size
///     24  40     4    link to another section
///     28  44     4    more information
///     32  48     4/8  alignment
///     36  56     4/8  size of an entry
///
/// Source: System V gABI, chapter 4, "Sections"; Elf32_Shdr and Elf64_Shdr in elf.h.
struct ELFSectionHeader: Sendable {
  let nameOffset: UInt32
  let type: UInt32
  let flags: UInt64
  var address: UInt64
  let offset: UInt64
  let size: UInt64
  let link: UInt32
  let info: UInt32
  let alignment: UInt64

  static let typeSymbols: UInt32 = 2
  static let typeNote: UInt32 = 7
  static let typeNoBits: UInt32 = 8
  static let typeDynamicSymbols: UInt32 = 11
  /// `SHT_SYMTAB_SHNDX`: the sections of symbols whose index does not fit their table.
  static let typeSymbolSections: UInt32 = 18
  static let flagAllocated: UInt64 = 0x2
  static let flagExecutable: UInt64 = 0x4
  static let flagCompressed: UInt64 = 0x800
  /// Section indices from here on have a meaning of their own.
  static let reservedIndices: UInt16 = 0xff00
  /// The real index did not fit and stands elsewhere.
  static let extendedIndex: UInt16 = 0xffff

  static func byteCount(addressSize: Int) -> Int { addressSize == 8 ? 64 : 40 }

  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    nameOffset = try reader.read()
    type = try reader.read()
    flags = try reader.readUnsigned(size: addressSize)
    address = try reader.readUnsigned(size: addressSize)
    offset = try reader.readUnsigned(size: addressSize)
    size = try reader.readUnsigned(size: addressSize)
    link = try reader.read()
    info = try reader.read()
    alignment = try reader.readUnsigned(size: addressSize)
    try reader.skip(addressSize)
  }

  var hasContents: Bool { type != Self.typeNoBits && type != 0 }
  var isAllocated: Bool { flags & Self.flagAllocated != 0 }
  var isExecutable: Bool { isAllocated && flags & Self.flagExecutable != 0 }
  var isCompressed: Bool { flags & Self.flagCompressed != 0 }
}
