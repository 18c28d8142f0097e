import Bytes
import Compression
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ObjectFormats

@Suite struct ELFTests {
  static let buildID: [UInt8] = Array(1...20)
  static let allForms = [(true, false), (true, true), (false, false), (false, true)]

  /// A program with code, a build id, and three functions.
  static func program(is64: Bool = true, isBigEndian: Bool = false) -> ObjectBuilderELF {
    var file = ObjectBuilderELF(is64: is64, isBigEndian: isBigEndian)
    file.segments = [.init(type: 1, flags: 5, address: 0x10_0234)]
    file.sections = [
      .init(
        ".text", flags: 6, address: 0x10_1000, contents: [UInt8](repeating: 0x90, count: 64)),
      .init(".note.gnu.build-id", type: 7, flags: 2, contents: file.buildIDNote(buildID)),
      .init(".bss", type: 8, flags: 3, address: 0x10_2000, size: 0x1_0000),
    ]
    file.add(symbols: [
      .init("third", 0x10_1020, size: 16), .init("first", 0x10_1000, size: 8),
      .init("weak", 0x10_1010, size: 4, information: 0x22),
      .init("second", 0x10_1010, size: 8, information: 0x02), .init("used", 0, section: 0),
      .init("data", 0x10_1010, information: 0x11), .init("label", 0x10_1030, information: 0),
      .init("elsewhere", 0x10_2000, information: 0),
    ])
    return file
  }

  static func object(_ builder: ObjectBuilderELF) throws -> ObjectFile {
    try #require(try ObjectFile.objects(in: ByteView(builder.build())).first)
  }

