internal import Bytes

/// The start of an ELF file.
///
///     32  64  SIZE    FIELD
///      0   0     4    0x7f "ELF"
///      4   4     1    class: 1 for 32 bits, 2 for 64
///      5   5     1    byte order: 1 little, 2 big
///      6   6     1    version of the identification, 1
///      7   7     9    ABI and padding
///     16  16     2    type
///     18  18     2    machine
///     20  20     4    version
///     24  24     4/8  entry point
///     28  32     4/8  offset of the program headers
///     32  40     4/8  offset of the section headers
///     36  48     4    flags
///     40  52     2    size of this header
///     42  54     2    size of a program header
///     44  56     2    number of program headers
///     46  58     2    size of a section header
///     48  60     2    number of section headers
///     50  62     2    index of the section that holds section names
///
/// Source: System V gABI, chapter 4, "ELF Header"; Elf32_Ehdr and Elf64_Ehdr in elf.h.
struct ELFHeader: Sendable {
  static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  let endianness: Endianness
  /// 4 or 8.
  let addressSize: Int
  let type: UInt16
  let machine: UInt16
  let programHeaderOffset: UInt64
  let programHeaderSize: UInt16
  let programHeaderCount: UInt16
  let sectionHeaderOffset: UInt64
  let sectionHeaderSize: UInt16
  let sectionHeaderCount: UInt16
  let sectionNamesIndex: UInt16

  init(parsing view: ByteView) throws(ParseError) {
    guard view.starts(with: Self.magic) else { throw ParseError(.notRecognised, in: "ELF", at: 0) }
    guard view.count >= 16 else {
      throw ParseError(.truncated(needed: 16, left: view.count), in: "ELF header", at: 0)
    }
    switch view[4] {
    case 1: addressSize = 4
    case 2: addressSize = 8
    default: throw ParseError(.unsupported("class \(view[4])"), in: "ELF header", at: 4)
    }
    switch view[5] {
    case 1: endianness = .little
    case 2: endianness = .big
    default: throw ParseError(.unsupported("byte order \(view[5])"), in: "ELF header", at: 5)
    }
    var reader = ByteReader(view.bytes, reading: "ELF header", endianness: endianness)
    try reader.skip(16)
    type = try reader.read()
    machine = try reader.read()
    try reader.skip(4 + addressSize)
    programHeaderOffset = try reader.readUnsigned(size: addressSize)
    sectionHeaderOffset = try reader.readUnsigned(size: addressSize)
    try reader.skip(4 + 2)
    programHeaderSize = try reader.read()
    programHeaderCount = try reader.read()
    sectionHeaderSize = try reader.read()
    sectionHeaderCount = try reader.read()
    sectionNamesIndex = try reader.read()
  }
}

/// The values of `e_type`. Source: System V gABI, chapter 4, "ELF Header".
enum ELFType {
  static let relocatable: UInt16 = 1
  static let executable: UInt16 = 2
  static let shared: UInt16 = 3
  static let core: UInt16 = 4
}
