package import Bytes

/// Writes a flat file. Its sections stay in memory where they were made.
package struct FlatFileWriter {
  private let layout: FlatFileLayout
  private let zeros: ByteView
  private var parts: [ByteView] = []
  private var sections: [Range<Int>] = []
  /// The parts of section 0.
  private var index: [ByteView] = []
  /// In bytes, with the header.
  package private(set) var size: Int

  package init(_ layout: FlatFileLayout) {
    self.layout = layout
    zeros = ByteView([UInt8](repeating: 0, count: max(layout.alignment, layout.trailingZeros)))
    size = layout.headerSize
  }

  /// Adds a section.
  package mutating func append(_ section: consuming Table<UInt8>) {
    append([ByteView(taking: section)])
  }

  /// Adds a section that was made in pieces.
  package mutating func append(_ pieces: [ByteView]) {
    if sections.isEmpty { index = pieces }
    let start = size
    for piece in pieces { add(piece) }
    sections.append(start..<size)
    add(zeros.clamped(0..<(layout.aligned(size) - size)))
  }

  private mutating func add(_ piece: ByteView) {
    guard !piece.isEmpty else { return }
    parts.append(piece)
    size += piece.count
  }

  /// Writes the header, with the checksums.
  ///
  /// - Parameter fields: The format's own fields of the header, by their offsets.
  /// - Returns: The file in parts, one after the other.
  package consuming func finish(
    _ subject: FlatFileSubject, flags: UInt32, fields: [(offset: Int, bytes: [UInt8])] = []
  ) -> [ByteView] {
    precondition(sections.count == layout.sectionCount)
    add(zeros.clamped(0..<layout.trailingZeros))
    var header = Table<UInt8>(
      minimumCapacity: layout.headerSize + index.reduce(0) { $0 + $1.count })
    for byte in layout.magic { header.append(byte) }
    header.append(littleEndian: layout.version)
    header.append(littleEndian: flags)
    header.append(littleEndian: UInt64(0))
    header.append(littleEndian: contentsSum)
    header.append(littleEndian: UInt64(size))
    subject.write(to: &header)
    header.resize(to: layout.headerSize, filling: 0)
    header.set(UInt32(layout.sectionCount), at: layout.countOffset)
    for (index, section) in sections.enumerated() {
      header.set(UInt64(section.lowerBound), at: layout.tableOffset + index * 16)
      header.set(UInt64(section.count), at: layout.tableOffset + index * 16 + 8)
    }
    for field in fields {
      for (index, byte) in field.bytes.enumerated() { header[field.offset + index] = byte }
    }
    // The header's sum covers the one of the contents, and the index.
    for piece in index { header.append(contentsOf: piece.bytes) }
    let sum = layout.headerSum(unsafe header.span.bytes, index: sections[0])
    header.truncate(to: layout.headerSize)
    header.set(sum, at: 16)
    return [ByteView(taking: header)] + parts
  }

  private var contentsSum: UInt64 {
    var sum = FlatFileChecksum(count: size - layout.headerSize, isWide: layout.isWide)
    for part in parts { sum.add(part.bytes) }
    return sum.value
  }
}

extension Table<UInt8> {
  fileprivate mutating func set(_ value: some FixedWidthInteger, at offset: Int) {
    for byte in 0..<(value.bitWidth / 8) {
      self[offset + byte] = UInt8(truncatingIfNeeded: value >> (byte * 8))
    }
  }
}

extension [ByteView] {
  /// All of them in one piece.
  ///
  /// - Complexity: O(n).
  package var joined: ByteView {
    var bytes = Table<UInt8>(minimumCapacity: reduce(0) { $0 + $1.count })
    for part in self { bytes.append(contentsOf: part.bytes) }
    return ByteView(taking: bytes)
  }
}
