internal import Bytes

/// The header tables of an ELF file.
package struct ELFFile: Sendable {
  let bytes: ByteView
  let header: ELFHeader
  /// Empty where the file has no section headers. In a relocatable file code has the addresses that
  /// ``laidOut(_:names:)`` gives it.
  let sections: [ELFSectionHeader]
  let sectionNames: [String]
  let segments: [ELFProgramHeader]

  var endianness: Endianness { header.endianness }
  var addressSize: Int { header.addressSize }

  /// - Throws: ``ParseError`` when the bytes are not an ELF file or a header table does not lie in
  ///   them; a file that was cut off loses its section headers first.
  init(parsing view: ByteView) throws(ParseError) {
    bytes = view
    header = try ELFHeader(parsing: view)
    let first = try Self.firstSection(view, header)
    let sections = try Self.sections(view, header, first: first)
    segments = try Self.segments(view, header, first: first)
    sectionNames = Self.names(view, header, sections)
    self.sections =
      header.type == ELFType.relocatable
      ? Self.laidOut(sections, names: sectionNames) : sections
  }

  /// Section 0, which holds the numbers that do not fit the header.
  private static func firstSection(
    _ view: ByteView, _ header: ELFHeader
  ) throws(ParseError) -> ELFSectionHeader? {
    guard header.sectionHeaderOffset != 0 else { return nil }
    // A file without sections may point at its end.
    if header.sectionHeaderCount == 0 && header.sectionHeaderOffset >= UInt64(view.count) {
      return nil
    }
    let size = ELFSectionHeader.byteCount(addressSize: header.addressSize)
    let part = try view.slice(
      at: header.sectionHeaderOffset, count: UInt64(size), of: "ELF section headers")
    var reader = ByteReader(
      part.bytes, reading: "ELF section headers", endianness: header.endianness,
      base: Int(header.sectionHeaderOffset))
    return try ELFSectionHeader(reading: &reader, addressSize: header.addressSize)
  }

  private static func sections(
    _ view: ByteView, _ header: ELFHeader, first: ELFSectionHeader?
  ) throws(ParseError) -> [ELFSectionHeader] {
    guard let first else { return [] }
    // From 0xff00 sections on, the count is in section 0.
    let count = header.sectionHeaderCount == 0 ? first.size : UInt64(header.sectionHeaderCount)
    return try table(
      view, at: header.sectionHeaderOffset, count: count, stride: header.sectionHeaderSize,
      least: ELFSectionHeader.byteCount(addressSize: header.addressSize),
      limit: ObjectLimits.sections, of: "ELF section headers", header.endianness
    ) { (reader) throws(ParseError) in
      try ELFSectionHeader(reading: &reader, addressSize: header.addressSize)
    }
  }

  private static func segments(
    _ view: ByteView, _ header: ELFHeader, first: ELFSectionHeader?
  ) throws(ParseError) -> [ELFProgramHeader] {
    guard header.programHeaderOffset != 0, header.programHeaderCount != 0 else { return [] }
    var count = UInt64(header.programHeaderCount)
    if header.programHeaderCount == ELFProgramHeader.extendedCount, let first {
      count = UInt64(first.info)
    }
    return try table(
      view, at: header.programHeaderOffset, count: count, stride: header.programHeaderSize,
      least: ELFProgramHeader.byteCount(addressSize: header.addressSize),
      limit: ObjectLimits.segments, of: "ELF program headers", header.endianness
    ) { (reader) throws(ParseError) in
      try ELFProgramHeader(reading: &reader, addressSize: header.addressSize)
    }
  }

  /// Reads `count` entries that lie `stride` bytes apart, all of which must be there.
  private static func table<Entry>(
    _ view: ByteView, at offset: UInt64, count: UInt64, stride: UInt16, least: Int, limit: Int,
    of structure: StaticString, _ endianness: Endianness,
    _ read: (inout ByteReader) throws(ParseError) -> Entry
  ) throws(ParseError) -> [Entry] {
    let stride = Int(stride)
    let position = Int(clamping: offset)
    guard count > 0 else { return [] }
    guard stride >= least else {
      throw ParseError(
        .invalid("entries of \(stride) bytes"), in: structure.description, at: position)
    }
    guard count <= UInt64(limit) else {
      throw ParseError(
        .limit(name: "entries", value: limit), in: structure.description, at: position)
    }
    let part = try view.slice(
      at: offset, count: count * UInt64(stride), of: structure.description)
    var entries: [Entry] = []
    entries.reserveCapacity(Int(count))
    var reader = ByteReader(
      part.bytes, reading: structure, endianness: endianness, base: position)
    for index in 0..<Int(count) {
      try reader.seek(to: index * stride)
      entries.append(try read(&reader))
    }
    return entries
  }

  /// The names of `sections`, empty where the file gives none.
  private static func names(
    _ view: ByteView, _ header: ELFHeader, _ sections: [ELFSectionHeader]
  ) -> [String] {
    guard let first = sections.first else { return [] }
    let index =
      header.sectionNamesIndex == ELFSectionHeader.extendedIndex
      ? Int(first.link) : Int(header.sectionNamesIndex)
    guard index > 0, index < sections.count, sections[index].hasContents,
      let table = try? view.slice(
        at: sections[index].offset, count: sections[index].size, of: "ELF section names")
    else { return [String](repeating: "", count: sections.count) }
    return sections.map { section in
      let start = Int(section.nameOffset)
      let name = table.clamped(start..<(start + ObjectLimits.sectionNameBytes))
      var end = 0
      while end < name.count && name[end] != 0 { end += 1 }
      return name.clamped(0..<end).text
    }
  }

  /// The bytes of a section as they lie in the file; none for `SHT_NOBITS`.
  func bytes(of section: ELFSectionHeader) throws(ParseError) -> ByteView {
    guard section.hasContents else { return .empty }
    return try bytes.slice(at: section.offset, count: section.size, of: "ELF section")
  }

  /// The index of the section called `name`, the first with contents before one without.
  func index(named name: String) -> Int? {
    var empty: Int?
    for index in sections.indices where sectionNames[index] == name {
      if sections[index].hasContents && sections[index].size > 0 { return index }
      empty = empty ?? index
    }
    return empty
  }
}
