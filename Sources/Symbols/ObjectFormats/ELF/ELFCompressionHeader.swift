internal import Bytes

/// The header of a section with `SHF_COMPRESSED`.
///
///     32  64  SIZE    FIELD
///      0   0     4    type: 1 zlib, 2 zstd
///      -   4     4    reserved (64 bits)
///      4   8     4/8  size when decompressed
///      8  16     4/8  alignment when decompressed
///
/// Source: System V gABI, chapter 4, "Section Compression"; Elf32_Chdr and Elf64_Chdr in elf.h.
struct ELFCompressionHeader {
  let type: UInt32
  let size: UInt64

  static func byteCount(addressSize: Int) -> Int { addressSize == 8 ? 24 : 12 }

  init(parsing view: ByteView, endianness: Endianness, addressSize: Int) throws(ParseError) {
    var reader = ByteReader(
      view.bytes, reading: "ELF compression header", endianness: endianness)
    type = try reader.read()
    if addressSize == 8 { try reader.skip(4) }
    size = try reader.readUnsigned(size: addressSize)
    try reader.skip(addressSize)
  }

  var compression: SectionCompression {
    switch type {
    case 1: .zlib
    case 2: .zstd
    default: .unknown(type)
    }
  }
}
