/// Small ELF files made by hand, so that they can lie.
///
/// Source: System V gABI, chapters 4 and 5.
public struct ObjectBuilderELF {
  public struct Section {
    public var name: String
    public var type: Int
    public var flags: Int
    public var address: UInt64
    public var contents: [UInt8]
    /// The size that the header announces, if different.
    public var size: UInt64?
    public var offset: UInt64?
    public var link: Int
    public var info: Int

    public init(
      _ name: String, type: Int = 1, flags: Int = 0, address: UInt64 = 0,
      contents: [UInt8] = [], size: UInt64? = nil, offset: UInt64? = nil, link: Int = 0,
      info: Int = 0
    ) {
      self.name = name
      self.type = type
      self.flags = flags
      self.address = address
      self.contents = contents
      self.size = size
      self.offset = offset
      self.link = link
      self.info = info
    }
  }

  public struct Segment {
    public var type: Int
    public var flags: Int
    public var address: UInt64
    /// The range of its bytes, `nil` for the whole file.
    public var contents: Range<Int>?

    public init(type: Int, flags: Int = 4, address: UInt64, contents: Range<Int>? = nil) {
      self.type = type
      self.flags = flags
      self.address = address
      self.contents = contents
    }
  }

  public struct Symbol {
    public var name: String
    public var value: UInt64
    public var size: UInt64
    /// Type and binding: 0x12 is a global function.
    public var information: UInt8
    public var section: Int

    public init(
      _ name: String, _ value: UInt64, size: UInt64 = 0, information: UInt8 = 0x12,
      section: Int = 1
    ) {
      self.name = name
      self.value = value
      self.size = size
      self.information = information
      self.section = section
    }
  }

  public var is64: Bool
  public var isBigEndian: Bool
  public var type = 2
  public var machine = 62
  public var sections: [Section] = []
  public var segments: [Segment] = []
  /// Whether the number of sections is in section 0.
  public var hidesSectionCount = false
  /// The number of sections that the file announces, if different.
  public var sectionCount: Int?
  public var writesSectionHeaders = true

  public init(is64: Bool = true, isBigEndian: Bool = false) {
    self.is64 = is64
    self.isBigEndian = isBigEndian
  }

  private var word: Int { is64 ? 8 : 4 }

  /// Adds a symbol table with its names; the first symbol is empty, as the format asks.
  public mutating func add(
    symbols: [Symbol], as name: String = ".symtab", type: Int = 2
  ) {
    let (table, names) = encoded(symbols)
    // Section 0 is empty, so the names, which follow, have this index and two more.
    sections.append(Section(name, type: type, contents: table, link: sections.count + 2))
    sections.append(Section(name == ".symtab" ? ".strtab" : ".dynstr", type: 3, contents: names))
  }

  /// A symbol table and its names.
  public func encoded(_ symbols: [Symbol]) -> (table: [UInt8], names: [UInt8]) {
    var names: [UInt8] = [0]
    var table = ObjectBytes(isBigEndian: isBigEndian)
    for symbol in [Symbol("", 0, information: 0, section: 0)] + symbols {
      table.add32(symbol.name.isEmpty ? 0 : names.count)
      if !symbol.name.isEmpty { names += symbol.name.utf8 + [0] }
      if !is64 {
        table.add(symbol.value, size: 4)
        table.add(symbol.size, size: 4)
      }
      table.bytes += [symbol.information, 0]
      table.add16(symbol.section)
      if is64 {
        table.add(symbol.value, size: 8)
        table.add(symbol.size, size: 8)
      }
    }
    return (table.bytes, names)
  }

  /// A table of places to be filled with addresses; without addends these are in the places.
  public func relocations(
    _ entries: [(offset: UInt64, symbol: UInt64, type: UInt64, addend: UInt64?)]
  ) -> [UInt8] {
    var table = ObjectBytes(isBigEndian: isBigEndian)
    for entry in entries {
      table.add(entry.offset, size: word)
      table.add(entry.symbol << (is64 ? 32 : 8) | entry.type, size: word)
      if let addend = entry.addend { table.add(addend, size: word) }
    }
    return table.bytes
  }

  /// A note of GNU's with a build id.
  public func buildIDNote(_ id: [UInt8]) -> [UInt8] { note("GNU\0", 3, id) }

