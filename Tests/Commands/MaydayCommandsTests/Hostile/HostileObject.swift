import TestSupport

/// An ELF file with debug information made by hand, so that it can lie.
struct HostileObject {
  static let codeStart: UInt64 = 0x1000
  static let codeSize: UInt64 = 0x1000

  var info = DWARFBytes()
  var abbreviations = DWARFBytes()
  var line = DWARFBytes()

  /// The size that the header of `.debug_info` announces, if different.
  var infoSize: UInt64?

  /// Valid abbreviations: 1 is a unit, 2 a function with a name, 3 an inlined call whose origin is a
  /// reference in the unit, 4 a function without a name whose specification is one.
  static var usualAbbreviations: DWARFBytes {
    var table = DWARFBytes()
    table.abbreviation(
      1, tag: 0x11, children: true, [(0x03, 0x08), (0x11, 0x01), (0x12, 0x07), (0x10, 0x17)])
    table.abbreviation(2, tag: 0x2e, children: true, [(0x03, 0x08), (0x11, 0x01), (0x12, 0x07)])
    table.abbreviation(
      3, tag: 0x1d, children: true,
      [(0x31, 0x13), (0x11, 0x01), (0x12, 0x07), (0x58, 0x0b), (0x59, 0x0b)])
    table.abbreviation(
      4, tag: 0x2e, children: false, [(0x47, 0x13), (0x11, 0x01), (0x12, 0x07), (0x31, 0x13)])
    table.put(0)
    return table
  }

  /// One unit of version 4 that covers all code, with the contents of `body`.
  mutating func unit(length: UInt64? = nil, _ body: (inout DWARFBytes) -> Void) {
    var unit = DWARFBytes()
    unit.u16(4)
    unit.u32(0)
    unit.put(8)
    unit.put(1)
    unit.text("a.c")
    unit.u64(Self.codeStart)
    unit.u64(Self.codeSize)
    unit.u32(0)
    body(&unit)
    info.u32(length ?? UInt64(unit.count))
    info.put(unit.bytes)
  }

  /// Offset of the entries after the unit's own, from the start of the unit.
  static let firstEntry: UInt64 = 4 + 2 + 4 + 1 + 1 + 4 + 8 + 8 + 4

  func build() -> [UInt8] {
    var elf = ObjectBuilderELF()
    elf.sections = [
      .init(
        ".text", flags: 6, address: Self.codeStart,
        contents: [UInt8](repeating: 0x90, count: Int(Self.codeSize))),
      .init(
        ".note.gnu.build-id", type: 7, flags: 2, address: 0x100,
        contents: elf.buildIDNote((1...20).map { UInt8($0) })),
      .init(".debug_info", contents: info.bytes, size: infoSize),
      .init(".debug_abbrev", contents: abbreviations.bytes),
      .init(".debug_line", contents: line.bytes),
    ]
    elf.segments = [.init(type: 1, flags: 5, address: 0)]
    elf.add(symbols: [.init("covers", Self.codeStart, size: Self.codeSize)])
    return elf.build()
  }
}
