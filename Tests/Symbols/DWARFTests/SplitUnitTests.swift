import Bytes
import TestSupport
import Testing

@testable import DWARF

/// Units whose entries are in another file, built by hand.
@Suite struct SplitUnitTests {
  private static let id: UInt64 = 0x1122_3344_5566_7788

  /// A skeleton of version 5 whose split unit has function `f` at address 1 of the table.
  private static func object(isBigEndian: Bool = false, id: UInt64 = id) -> DWARFSections {
    var abbreviations = DWARFBytes(isBigEndian: isBigEndian)
    abbreviations.abbreviation(
      1, tag: 0x4a, children: false,
      [(0x76, F.string), (At.compDir, F.string), (At.lowPC, F.addr), (At.addrBase, F.secOffset)])
    abbreviations.put(0)
    var info = DWARFBytes(isBigEndian: isBigEndian)
    info.unit { unit in
      unit.u16(5)
      unit.put(4, 8)
      unit.u32(0)
      unit.u64(id)
      unit.put(1)
      unit.text("f.dwo")
      unit.text("/src")
      unit.u64(0x1000)
      unit.u32(8)
    }
    var addresses = DWARFBytes(isBigEndian: isBigEndian)
    addresses.put(0, 0, 0, 0, 0, 0, 0, 0)
    addresses.u64(0x1000)
    addresses.u64(0x1230)
    var sections = DWARFSections(
      endianness: isBigEndian ? .big : .little, addressSize: 8)
    sections.info = ByteView(info.bytes)
    sections.abbreviations = ByteView(abbreviations.bytes)
    sections.addresses = ByteView(addresses.bytes)
    return sections
  }

  /// The other file, with `padding` before each of its tables.
  private static func split(
    isBigEndian: Bool = false, id: UInt64 = id, padding: Int = 0
  ) -> DWARFSections {
    let filler = [UInt8](repeating: 0xee, count: padding)
    var abbreviations = DWARFBytes(isBigEndian: isBigEndian)
    abbreviations.put(filler)
    abbreviations.abbreviation(1, tag: T.unit, children: true, [])
    abbreviations.abbreviation(
      2, tag: T.subprogram, children: false,
      [(At.name, F.strx1), (At.lowPC, F.addrx), (At.highPC, F.data4)])
    abbreviations.put(0)
    var info = DWARFBytes(isBigEndian: isBigEndian)
    info.put(filler)
    info.unit { unit in
      unit.u16(5)
      unit.put(5, 8)
      unit.u32(0)
      unit.u64(id)
      unit.put(1, 2, 1, 1)
      unit.u32(0x10)
      unit.put(0)
    }
    var offsets = DWARFBytes(isBigEndian: isBigEndian)
    offsets.put(filler)
    offsets.put(0, 0, 0, 0, 0, 0, 0, 0)
    offsets.u32(0)
    offsets.u32(5)
    var sections = DWARFSections(endianness: isBigEndian ? .big : .little, addressSize: 8)
    sections.role = .split
    sections.info = ByteView(info.bytes)
    sections.abbreviations = ByteView(abbreviations.bytes)
    sections.strings = ByteView(Array("none\0f\0".utf8))
    sections.stringOffsets = ByteView(offsets.bytes)
    return sections
  }

  /// An index of the unit that ``split(isBigEndian:id:padding:)`` makes.
  private static func package(
    version: UInt64, isBigEndian: Bool, padding: Int, change: (inout [UInt8]) -> Void = { _ in }
  ) -> DWARFSections {
    var sections = split(isBigEndian: isBigEndian, padding: padding)
    var index = DWARFBytes(isBigEndian: isBigEndian)
    if version == 5 {
      index.u16(5)
      index.u16(0)
    } else {
      index.u32(version)
    }
    index.u32(3)
    index.u32(1)
    index.u32(2)
    index.u64(0)
    index.u64(id)
    index.u32(0)
    index.u32(1)
    for section in [1, 3, 6] as [UInt64] { index.u32(section) }
    for _ in 0..<3 { index.u32(UInt64(padding)) }
    index.u32(UInt64(sections.info.count - padding))
    index.u32(UInt64(sections.abbreviations.count - padding))
    index.u32(UInt64(sections.stringOffsets.count - padding))
    var bytes = index.bytes
    change(&bytes)
    sections.role = .package
    sections.unitIndex = ByteView(bytes)
    return sections
  }

  private static let found = [FoundFunction("f", 0x1230, 0x1240)]

  @Test(
    "Entries of the unit with the id are read with the skeleton's addresses",
    arguments: [false, true])
  func read(isBigEndian: Bool) {
    var sections = Self.object(isBigEndian: isBigEndian)
    let reference = SplitUnitReference(id: Self.id, name: "f.dwo", directory: "/src")
    #expect(sections.splitReferences() == [reference])
    #expect(sections.missingUnits() == [reference])
    #expect(sections.functions() == [])
    #expect(sections.tables().skeletonCount == 1)
    let other = Self.split(isBigEndian: isBigEndian)
    #expect(other.splitUnitIDs() == [Self.id])
    #expect(sections.add([Self.split(isBigEndian: isBigEndian, id: 1), other]) == [])
    #expect(sections.missingUnits() == [])
    #expect(sections.functions() == Self.found)
    #expect(sections.tables().skeletonCount == 0)
  }

  @Test("Packages list where each table of a unit begins", arguments: [2, 5], [false, true])
  func inPackage(version: UInt64, isBigEndian: Bool) {
    var sections = Self.object(isBigEndian: isBigEndian)
    let package = Self.package(version: version, isBigEndian: isBigEndian, padding: 24)
    #expect(package.splitUnitIDs() == [Self.id])
    #expect(sections.add([package]) == [])
    #expect(sections.functions() == Self.found)
  }

  @Test("Nothing in a damaged index is trusted", arguments: 0..<100)
  func damage(place: Int) {
    var sections = Self.object()
    let package = Self.package(version: 5, isBigEndian: false, padding: 4) { bytes in
      if place < bytes.count { bytes[place] ^= 0xff }
    }
    _ = sections.add([package])
    _ = sections.functions()
    let cut = Self.package(version: 5, isBigEndian: false, padding: 4) { bytes in
      bytes.removeLast(min(place + 1, bytes.count))
    }
    #expect(sections.add([cut]).count == 1)
    #expect(sections.functions() == [])
  }

  @Test("Units that reference one another's id are read only a limited number of times")
  func manySkeletons() {
    var sections = Self.object()
    let one = sections.info.array
    sections.info = ByteView((0..<20_000).flatMap { _ in one })
    var other = Self.split()
    // Many bytes without content.
    var info = DWARFBytes()
    info.unit { unit in
      unit.u16(5)
      unit.put(5, 8)
      unit.u32(0)
      unit.u64(Self.id)
      unit.put(1)
      for _ in 0..<100_000 { unit.put(2, 1, 0, 0, 0, 0, 0) }
      unit.put(0)
    }
    other.info = ByteView(info.bytes)
    #expect(sections.add([other]) == [])
    let tables = sections.tables()
    #expect(tables.notes.count > 0)
    #expect(tables.codeRanges.count == 0)
  }
}
