internal import Bytes
internal import CrashModel
internal import ObjectFormats

/// A cache file while its sections are put behind one another. They stay in memory where they were
/// made.
struct CacheFile {
  private static let zeros = ByteView([UInt8](repeating: 0, count: SymbolCacheFormat.alignment))

  private var parts: [ByteView] = []
  private var sections: [Range<Int>] = []
  /// In bytes, with the header.
  private(set) var size = SymbolCacheFormat.headerSize

  /// Adds a section.
  mutating func append(_ section: consuming Table<UInt8>) {
    append([ByteView(taking: section)])
  }

  /// Adds a section that was made in pieces.
  mutating func append(_ pieces: [ByteView]) {
    let start = size
    for piece in pieces { add(piece) }
    sections.append(start..<size)
    add(Self.zeros.clamped(0..<(SymbolCacheFormat.aligned(size) - size)))
  }

  private mutating func add(_ piece: ByteView) {
    guard !piece.isEmpty else { return }
    parts.append(piece)
    size += piece.count
  }

  /// Writes the header, with the checksums.
  ///
  /// - Returns: The file in parts, one behind the other.
  consuming func finish(
    _ object: ObjectFile, flags: UInt32, form: ScopeForm, placeBytes: UInt8
  ) -> [ByteView] {
    add(Self.zeros)
    var header = Table<UInt8>(minimumCapacity: SymbolCacheFormat.headerReach)
    for byte in SymbolCacheFormat.magic { header.append(byte) }
    header.put(SymbolCacheFormat.version)
    header.put(flags)
    header.resize(to: 24, filling: 0)
    header.put(contentsSum)
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
    header.resize(to: SymbolCacheFormat.headerSize, filling: 0)
    // The header's sum covers the one of the contents, and the index.
    let index = parts[0]
    header.append(contentsOf: index.bytes)
    let sum = CacheChecksum.header(unsafe header.span.bytes, stretches: sections[0])
    header.truncate(to: SymbolCacheFormat.headerSize)
    for byte in 0..<8 {
      header[16 + byte] = UInt8(truncatingIfNeeded: sum &>> UInt64(byte * 8))
    }
    return [ByteView(taking: header)] + parts
  }

  private var contentsSum: UInt64 {
    var sum = CacheChecksum(count: size - SymbolCacheFormat.headerSize)
    for part in parts { sum.add(part.bytes) }
    return sum.value
  }
}
