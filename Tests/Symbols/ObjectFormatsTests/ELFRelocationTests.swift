import Bytes
import TestSupport
import Testing

@testable import ObjectFormats

@Suite struct ELFRelocationTests {
  /// A relocatable file whose `.debug_info` names `function`, at 0x20, in its places.
  private func file(
    is64: Bool, isBigEndian: Bool, machine: Int, type: Int = 1,
    _ entries: [(offset: UInt64, symbol: UInt64, type: UInt64, addend: UInt64?)]
  ) throws -> ObjectFile {
    var file = ObjectBuilderELF(is64: is64, isBigEndian: isBigEndian)
    file.machine = machine
    file.type = type
    let hasAddends = entries.first?.addend != nil
    file.sections = [
      .init(".text", flags: 6, contents: [UInt8](repeating: 0, count: 64)),
      .init(".debug_info", contents: [UInt8](repeating: 1, count: 16)),
      .init(
        ".rel.debug_info", type: hasAddends ? 4 : 9, contents: file.relocations(entries), link: 4,
        info: 2),
    ]
    file.add(symbols: [.init("function", 0x20)])
    return try ELFTests.object(file)
  }

  private func debugInfo(_ object: ObjectFile) throws -> [UInt8] {
    try object.contents(of: #require(object.section(named: "debug_info"))).array
  }

  @Test("Addresses are filled in, in either byte order, with the addend in place or in the record")
  func filled() throws {
    let little = try file(
      is64: true, isBigEndian: false, machine: 62, [(4, 1, 1, 0x100), (0, 1, 10, 3)])
    let tail: [UInt8] = [1, 1, 1, 1]
    #expect(try debugInfo(little) == [0x23, 0, 0, 0, 0x20, 1, 0, 0, 0, 0, 0, 0] + tail)
    let big = try file(is64: true, isBigEndian: true, machine: 22, [(4, 1, 22, 0x100)])
    #expect(try debugInfo(big) == tail + [0, 0, 0, 0, 0, 0, 1, 0x20] + tail)
    let inPlace = try file(is64: false, isBigEndian: false, machine: 3, [(12, 1, 1, nil)])
    #expect(try debugInfo(inPlace) == [UInt8](repeating: 1, count: 12) + [0x21, 1, 1, 1])
  }

  @Test("Relocations outside, or of another type, are ignored")
  func outside() throws {
    let object = try file(
      is64: true, isBigEndian: false, machine: 62,
      [(9, 1, 1, 0), (.max, 1, 10, 0), (0, 77, 1, 0), (0, 0xffff_ffff, 1, 0), (0, 1, 2, 0)])
    #expect(try debugInfo(object) == [UInt8](repeating: 1, count: 16))
  }

  @Test("In a linked program the addresses are already there", arguments: [2, 3])
  func linked(type: Int) throws {
    let object = try file(
      is64: true, isBigEndian: false, machine: 62, type: type, [(0, 1, 1, 0)])
    #expect(try debugInfo(object) == [UInt8](repeating: 1, count: 16))
  }
}
