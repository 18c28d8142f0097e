import Bytes
import TestSupport
import Testing

@testable import ObjectFormats

@Suite struct MachORelocationTests {
  /// The second word of a relocation.
  private static func word(
    _ number: Int, size: Int, type: Int, isSymbol: Bool = true, isRelative: Bool = false,
    isBigEndian: Bool
  ) -> Int {
    let (symbol, relative) = (isSymbol ? 1 : 0, isRelative ? 1 : 0)
    return isBigEndian
      ? number << 8 | relative << 7 | size << 5 | symbol << 4 | type
      : number | relative << 24 | size << 25 | symbol << 27 | type << 28
  }

  private func relocated(
    is64: Bool, isBigEndian: Bool, cpu: Int, _ entries: [(Int, Int)]
  ) throws -> [UInt8] {
    var file = MachOTests.program(is64: is64, isBigEndian: isBigEndian)
    file.fileType = 1
    file.cpuType = cpu
    file.segments[2].sections[0] = .init(
      "__debug_info", contents: [UInt8](repeating: 0, count: 20))
    file.segments[2].sections[0].relocations = entries
    let object = try MachOTests.object(file)
    let section = try #require(object.section(named: "debug_info"))
    return try object.contents(of: section).array
  }

  @Test(
    "The address of a symbol is added, in both sizes and byte orders", arguments: ELFTests.allForms)
  func added(is64: Bool, isBigEndian: Bool) throws {
    let size = is64 ? 3 : 2
    let cpu = is64 ? 0x0100_000c : 7
    // The second symbol has the address base + 0x420.
    let bytes = try relocated(
      is64: is64, isBigEndian: isBigEndian, cpu: cpu,
      [
        (4, Self.word(1, size: size, type: 0, isBigEndian: isBigEndian)),
        (15, Self.word(1, size: 2, type: 3, isBigEndian: isBigEndian)),
        (12, Self.word(1, size: 0, type: 0, isSymbol: false, isBigEndian: isBigEndian)),
        (13, Self.word(1, size: 0, type: 0, isRelative: true, isBigEndian: isBigEndian)),
        (18, Self.word(1, size: size, type: 0, isBigEndian: isBigEndian)),
        (0, Self.word(5, size: 2, type: 0, isBigEndian: isBigEndian)),
        (0, Self.word(0xff_ffff, size: 2, type: 0, isBigEndian: isBigEndian)),
      ])
    let address: UInt64 = (is64 ? 0x1_0000_0000 : 0x4000) + 0x420
    let count = is64 ? 8 : 4
    let little = (0..<count).map { UInt8(truncatingIfNeeded: address >> (8 * UInt64($0))) }
    #expect(Array(bytes[4..<(4 + count)]) == (isBigEndian ? little.reversed() : little))
    #expect(bytes[..<4].allSatisfy { $0 == 0 })
    #expect(bytes[(4 + count)...].allSatisfy { $0 == 0 })
  }

  @Test(
    "One symbol from another leaves their distance",
    arguments: [(0x0100_0007, 5), (0x0100_000c, 1)])
  func distance(cpu: Int, type: Int) throws {
    let bytes = try relocated(
      is64: true, isBigEndian: false, cpu: cpu,
      [
        (0, Self.word(2, size: 3, type: type, isBigEndian: false)),
        (0, Self.word(1, size: 3, type: 0, isBigEndian: false)),
      ])
    #expect(Array(bytes[..<8]) == [0x20, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("A linked file is already relocated")
  func linked() throws {
    var file = MachOTests.program()
    file.segments[2].sections[0].relocations = [
      (0, Self.word(1, size: 0, type: 0, isBigEndian: false))
    ]
    let object = try MachOTests.object(file)
    let section = try #require(object.section(named: "debug_info"))
    #expect(try object.contents(of: section).array == [4, 5])
  }
}