  @Test("Both classes and both byte orders give the same", arguments: allForms)
  func forms(is64: Bool, isBigEndian: Bool) throws {
    let object = try Self.object(Self.program(is64: is64, isBigEndian: isBigEndian))
    #expect(object.container == .elf)
    #expect(object.addressSize == (is64 ? 8 : 4))
    #expect(object.endianness == (isBigEndian ? .big : .little))
    #expect(object.kind == .executable)
    #expect(object.architecture == .x86_64)
    #expect(object.codeID?.description == "0102030405060708090a0b0c0d0e0f1011121314")
    #expect(
      object.debugID?.description
        == (isBigEndian
          ? "01020304-0506-0708-090a-0b0c0d0e0f10" : "04030201-0605-0807-090a-0b0c0d0e0f10"))
    #expect(object.imageBase == 0x10_0000)
    #expect(object.executableRanges == [0x10_1000..<0x10_1040])
    #expect(!object.hasDebugInfo)
    #expect(object.hasSymbols)
    let text = try #require(object.section(named: "text"))
    #expect(text.isExecutable)
    #expect(try object.contents(of: text).count == 64)
    let bss = try #require(object.section(named: "bss"))
    #expect(bss.size == 0x1_0000)
    #expect(try object.contents(of: bss).isEmpty)
  }

  @Test(
    "Functions come sorted; data, imports and labels outside code are left out",
    arguments: allForms)
  func symbols(is64: Bool, isBigEndian: Bool) throws {
    let table = try Self.object(Self.program(is64: is64, isBigEndian: isBigEndian)).symbolTable()
    #expect(
      table.symbols.map { table.name(of: $0) } == ["first", "weak", "second", "third", "label"])
    #expect(
      table.symbols.map(\.address) == [0x10_1000, 0x10_1010, 0x10_1010, 0x10_1020, 0x10_1030])
    #expect(table.symbols.map(\.size) == [8, 4, 8, 16, 0])
    #expect(table.symbols.map(\.isWeak) == [false, true, false, false, false])
    #expect(table.symbols.map(\.isGlobal) == [true, true, false, true, false])
  }

  @Test("Thumb functions lose their mark, and mapping symbols are not functions")
  func thumb() throws {
    var file = ObjectBuilderELF(is64: false)
    file.machine = 40
    file.sections = [
      .init(".text", flags: 6, address: 0x1000, contents: [UInt8](repeating: 0, count: 32))
    ]
    file.add(symbols: [
      .init("$t", 0x1000, information: 0), .init("thumb", 0x1001),
      .init("$d.realdata", 0x1008, information: 0), .init("arm", 0x1010),
    ])
    let table = try Self.object(file).symbolTable()
    #expect(table.symbols.map(\.address) == [0x1000, 0x1010])
    #expect(table.symbols.map { table.name(of: $0) } == ["thumb", "arm"])
  }

  @Test("A function descriptor leads to the code")
  func descriptors() throws {
    var file = ObjectBuilderELF(is64: true, isBigEndian: true)
    file.machine = 21
    file.sections = [
      .init(".text", flags: 6, address: 0x1000, contents: [UInt8](repeating: 0, count: 64)),
      .init(
        ".opd", flags: 3, address: 0x2000,
        contents: [0, 0, 0, 0, 0, 0, 0x10, 0x20] + [UInt8](repeating: 0, count: 16)),
    ]
    file.add(symbols: [.init("f", 0x2000, size: 8, section: 2), .init("lost", 0x2014)])
    #expect(try Self.object(file).symbolTable().symbols.map(\.address) == [0x1020])
  }

  @Test("A build id may have any length; zeros are not one", arguments: [1, 4, 8, 16, 20, 32, 64])
  func buildIDLengths(length: Int) throws {
    var file = Self.program()
    file.sections[1].contents = file.buildIDNote([UInt8](repeating: 7, count: length))
    let object = try Self.object(file)
    #expect(object.codeID == CodeID([UInt8](repeating: 7, count: length)))
    #expect(object.debugID == DebugID(buildID: [UInt8](repeating: 7, count: length)))
    file.sections[1].contents = file.buildIDNote([UInt8](repeating: 0, count: length))
    #expect(try Self.object(file).codeID == nil)
  }

  @Test("The package of a distribution that the linker noted")
  func package() throws {
    var file = Self.program()
    #expect(try Self.object(file).package == nil)
    let text =
      #"{"type":"deb","os":"debian","name":"gull","version":"1.2-3","architecture":"amd64"}"#
    file.sections.append(
      .init(".note.package", type: 7, flags: 2, contents: file.packageNote(text)))
    let object = try Self.object(file)
    #expect(object.codeID == CodeID(Self.buildID))
    #expect(
      object.package
        == ImagePackage(
          type: "deb", name: "gull", version: "1.2-3", architecture: "amd64", os: "debian"))
    // Anything but a package note is ignored.
    for bad in [String(text.dropLast()), "", String(repeating: "[", count: 20_000)] {
      file.sections[file.sections.count - 1].contents = file.packageNote(bad)
      #expect(try Self.object(file).package == nil)
    }
  }

  @Test("Without a build id, the code gives the id; without code there is none")
  func codeMakesID() throws {
    var file = Self.program()
    file.sections.remove(at: 1)
    file.sections[0].contents = Array(1...16) + [UInt8](repeating: 0, count: 48) + [0x80]
    let object = try Self.object(file)
    #expect(object.codeID == nil)
    #expect(object.debugID?.description == "04030281-0605-0807-090a-0b0c0d0e0f10")
    file.sections[0].type = 8
    #expect(try Self.object(file).debugID == nil)
  }

  @Test("The kinds are distinguished")
  func kinds() throws {
    var file = Self.program()
    file.type = 3
    #expect(try Self.object(file).kind == .library)
    file.segments.append(.init(type: 3, address: 0))
    #expect(try Self.object(file).kind == .executable)
    file.sections[0].type = 8
    #expect(try Self.object(file).kind == .debugFile)
    file.type = 1
    #expect(try Self.object(file).kind == .relocatable)
    file.type = 4
    #expect(try Self.object(file).kind == .core)
    file.type = 0xfe00
    #expect(try Self.object(file).kind == ObjectKind("elf-65024"))
  }

  /// Labels of exception tables of functions as `clang -c` writes them: `GCC_except_table0`, without a type,
  /// in a section of its own. `readelf -sW` shows the section, which is not that of the code.
  @Test("A label of data names no code of a file that is not linked")
  func dataLabels() throws {
    var file = Self.program()
    file.type = 1
    file.sections = Array(file.sections.prefix(3))
    file.sections[0].address = 0
    file.sections[2].address = 0
    file.add(symbols: [
      .init("function", 0x08, size: 8), .init("table", 0x10, information: 0, section: 3),
      .init("entry", 0x18, information: 0),
    ])
    let object = try Self.object(file)
    let table = try object.symbolTable()
    #expect(table.symbols.map { table.name(of: $0) } == ["function", "entry"])
    let near = try object.symbolTable(near: [0x12])
    #expect(!near.symbols.contains { near.name(of: $0) == "table" })
  }

  @Test("The section count may be in section 0")
  func extendedCount() throws {
    var file = Self.program()
    file.hidesSectionCount = true
    let object = try Self.object(file)
    #expect(object.sections.count == 7)
    #expect(object.section(named: "text") != nil)
    #expect(try object.symbolTable().symbols.count == 5)
  }

  @Test("More than 0xff00 sections")
  func manySections() throws {
    var file = ObjectBuilderELF()
    file.hidesSectionCount = true
    file.sections = (0..<0x1_0000).map { .init(".s\($0)") }
    let object = try Self.object(file)
    #expect(object.sections.count == 0x1_0002)
    #expect(object.section(named: "s65535") != nil)
  }

  @Test(
    "Without section headers, the program headers give the id and the functions",
    arguments: allForms)
  func withoutSections(is64: Bool, isBigEndian: Bool) throws {
    var file = ObjectBuilderELF(is64: is64, isBigEndian: isBigEndian)
    file.type = 3
    file.writesSectionHeaders = false
    let word = is64 ? 8 : 4
    let (table, names) = file.encoded([.init("one", 0x40), .init("two", 0x80, size: 4)])
    let note = file.buildIDNote(Self.buildID)
    // Words of a hash table: one bucket, three symbols.
    let hash = [1, 3].flatMap { number(UInt64($0), size: 4, isBigEndian) }
    let start = (is64 ? 64 : 52) + 3 * (is64 ? 56 : 32)
    var parts = [0, table.count, names.count, note.count, hash.count]
    var place = (start + 7) / 8 * 8
    for index in parts.indices.dropFirst() {
      // The builder puts each section at a multiple of eight.
      place = (place + 7) / 8 * 8
      (parts[index], place) = (place, place + parts[index])
    }
    let tags: [(UInt64, UInt64)] = [
      (6, UInt64(parts[1])), (5, UInt64(parts[2])), (10, UInt64(names.count)),
      (4, UInt64(parts[4])), (0, 0),
    ]
    let dynamic = tags.flatMap { tag, value in
      number(tag, size: word, isBigEndian) + number(value, size: word, isBigEndian)
    }
    place = (place + 7) / 8 * 8
    file.sections = [table, names, note, hash, dynamic].map { .init("", contents: $0) }
    file.segments = [
      .init(type: 1, flags: 5, address: 0),
      .init(type: 4, address: 0, contents: parts[3]..<(parts[3] + note.count)),
      .init(type: 2, address: 0, contents: place..<(place + dynamic.count)),
    ]
    let object = try Self.object(file)
    #expect(object.sections.isEmpty)
    #expect(object.codeID == CodeID(Self.buildID))
    let symbols = try object.symbolTable()
    #expect(symbols.symbols.map { symbols.name(of: $0) } == ["one", "two"])
    #expect(object.hasSymbols)
  }

  private func number(_ value: UInt64, size: Int, _ isBigEndian: Bool) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    return isBigEndian ? little.reversed() : little
  }

  @Test("A debug link names a file and its checksum", arguments: ["a", "ab", "abc", "abcd.debug"])
  func debugLink(name: String) throws {
    var file = Self.program()
    var link = Array(name.utf8) + [0]
    while !link.count.isMultiple(of: 4) { link.append(0) }
    file.sections.append(.init(".gnu_debuglink", contents: link + [4, 3, 2, 1]))
    file.sections.append(
      .init(".gnu_debugaltlink", contents: Array("../common.debug".utf8) + [0, 0xab, 0xcd]))
    let object = try Self.object(file)
    #expect(object.elf?.debugLink == DebugLink(name: name, checksum: 0x0102_0304))
    #expect(object.elf?.alternateLink?.path == "../common.debug")
    #expect(object.elf?.alternateLink?.codeID == CodeID("abcd"))
  }

  @Test("Damaged links are ignored")
  func damagedLinks() throws {
    var file = Self.program()
    file.sections.append(.init(".gnu_debuglink", contents: [0x61, 0x62]))
    file.sections.append(.init(".gnu_debugaltlink", contents: [0x61, 0]))
    let object = try Self.object(file)
    #expect(object.elf?.debugLink == nil)
    #expect(object.elf?.alternateLink == nil)
  }
}
