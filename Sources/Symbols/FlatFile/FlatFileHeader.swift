package import Bytes

/// The header of a flat file that was opened.
package struct FlatFileHeader: Sendable {
  package let flags: UInt32
  package let subject: FlatFileSubject
  /// Where the sections lie, all of them inside the file.
  package let sections: [Range<Int>]

  /// - Parameter checksSum: Whether damage of the header or the index is looked for; without, tests and
  ///   the fuzzer get to what follows it.
  /// - Throws: ``ParseError`` for a file of another kind or version, one that is cut off, and one whose
  ///   header or index is damaged.
  /// - Complexity: O(n) in the size of the index, as far as its checksum reaches.
  package init(
    opening bytes: ByteView, _ layout: FlatFileLayout, checksSum: Bool
  ) throws(ParseError) {
    guard bytes.starts(with: layout.magic) else {
      throw ParseError(.notRecognised, in: layout.structure, at: 0)
    }
    let header = try bytes.slice(at: 0, count: UInt64(layout.headerSize), of: layout.structure)
    var reader = ByteReader(header.bytes, reading: layout.name)
    try reader.skip(8)
    let version: UInt32 = try reader.read()
    guard version == layout.version else {
      throw ParseError(.unsupported("version \(version)"), in: layout.structure, at: 8)
    }
    flags = try reader.read()
    let sum: UInt64 = try reader.read()
    try reader.skip(8)
    let size: UInt64 = try reader.read()
    guard size == UInt64(bytes.count) else {
      throw ParseError(
        .invalid("\(bytes.count) bytes instead of \(size)"), in: layout.structure, at: 32)
    }
    subject = try FlatFileSubject(reading: &reader)
    try reader.seek(to: layout.countOffset)
    let count: UInt32 = try reader.read()
    guard count == UInt32(layout.sectionCount) else {
      throw ParseError(.invalid("\(count) sections"), in: layout.structure, at: layout.countOffset)
    }
    try reader.seek(to: layout.tableOffset)
    var sections: [Range<Int>] = []
    for _ in 0..<layout.sectionCount {
      let position = reader.position
      let offset: UInt64 = try reader.read()
      let count: UInt64 = try reader.read()
      guard offset <= size, count <= size - offset else {
        throw ParseError(
          .outOfBounds(offset: offset, count: count, size: bytes.count), in: layout.structure,
          at: position)
      }
      sections.append(Int(offset)..<Int(offset + count))
    }
    guard !checksSum || layout.headerSum(bytes.bytes, index: sections[0]) == sum else {
      throw ParseError(.invalid("wrong checksum"), in: layout.structure, at: 16)
    }
    self.sections = sections
  }
}

extension FlatFileLayout {
  /// Checks all of a file against its checksum, which opening does not.
  ///
  /// - Throws: ``ParseError`` when it is damaged.
  /// - Complexity: O(n) in the size of the file.
  package func verify(_ bytes: ByteView) throws(ParseError) {
    let header = try bytes.slice(at: 24, count: 8, of: structure)
    var reader = ByteReader(header.bytes, reading: name, base: 24)
    guard try reader.read(UInt64.self) == contentsSum(bytes.bytes) else {
      throw ParseError(.invalid("wrong checksum of the contents"), in: structure, at: 24)
    }
  }
}
