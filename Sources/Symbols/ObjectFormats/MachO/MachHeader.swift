internal import Bytes

/// The start of a Mach-O file or slice, in its own byte order.
///
///     OFFSET  SIZE  FIELD
///          0     4  magic: 0xfeedface for 32 bits, 0xfeedfacf for 64
///          4     4  CPU type
///          8     4  CPU subtype
///         12     4  file type
///         16     4  number of load commands
///         20     4  size of the load commands in bytes
///         24     4  flags
///         28     4  reserved (64 bits)
///
/// Source: mach_header and mach_header_64 in mach-o/loader.h.
struct MachHeader: Sendable {
  private static let magic32: UInt32 = 0xfeed_face
  private static let magic64: UInt32 = 0xfeed_facf

  let endianness: Endianness
  /// 4 or 8.
  let addressSize: Int
  let cpuType: UInt32
  let cpuSubtype: UInt32
  let fileType: UInt32
  let commandCount: UInt32
  let commandBytes: UInt32

  /// The length of the header in bytes.
  var byteCount: Int { addressSize == 8 ? 32 : 28 }

  static func isHeader(_ view: ByteView) -> Bool { format(of: view) != nil }

  private static func format(of view: ByteView) -> (Endianness, addressSize: Int)? {
    guard view.count >= 4 else { return nil }
    let magic = (0..<4).reduce(0 as UInt32) { $0 << 8 | UInt32(view[$1]) }
    return switch magic {
    case magic32: (.big, 4)
    case magic64: (.big, 8)
    case magic32.byteSwapped: (.little, 4)
    case magic64.byteSwapped: (.little, 8)
    default: nil
    }
  }

  init(parsing view: ByteView) throws(ParseError) {
    guard let (endianness, addressSize) = Self.format(of: view) else {
      throw ParseError(.notRecognised, in: "Mach-O", at: 0)
    }
    self.endianness = endianness
    self.addressSize = addressSize
    var reader = ByteReader(view.bytes, reading: "Mach-O header", endianness: endianness)
    try reader.skip(4)
    cpuType = try reader.read()
    cpuSubtype = try reader.read()
    fileType = try reader.read()
    commandCount = try reader.read()
    commandBytes = try reader.read()
    try reader.skip(addressSize == 8 ? 8 : 4)
  }
}

/// The values of the file type. Source: mach-o/loader.h.
enum MachFileType {
  static let object: UInt32 = 1
  static let execute: UInt32 = 2
  static let core: UInt32 = 4
  static let preload: UInt32 = 5
  static let dylib: UInt32 = 6
  static let dylinker: UInt32 = 7
  static let bundle: UInt32 = 8
  static let dylibStub: UInt32 = 9
  static let dSYM: UInt32 = 10
  static let kernelExtension: UInt32 = 11
  static let fileset: UInt32 = 12
}
