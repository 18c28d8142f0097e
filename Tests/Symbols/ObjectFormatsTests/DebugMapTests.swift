import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ObjectFormats

@Suite struct DebugMapTests {
  static let base: UInt64 = 0x1_0000_0000

  /// The debugger's symbols of a linker, around the usual ones.
  static func program() -> ObjectBuilderMachO {
    var file = MachOTests.program()
    file.symbols = [
      .init("/src/", 0, type: 0x64, section: 0), .init("a.c", 0, type: 0x64, section: 0),
      .init("/build/a.o", 1_700_000_000, type: 0x66, section: 0),
      .init("", base + 0x400, type: 0x2e), .init("_first", base + 0x400, type: 0x24),
      .init("", 0x20, type: 0x24, section: 0), .init("", 0x20, type: 0x4e),
      .init("_data", 0, type: 0x20, section: 0), .init("_other", base + 0x420, type: 0x24),
      .init("", 0, type: 0x64), .init("/build/empty.o", 5, type: 0x66, section: 0),
      .init("/build/lib(1).a(b.o)", 0, type: 0x66, section: 0),
      .init("plain", base + 0x430, type: 0x24), .init("", 0x10, type: 0x24, section: 0),
      .init("_first", base + 0x400),
    ]
    return file
  }

  @Test("Object files with their functions, in order")
  func map() throws {
    let object = try MachOTests.object(Self.program())
    #expect(object.machO?.hasDebugMap == true)
    let map = try #require(try object.machO?.debugMap())
    #expect(map.objects.map { map.path(of: $0) } == ["/build/a.o", "/build/lib(1).a(b.o)"])
    #expect(map.objects.map(\.modified) == [1_700_000_000, 0])
    #expect(
      map.objects.map { $0.functions.map { map.name(of: $0).text } } == [
        ["first", "other"], ["plain"],
      ])
    #expect(
      map.objects.map { $0.functions.map { $0.address - Self.base } } == [[0x400, 0x420], [0x430]])
    #expect(map.objects.map { $0.functions.map(\.size) } == [[0x20, 0], [0x10]])
    #expect(try object.symbolTable().symbols.count == 1)
    #expect(try MachOTests.object(MachOTests.program()).machO?.debugMap() == nil)
    #expect(try MachOTests.object(MachOTests.program()).machO?.hasDebugMap == false)
  }

  @Test(
    "A member of a library is distinguished from a file",
    arguments: [
      ("/b/lib.a(c.o)", "/b/lib.a", "c.o"), ("/b/c.o", "/b/c.o", nil), ("(c.o)", "(c.o)", nil),
      ("/b/l(1).a(c.o)", "/b/l(1).a", "c.o"), ("/b(1)/c.o", "/b(1)/c.o", nil),
    ] as [(String, String, String?)])
  func places(path: String, file: String, member: String?) {
    let place = DebugMap.ObjectLocation(path)
    #expect(place.file == file)
    #expect(place.member == member)
  }

  static func object(cpu: Int = 0x0100_000c) -> [UInt8] {
    var file = MachOTests.program()
    file.fileType = 1
    file.cpuType = cpu
    return file.build()
  }

  @Test("The object file is found at its path, in whatever is there")
  func objectFile() throws {
    let map = try #require(try MachOTests.object(Self.program()).machO?.debugMap())
    func found(_ part: Int, _ bytes: [UInt8]) -> ObjectFile? {
      DebugMap.ObjectFiles(ByteView(bytes), architecture: .arm64).objectFile(
        member: DebugMap.ObjectLocation(map.path(of: map.objects[part])).member,
        modified: map.objects[part].modified)
    }
    #expect(found(0, Self.object())?.kind == .relocatable)
    #expect(found(0, Self.object(cpu: 7)) == nil)
    #expect(found(0, MachOTests.program().build()) == nil)
    #expect(found(0, [1, 2, 3]) == nil)
    let fat = ObjectBuilderMachO.universal([Self.object(cpu: 7), Self.object()])
    #expect(found(0, fat)?.architecture == .arm64)
    let library = StaticArchiveTests.archive([
      ("a.o", 3, Self.object()), ("b.o", 7, Self.object(cpu: 7)), ("b.o", 8, Self.object()),
    ])
    #expect(found(1, library)?.architecture == .arm64)
    #expect(found(0, library) == nil)
    #expect(found(1, Self.object()) == nil)
    #expect(found(1, ObjectBuilderMachO.universal([[0], library]))?.architecture == .arm64)
  }

  @Test("A member with another modification time is from another build")
  func modified() throws {
    var program = Self.program()
    program.symbols[11].value = 8
    let map = try #require(try MachOTests.object(program).machO?.debugMap())
    for (time, isRight) in [(8, true), (0, true), (7, false)] {
      let library = StaticArchiveTests.archive([("b.o", time, Self.object())])
      let found = DebugMap.ObjectFiles(ByteView(library), architecture: .arm64).objectFile(
        member: "b.o", modified: map.objects[1].modified)
      #expect((found != nil) == isRight)
    }
  }

  @Test("Function names that Apple removed name nothing")
  func redacted() throws {
    var file = MachOTests.program()
    file.symbols = [
      .init("_first", Self.base + 0x400), .init("<redacted>", Self.base + 0x410, type: 0x0e),
      .init("<redacted>x", Self.base + 0x420),
    ]
    let table = try MachOTests.object(file).symbolTable()
    #expect(table.symbols.map { table.name(of: $0) } == ["first", "", "<redacted>x"])
  }

  @Test(
    "Caches of the dynamic linker and collections of the kernel are refused by name",
    arguments: [true, false])
  func refused(isCache: Bool) {
    var collection = MachOTests.program()
    collection.fileType = 12
    let bytes =
      isCache
      ? Array("dyld_v1  arm64e".utf8) + [UInt8](repeating: 0, count: 100)
      : collection.build()
    #expect(ObjectFile.isObject(ByteView(bytes)))
    let error = #expect(throws: ParseError.self) { try ObjectFile.objects(in: ByteView(bytes)) }
    let words = isCache ? "a dyld shared cache" : "a kernel collection"
    #expect(error?.description.contains(words) == true)
  }
}
