internal import Bytes
internal import CrashModel
internal import ObjectFormats

/// A cache file while its sections are put behind one another.
struct CacheFile: ~Copyable {
  private var bytes: Table<UInt8>
  private let sections: [Range<Int>]
  private let size: Int

  /// - Parameters:
  ///   - sections: Where they will lie.
  ///   - size: Of the whole file, in bytes.
  init(sections: [Range<Int>], size: Int) {
    self.sections = sections
    self.size = size
    bytes = Table(minimumCapacity: size)
    bytes.resize(to: SymbolCacheFormat.headerSize, filling: 0)
  }

  /// Adds a section, which gives up its memory, and fills up to a multiple of eight bytes.
  mutating func append(_ section: inout Table<UInt8>) {
    bytes.append(contentsOf: unsafe section.span.bytes)
    bytes.resize(to: (bytes.count + 7) & ~7, filling: 0)
    section = Table()
  }

  /// Writes the header, with the index and the checksums.
  consuming func finish(_ object: ObjectFile, flags: UInt32) -> ByteView {
    var header = Table<UInt8>(minimumCapacity: SymbolCacheFormat.headerSize)
    for byte in SymbolCacheFormat.magic { header.append(byte) }
    header.put(SymbolCacheFormat.version)
    header.put(flags)
    header.resize(to: 32, filling: 0)
    header.put(UInt64(size))
    header.put(object.imageBase)
    for byte in object.debugID?.uuid ?? [UInt8](repeating: 0, count: 16) { header.append(byte) }
    header.put(object.debugID?.age ?? UInt32(0))
    header.put(UInt32(object.debugID == nil ? 0 : 1))
    for byte in object.architecture.description.utf8.prefix(32) { header.append(byte) }
    header.resize(to: 104, filling: 0)
    header.put(UInt32(SymbolCacheFormat.sectionCount))
    header.resize(to: SymbolCacheFormat.sectionTable, filling: 0)
    for section in sections {
      header.put(UInt64(section.lowerBound))
      header.put(UInt64(section.count))
    }
    header.resize(to: SymbolCacheFormat.index, filling: 0)
    for section in SymbolCacheFormat.Section.indexed { putIndex(of: section, to: &header) }
    for index in 0..<header.count { bytes[index] = header[index] }
    set(CacheChecksum.contents(unsafe bytes.span.bytes), at: 24)
    // The header's sum covers the one of the contents.
    set(CacheChecksum.header(unsafe bytes.span.bytes), at: 16)
    return ByteView(taking: bytes)
  }

  /// Numbers of `section` at equal distances.
  private func putIndex(of section: SymbolCacheFormat.Section, to header: inout Table<UInt8>) {
    let range = sections[section.rawValue]
    let count = range.count / 4
    let stride = SymbolCacheFormat.indexStride(count)
    for entry in 0..<SymbolCacheFormat.indexCount {
      let place = range.lowerBound + entry * stride * 4
      for byte in 0..<4 {
        header.append(entry * stride < count ? bytes[place + byte] : 0xff)
      }
    }
  }

  private mutating func set(_ value: UInt64, at offset: Int) {
    for byte in 0..<8 {
      bytes[offset + byte] = UInt8(truncatingIfNeeded: value &>> UInt64(byte * 8))
    }
  }
}
