internal import Bytes

/// One entry of a symbol table.
///
///     32  64  SIZE    FIELD
///      0   0     4    name, an offset into the string table
///     12   4     1    binding (high half) and type (low half)
///     13   5     1    visibility
///     14   6     2    section index
///      4   8     4/8  value
///      8  16     4/8  size
///
/// Source: System V gABI, chapter 4, "Symbol Table"; Elf32_Sym and Elf64_Sym in elf.h.
struct ELFSymbol {
  let nameOffset: UInt32
  let information: UInt8
  /// The index as in the file; reserved ones (from `SHN_LORESERVE` on) with all ones above, so that they
  /// differ from sections of the same number.
  var sectionIndex: UInt32
  let value: UInt64
  let size: UInt64

  static func byteCount(addressSize: Int) -> Int { addressSize == 8 ? 24 : 16 }

  static let typeNone: UInt8 = 0
  static let typeFunction: UInt8 = 2
  /// `STT_FILE`: the source file of the local symbols after it.
  static let typeFile: UInt8 = 4
  /// A function that chooses the real one at load time.
  static let typeIndirectFunction: UInt8 = 10

  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    nameOffset = try reader.read()
    if addressSize == 8 {
      information = try reader.read()
      try reader.skip(1)
      sectionIndex = Self.widened(try reader.read())
      value = try reader.read()
      size = try reader.read()
    } else {
      value = UInt64(try reader.read(UInt32.self))
      size = UInt64(try reader.read(UInt32.self))
      information = try reader.read()
      try reader.skip(1)
      sectionIndex = Self.widened(try reader.read())
    }
  }

  private static func widened(_ index: UInt16) -> UInt32 {
    index < ELFSectionHeader.reservedIndices ? UInt32(index) : UInt32(index) | 0xffff_0000
  }

  var type: UInt8 { information & 15 }
  var isFunction: Bool { type == Self.typeFunction || type == Self.typeIndirectFunction }
  var isGlobal: Bool { information >> 4 != 0 }
  var isWeak: Bool { information >> 4 == 2 }
  /// Whether the symbol is only used here and defined in another file.
  var isUndefined: Bool { sectionIndex == 0 }
  /// Whether the value is an address in a section of this file.
  var hasAddress: Bool { !isUndefined && (sectionIndex < Self.firstReserved || isExtended) }
  /// Whether the section's index did not fit and is in a separate table (`SHT_SYMTAB_SHNDX`).
  var isExtended: Bool { sectionIndex == .max }
  /// Whether the value is not relative to a section: an absolute number, a common block.
  var isReserved: Bool { sectionIndex >= Self.firstReserved && !isExtended }

  private static let firstReserved = UInt32(ELFSectionHeader.reservedIndices) | 0xffff_0000
}
