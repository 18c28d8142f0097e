import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ObjectFormats

@Suite struct MachOTests {
  static let uuid: [UInt8] = Array(0x10...0x1f)

  static func program(is64: Bool = true, isBigEndian: Bool = false) -> ObjectBuilderMachO {
    var file = ObjectBuilderMachO(is64: is64, isBigEndian: isBigEndian)
    file.uuid = uuid
    let base: UInt64 = is64 ? 0x1_0000_0000 : 0x4000
    file.segments = [
      .init("__PAGEZERO", address: 0, sections: []),
      .init(
        "__TEXT", address: base,
        sections: [
          .init(
            "__text", address: base + 0x400, contents: [UInt8](repeating: 0, count: 64),
            flags: Int(bitPattern: 0x8000_0400)),
          .init("__const", address: base + 0x500, contents: [1, 2, 3]),
        ]),
      .init(
        "__DWARF", address: base + 0x1000,
        sections: [
          .init("__debug_info", contents: [4, 5]),
          .init("__debug_str_offs", contents: [6]), .init("__const", contents: [7]),
        ]),
    ]
    file.symbols = [
      .init("__mh_execute_header", base), .init("_second", base + 0x420),
      .init("_first", base + 0x400, type: 0x0e), .init("plain", base + 0x430),
      .init("_data", base + 0x500, section: 2), .init("_imported", 0, type: 1, section: 0),
      .init("_stab", base + 0x410, type: 0x24), .init("_", base + 0x438),
      .init("_nowhere", base + 0x400, section: 200),
    ]
    return file
  }

  static func object(_ builder: ObjectBuilderMachO) throws -> ObjectFile {
    try #require(try ObjectFile.objects(in: ByteView(builder.build())).first)
  }

  @Test("Both sizes and both byte orders give the same", arguments: ELFTests.allForms)
  func forms(is64: Bool, isBigEndian: Bool) throws {
    let object = try Self.object(Self.program(is64: is64, isBigEndian: isBigEndian))
    let base: UInt64 = is64 ? 0x1_0000_0000 : 0x4000
    #expect(object.container == .machO)
    #expect(object.addressSize == (is64 ? 8 : 4))
    #expect(object.kind == .executable)
    #expect(object.debugID?.description == "10111213-1415-1617-1819-1a1b1c1d1e1f")
    #expect(object.codeID?.description == "101112131415161718191a1b1c1d1e1f")
    #expect(object.imageBase == base)
    #expect(object.executableRanges == [(base + 0x400)..<(base + 0x440)])
    #expect(object.hasDebugInfo)
    let offsets = try #require(object.section(named: "debug_str_offsets"))
    #expect(try object.contents(of: offsets).array == [6])
    let table = try object.symbolTable()
    #expect(table.symbols.map { table.name(of: $0) } == ["first", "second", "plain"])
    #expect(table.symbols.map { $0.address - base } == [0x400, 0x420, 0x430])
    #expect(table.symbols.map(\.isGlobal) == [false, true, true])
  }

  @Test("Function starts without a symbol are kept without a name")
  func functionStarts() throws {
    var file = Self.program()
    // 0x400, 0x410, 0x420, 0x438, the end, and bytes that are no longer read.
    file.functionStarts = [0x80, 0x08, 0x10, 0x10, 0x18, 0, 1]
    let table = try Self.object(file).symbolTable()
    #expect(
      table.symbols.map { table.name(of: $0) } == ["first", "", "second", "plain", ""])
    #expect(
      table.symbols.map { $0.address & 0xfff } == [0x400, 0x410, 0x420, 0x430, 0x438])
  }

  @Test("A dSYM names sections without having their bytes")
  func dSYM() throws {
    var file = Self.program()
    file.fileType = 10
    file.segments[1].hasBytes = false
    let object = try Self.object(file)
    #expect(object.kind == .debugFile)
    let text = try #require(object.section(named: "text"))
    #expect(!text.hasContents)
    #expect(try object.contents(of: text).isEmpty)
    let info = try #require(object.section(named: "debug_info"))
    #expect(try object.contents(of: info).array == [4, 5])
    #expect(try object.symbolTable().symbols.count == 3)
  }

  @Test(
    "Processors and their variants",
    arguments: [
      (7, 3, "i386"), (0x0100_0007, 3, "x86_64"), (0x0100_0007, 8, "x86_64h"), (12, 9, "armv7"),
      (12, 11, "armv7s"), (12, 12, "armv7k"), (12, 6, "armv6"), (0x0100_000c, 0, "arm64"),
      (0x0100_000c, 0x8000_0002, "arm64e"), (0x0200_000c, 1, "arm64_32"), (18, 0, "ppc"),
      (99, 1, "mach-99-1"),
    ])
  func architectures(type: Int, subtype: Int, name: String) throws {
    var file = Self.program()
    file.cpuType = type
    file.cpuSubtype = subtype
    #expect(try Self.object(file).architecture.description == name)
  }

  @Test("A universal file gives a slice for each architecture", arguments: [false, true])
  func universal(is64: Bool) throws {
    var other = Self.program(is64: false, isBigEndian: true)
    other.cpuType = 18
    other.uuid = nil
    let bytes = ObjectBuilderMachO.universal(
      [Self.program().build(), other.build()], is64: is64)
    #expect(ObjectFile.isObject(ByteView(bytes[..<64])))
    let objects = try ObjectFile.objects(in: ByteView(bytes))
    #expect(objects.map(\.architecture) == [.arm64, .ppc])
    #expect(objects.map(\.debugID) == [DebugID(uuid: Self.uuid), nil])
    #expect(try objects.map { try $0.symbolTable().symbols.count } == [3, 3])
  }

  @Test("Only the damaged slice is lost")
  func damagedSlice() throws {
    let sound = Self.program().build()
    let bytes = ObjectBuilderMachO.universal(
      [[1, 2, 3, 4], sound, sound], sizes: [4, 1 << 31, 9])
    #expect(throws: ParseError.self) { try ObjectFile.objects(in: ByteView(bytes)) }
    let mixed = ObjectBuilderMachO.universal(
      [[1, 2, 3, 4], sound], sizes: [4, UInt64(sound.count)])
    #expect(try ObjectFile.objects(in: ByteView(mixed)).count == 1)
    #expect(try ObjectFile.slices(in: ByteView(mixed)).count == 2)
    // A universal file inside a universal file is not an object.
    let nested = ObjectBuilderMachO.universal([mixed])
    #expect(throws: ParseError.self) { try ObjectFile.objects(in: ByteView(nested)) }
  }

  @Test("A Java class begins like a universal file and is not one")
  func javaClass() {
    let bytes = ByteView([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 16, 10, 0])
    #expect(!ObjectFile.isObject(bytes))
    #expect(throws: ParseError(.notRecognised, in: "object file", at: 0)) {
      try ObjectFile.objects(in: bytes)
    }
  }
}
