internal import Bytes

/// The table of slices at the start of a universal file, always big-endian.
///
///     OFFSET  SIZE  FIELD
///          0     4  magic: 0xcafebabe, or 0xcafebabf where offsets and sizes have 64 bits
///          4     4  number of slices
///     then for each slice
///          0     4  CPU type
///          4     4  CPU subtype
///          8   4/8  offset in the file
///     12/16    4/8  size
///     16/24      4  alignment, a power of two
///        28      4  reserved (64 bits)
///
/// Source: fat_header, fat_arch and fat_arch_64 in mach-o/fat.h.
struct FatHeader {
  struct Slice {
    let offset: UInt64
    let size: UInt64
  }

  let slices: [Slice]

  private static let magic32: [UInt8] = [0xca, 0xfe, 0xba, 0xbe]
  private static let magic64: [UInt8] = [0xca, 0xfe, 0xba, 0xbf]

  static func isHeader(_ view: ByteView) -> Bool {
    guard view.starts(with: magic32) || view.starts(with: magic64), view.count >= 8 else {
      return false
    }
    let count = (4..<8).reduce(0 as UInt32) { $0 << 8 | UInt32(view[$1]) }
    return count > 0 && count <= ObjectLimits.slices
  }

  init(parsing view: ByteView) throws(ParseError) {
    let offsetSize = view.starts(with: Self.magic64) ? 8 : 4
    var reader = ByteReader(view.bytes, reading: "universal header", endianness: .big)
    try reader.skip(4)
    let count: UInt32 = try reader.read()
    guard count > 0, count <= ObjectLimits.slices else {
      throw reader.error(.invalid("\(count) slices"))
    }
    var slices: [Slice] = []
    for _ in 0..<count {
      try reader.skip(8)
      let offset = try reader.readUnsigned(size: offsetSize)
      let size = try reader.readUnsigned(size: offsetSize)
      try reader.skip(offsetSize)
      slices.append(Slice(offset: offset, size: size))
    }
    self.slices = slices
  }
}
