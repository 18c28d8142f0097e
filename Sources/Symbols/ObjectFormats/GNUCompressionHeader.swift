internal import Bytes

/// The header of a `.zdebug_*` (ELF) or `__zdebug_*` (Mach-O) section.
///
///     OFFSET  SIZE  FIELD
///          0     4  "ZLIB"
///          4     8  size when decompressed, big-endian
///
/// Source: the GNU binutils manual, `objcopy --compress-debug-sections=zlib-gnu`.
struct GNUCompressionHeader {
  static let byteCount = 12

  let size: UInt64

  /// `nil` when the section is stored as it is in spite of its name.
  init?(parsing view: ByteView) {
    guard view.starts(with: [0x5a, 0x4c, 0x49, 0x42]) else { return nil }
    var reader = ByteReader(view.bytes, reading: "compressed section", endianness: .big)
    guard (try? reader.skip(4)) != nil, let size = try? reader.read(UInt64.self) else {
      return nil
    }
    self.size = size
  }
}
