internal import Bytes

/// A section inside a segment command.
///
///     32  64  SIZE    FIELD
///      0   0    16    name, padded with zeros
///     16  16    16    name of the segment
///     32  32     4/8  address
///     36  40     4/8  size
///     40  48     4    offset in the file
///     44  52     4    alignment, a power of two
///     48  56     4    offset of the relocations
///     52  60     4    number of relocations
///     56  64     4    type (low byte) and attributes
///     60  68     8    depends on the type
///      -  76     4    reserved (64 bits)
///
/// Source: section and section_64 in mach-o/loader.h.
struct MachSection: Sendable {
  static let nameBytes = 16

  let name: String
  let segment: String
  let address: UInt64
  let size: UInt64
  let offset: UInt32
  let relocationOffset: UInt32
  let relocationCount: UInt32
  let flags: UInt32

  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    name = try reader.readBytes(Self.nameBytes).machName
    segment = try reader.readBytes(16).machName
    address = try reader.readUnsigned(size: addressSize)
    size = try reader.readUnsigned(size: addressSize)
    offset = try reader.read()
    try reader.skip(4)
    relocationOffset = try reader.read()
    relocationCount = try reader.read()
    flags = try reader.read()
    try reader.skip(addressSize == 8 ? 12 : 8)
  }

  /// Whether it is made of zeros that the file leaves out: S_ZEROFILL, S_GB_ZEROFILL,
  /// S_THREAD_LOCAL_ZEROFILL.
  var isZeroFill: Bool { [0x1, 0xc, 0x12].contains(flags & 0xff) }

  /// S_ATTR_PURE_INSTRUCTIONS or S_ATTR_SOME_INSTRUCTIONS.
  var hasInstructions: Bool { flags & 0x8000_0400 != 0 }

  var range: Range<UInt64>? {
    let end = address.addingReportingOverflow(size)
    return end.overflow || size == 0 ? nil : address..<end.partialValue
  }
}
