import Bytes
import TestSupport
import Testing

@testable import ObjectFormats

/// A symbol names code by the section that it belongs to, never by its value alone.
@Suite("Symbols and their sections")
struct ELFSymbolSectionTests {
  /// The symbols of a program built with `gcc -g -flto` by gcc 12 and binutils 2.40: `readelf -sW`
  /// shows `WEAK DEFAULT 3 main.c.1a2b3c4d`, and section 3 is `.debug_info`.
  private static var symbols: [ObjectBuilderELF.Symbol] {
    [
      .init("depth", 0x1000, size: 0x20),
      .init("label", 0x1040, information: 0),
      .init("main.c.1a2b3c4d", 0x1010, information: 0x20, section: 3),
      .init("of_debug_info", 0x1018, size: 4, section: 3),
      .init("of_data", 0x1020, information: 0x10, section: 2),
      .init("end_of_read_only_data", 0x1000, information: 0x10, section: 4),
      .init("absolute", 0x1028, information: 0x10, section: 0xfff1),
      .init("absolute_function", 0x1030, size: 4, section: 0xfff1),
      .init("common", 0x1034, information: 0x10, section: 0xfff2),
      .init("no_section", 0x1038, information: 0x10, section: 77),
      .init("end_of_code", 0x1080, information: 0x10),
      .init("extended", 0x1050, size: 8, section: 0xffff),
      .init("extended_data", 0x1058, size: 8, section: 0xffff),
    ]
  }

  private static func file(
    tables: (inout ObjectBuilderELF) -> Void = { $0.add(symbols: symbols) }
  ) -> ObjectBuilderELF {
    var file = ObjectBuilderELF()
    file.segments = [.init(type: 1, flags: 5, address: 0x1000)]
    file.sections = [
      .init(".text", flags: 6, address: 0x1000, contents: Array(repeating: 0x90, count: 0x80)),
      .init(".data", flags: 3, address: 0x3000, contents: Array(repeating: 1, count: 0x40)),
      .init(".debug_info", contents: Array(repeating: 0, count: 0x2000)),
      .init(".rodata", flags: 2, address: 0xf00, contents: Array(repeating: 2, count: 0x100)),
      // The code after it begins where .text ends.
      .init(".fini", flags: 6, address: 0x1080, contents: Array(repeating: 0x90, count: 0x10)),
    ]
    tables(&file)
    return file
  }

  private static func names(_ table: SymbolTable) -> [String] {
    table.symbols.map { table.name(of: $0) }
  }

  private static func object(_ file: ObjectBuilderELF) throws -> ObjectFile {
    try #require(try ObjectFile.objects(in: ByteView(file.build())).first)
  }

  @Test("Those of debug sections, data, no section and the end of one do not name code")
  func linked() throws {
    let object = try Self.object(Self.file())
    // Without the section table, only the values of the extended ones show where they are.
    #expect(
      Self.names(try object.symbolTable()) == ["depth", "label", "extended", "extended_data"])
  }

  @Test("A section number that does not fit the symbol is in a table of its own")
  func extended() throws {
    let object = try Self.object(
      Self.file { file in
        file.add(symbols: Self.symbols)
        let numbers = (0...Self.symbols.count).flatMap { index in
          [index == 12 ? 1 : index == 13 ? 2 : 0, 0, 0, 0] as [UInt8]
        }
        file.sections.append(
          .init(".symtab_shndx", type: 18, contents: numbers, link: file.sections.count - 1))
      })
    #expect(Self.names(try object.symbolTable()) == ["depth", "label", "extended"])
  }

  @Test("A look-up of a few addresses gives the same results")
  func near() throws {
    let object = try Self.object(Self.file())
    for address: UInt64 in [0x1000, 0x1010, 0x1018, 0x1028, 0x1044, 0x107f, 0x1084] {
      let names = Self.names(try object.symbolTable(near: [address]))
      #expect(
        names.allSatisfy { ["depth", "label", "extended", "extended_data"].contains($0) },
        "\(address): \(names)")
    }
  }

  @Test("Dynamic symbols and the small table of .gnu_debugdata use their sections, too")
  func others() throws {
    let dynamic = try Self.object(
      Self.file { $0.add(symbols: Self.symbols, as: ".dynsym", type: 11) })
    #expect(
      Self.names(try dynamic.symbolTable()) == ["depth", "label", "extended", "extended_data"])
    let small = Self.file { file in
      let inner = Self.file()
      file.sections.append(.init(".gnu_debugdata", contents: ObjectBuilderXZ.stored(inner.build())))
    }
    #expect(
      Self.names(try Self.object(small).symbolTable())
        == ["depth", "label", "extended", "extended_data"])
  }

  @Test("In a relocatable file, values are relative to the sections")
  func relocatable() throws {
    var file = Self.file { file in
      file.add(symbols: [
        .init("first", 0, size: 0x20), .init("data", 0x10, information: 0x10, section: 2),
        .init("info", 0x10, information: 0x20, section: 3),
        .init("past", 0x80, information: 0x10), .init("last", 0x7f, information: 0x10),
      ])
    }
    file.type = 1
    #expect(Self.names(try Self.object(file).symbolTable()) == ["first", "last"])
  }

  @Test("If no section is marked as code, the program headers show it")
  func unmarked() throws {
    var file = Self.file()
    for index in file.sections.indices where file.sections[index].flags == 6 {
      file.sections[index].flags = 2
    }
    file.segments = [
      .init(type: 1, flags: 5, address: 0x1000, contents: 0..<0x90),
      .init(type: 1, flags: 6, address: 0x3000, contents: 0..<0x40),
    ]
    let names = Self.names(try Self.object(file).symbolTable())
    #expect(names.contains("depth") && names.contains("label"))
    #expect(!names.contains("main.c.1a2b3c4d") && !names.contains("of_data"))
  }
}
