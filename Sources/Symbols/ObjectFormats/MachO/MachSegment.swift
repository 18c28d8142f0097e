internal import Bytes

/// The command `LC_SEGMENT` or `LC_SEGMENT_64`: a part of the file that is loaded, and its sections.
///
///     32  64  SIZE    FIELD
///      0   0     4    command: 0x1 or 0x19
///      4   4     4    size of the command, with its sections
///      8   8    16    name, padded with zeros
///     24  24     4/8  address
///     28  32     4/8  size in memory
///     32  40     4/8  offset in the file
///     36  48     4/8  size in the file
///     40  56     4    highest protection
///     44  60     4    first protection: 4 for instructions
///     48  64     4    number of sections
///     52  68     4    flags
///
/// Source: segment_command and segment_command_64 in mach-o/loader.h.
struct MachSegment: Sendable {
  static let command32: UInt32 = 0x1
  static let command64: UInt32 = 0x19

  let name: String
  let address: UInt64
  let size: UInt64
  let fileOffset: UInt64
  let fileSize: UInt64
  let isExecutable: Bool
  let sectionCount: UInt32

  /// - Parameter reader: Stands after the size of the command; moves on to the sections.
  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    name = try reader.readBytes(16).machName
    address = try reader.readUnsigned(size: addressSize)
    size = try reader.readUnsigned(size: addressSize)
    fileOffset = try reader.readUnsigned(size: addressSize)
    fileSize = try reader.readUnsigned(size: addressSize)
    try reader.skip(4)
    isExecutable = try reader.read(UInt32.self) & 4 != 0
    sectionCount = try reader.read()
    try reader.skip(4)
  }
}

extension RawSpan {
  /// A name in a field of fixed size: up to the first NUL, if there is one.
  var machName: String {
    var reader = ByteReader(self, reading: "name")
    let text = try? reader.readCString().text
    return text ?? self.text
  }
}
