internal import Bytes

/// One entry of the program header table: a part of the file that is loaded, or a note for the
/// loader.
///
///     32  64  SIZE    FIELD
///      0   0     4    type
///      -   4     4    flags (64 bits)
///      4   8     4/8  offset in the file
///      8  16     4/8  virtual address
///     12  24     4/8  physical address
///     16  32     4/8  size in the file
///     20  40     4/8  size in memory
///     24   -     4    flags (32 bits)
///     28  48     4/8  alignment
///
/// Source: System V gABI, chapter 5, "Program Header"; Elf32_Phdr and Elf64_Phdr in elf.h.
struct ELFProgramHeader: Sendable {
  let type: UInt32
  let flags: UInt32
  let offset: UInt64
  let address: UInt64
  let fileSize: UInt64
  let memorySize: UInt64
  let alignment: UInt64

  static let typeLoad: UInt32 = 1
  static let typeDynamic: UInt32 = 2
  static let typeInterpreter: UInt32 = 3
  static let typeNote: UInt32 = 4
  static let flagExecutable: UInt32 = 1
  /// `e_phnum` when the real number is in `sh_info` of section 0.
  static let extendedCount: UInt16 = 0xffff

  static func byteCount(addressSize: Int) -> Int { addressSize == 8 ? 56 : 32 }

  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    type = try reader.read()
    var flags: UInt32 = addressSize == 8 ? try reader.read() : 0
    offset = try reader.readUnsigned(size: addressSize)
    address = try reader.readUnsigned(size: addressSize)
    try reader.skip(addressSize)
    fileSize = try reader.readUnsigned(size: addressSize)
    memorySize = try reader.readUnsigned(size: addressSize)
    if addressSize == 4 { flags = try reader.read() }
    self.flags = flags
    alignment = try reader.readUnsigned(size: addressSize)
  }
}