  /// A note about the package of a distribution.
  public func packageNote(_ text: String) -> [UInt8] {
    note("FDO\0", 0xcafe_1a7e, Array(text.utf8) + [0])
  }

  /// - Parameter owner: Of four bytes.
  private func note(_ owner: String, _ type: UInt32, _ content: [UInt8]) -> [UInt8] {
    var note = ObjectBytes(isBigEndian: isBigEndian)
    note.add32(4)
    note.add32(content.count)
    note.add32(Int(type))
    note.bytes += Array(owner.utf8) + content
    note.pad(to: 4)
    return note.bytes
  }

  /// The header before compressed data in a section with the flag 0x800.
  public func compressionHeader(type: Int, size: UInt64) -> [UInt8] {
    var header = ObjectBytes(isBigEndian: isBigEndian)
    header.add32(type)
    if is64 { header.add32(0) }
    header.add(size, size: word)
    header.add(1, size: word)
    return header.bytes
  }

  public func build() -> [UInt8] {
    let headerSize = is64 ? 64 : 52
    let segmentSize = is64 ? 56 : 32
    var all = [Section("", type: 0)] + sections
    let names = all.map(\.name) + [".shstrtab"]
    all.append(
      Section(".shstrtab", type: 3, contents: names.flatMap { Array($0.utf8) + [0] }))
    var body = ObjectBytes(isBigEndian: isBigEndian)
    let bodyStart = (headerSize + segments.count * segmentSize + 7) / 8 * 8
    var offsets: [Int] = []
    for section in all {
      body.pad(to: 8)
      offsets.append(bodyStart + body.bytes.count)
      if section.type != 8 { body.bytes += section.contents }
    }
    body.pad(to: 8)
    let tableStart = bodyStart + body.bytes.count
    var table = ObjectBytes(isBigEndian: isBigEndian)
    var nameOffset = 0
    let count = sectionCount ?? all.count
    for (index, section) in all.enumerated() {
      table.add32(nameOffset)
      nameOffset += names[index].utf8.count + 1
      table.add32(section.type)
      table.add(UInt64(section.flags), size: word)
      table.add(section.address, size: word)
      table.add(index == 0 ? 0 : section.offset ?? UInt64(offsets[index]), size: word)
      let size = section.size ?? UInt64(section.contents.count)
      table.add(index == 0 && hidesSectionCount ? UInt64(count) : size, size: word)
      table.add32(index == 0 && hidesSectionCount ? all.count - 1 : section.link)
      table.add32(section.info)
      table.add(1, size: word)
      let isSymbolTable = section.type == 2 || section.type == 11
      table.add(isSymbolTable ? (is64 ? 24 : 16) : 0, size: word)
    }
    var file = ObjectBytes(isBigEndian: isBigEndian)
    file.bytes = [0x7f, 0x45, 0x4c, 0x46, is64 ? 2 : 1, isBigEndian ? 2 : 1, 1]
    file.pad(to: 16)
    file.add16(type)
    file.add16(machine)
    file.add32(1)
    file.add(0, size: word)
    file.add(UInt64(segments.isEmpty ? 0 : headerSize), size: word)
    file.add(UInt64(writesSectionHeaders ? tableStart : 0), size: word)
    file.add32(0)
    file.add16(headerSize)
    file.add16(segmentSize)
    file.add16(segments.count)
    file.add16(is64 ? 64 : 40)
    file.add16(!writesSectionHeaders || hidesSectionCount ? 0 : count)
    file.add16(!writesSectionHeaders ? 0 : hidesSectionCount ? 0xffff : all.count - 1)
    for segment in segments {
      let range = segment.contents ?? 0..<tableStart
      file.add32(segment.type)
      if is64 { file.add32(segment.flags) }
      file.add(UInt64(range.lowerBound), size: word)
      file.add(segment.address, size: word)
      file.add(segment.address, size: word)
      file.add(UInt64(range.count), size: word)
      file.add(UInt64(range.count), size: word)
      if !is64 { file.add32(segment.flags) }
      file.add(4, size: word)
    }
    file.pad(to: 8)
    return file.bytes + body.bytes + (writesSectionHeaders ? table.bytes : [])
  }
}
