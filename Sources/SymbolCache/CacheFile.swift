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

  /// Adds a section, which gives up its memory.
  mutating func append(_ section: inout Table<UInt8>) {
    add(section)
    section = Table()
    fillUp()
  }

  /// Adds a part of a section.
  mutating func add(_ part: borrowing Table<UInt8>) {
    bytes.append(contentsOf: unsafe part.span.bytes)
  }

  /// Fills the last section up.
  mutating func fillUp() {
    bytes.resize(to: SymbolCacheFormat.aligned(bytes.count), filling: 0)
  }

  /// Writes the header, with the checksums.
  consuming func finish(
    _ object: ObjectFile, flags: UInt32, form: ScopeForm, placeBytes: UInt8
  ) -> ByteView {
    bytes.resize(to: size, filling: 0)
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
    for width in [form.function, form.distance, form.file, form.line, form.column, placeBytes] {
      header.append(width)
    }
    for index in 0..<header.count { bytes[index] = header[index] }
    set(CacheChecksum.contents(unsafe bytes.span.bytes), at: 24)
    // The header's sum covers the one of the contents.
    set(CacheChecksum.header(unsafe bytes.span.bytes, stretches: sections[0]), at: 16)
    return ByteView(taking: bytes)
  }

  private mutating func set(_ value: UInt64, at offset: Int) {
    for byte in 0..<8 {
      bytes[offset + byte] = UInt8(truncatingIfNeeded: value &>> UInt64(byte * 8))
    }
  }
}
