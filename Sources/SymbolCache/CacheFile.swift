internal import Bytes

/// A cache file while its sections are put behind one another.
struct CacheFile: ~Copyable {
  private var bytes: Table<UInt8>

  /// - Parameter size: Of the whole file, in bytes.
  init(_ header: borrowing Table<UInt8>, size: Int) {
    bytes = Table(minimumCapacity: size)
    bytes.append(contentsOf: unsafe header.span.bytes)
  }

  /// Adds a section and fills up to a multiple of eight bytes.
  mutating func append(_ section: borrowing Table<UInt8>) {
    bytes.append(contentsOf: unsafe section.span.bytes)
    bytes.resize(to: (bytes.count + 7) & ~7, filling: 0)
  }

  /// Writes the checksums; `index` says where the sections lie that the header's covers.
  consuming func finish(index: [Range<Int>]) -> ByteView {
    set(CacheChecksum.contents(unsafe bytes.span.bytes), at: 24)
    // The header's sum covers the one of the contents.
    set(CacheChecksum.header(unsafe bytes.span.bytes, index: index), at: 16)
    return ByteView(taking: bytes)
  }

  private mutating func set(_ value: UInt64, at offset: Int) {
    for byte in 0..<8 {
      bytes[offset + byte] = UInt8(truncatingIfNeeded: value &>> UInt64(byte * 8))
    }
  }
}
