internal import Bytes

/// The checksums of a cache, see ``RawSpan/checksum(_:seed:)``.
enum CacheChecksum {
  /// Of everything behind the header.
  static func contents(_ file: RawSpan) -> UInt64 {
    file.checksum(SymbolCacheFormat.headerSize..<max(file.byteCount, SymbolCacheFormat.headerSize))
  }

  /// Of the header, whose field for this sum counts as zeros, and of the sections in `index`.
  static func header(_ file: RawSpan, index: [Range<Int>]) -> UInt64 {
    var result = file.checksum(0..<16)
    result = file.checksum(24..<SymbolCacheFormat.headerSize, seed: result)
    for section in index { result = file.checksum(section, seed: result) }
    return result
  }
}
