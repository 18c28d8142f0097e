import Bytes
import Compression
import TestSupport
import Testing

@testable import ObjectFormats

@Suite struct ELFCompressionTests {
  static let text = Array(String(repeating: "debug information\n", count: 300).utf8)

  /// A zlib stream that stores `bytes`, fewer than 64 KiB, as they are. Source: RFC 1950, RFC 1951.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let (count, sums) = (
      bytes.count,
      bytes.reduce(into: (1, 0)) { sums, byte in
        sums.0 = (sums.0 + Int(byte)) % 65521
        sums.1 = (sums.1 + sums.0) % 65521
      }
    )
    let lengths = [count & 255, count >> 8, ~count & 255, (~count >> 8) & 255]
    let checksum = [sums.1 >> 8, sums.1 & 255, sums.0 >> 8, sums.0 & 255]
    return [0x78, 1, 1] + lengths.map(UInt8.init) + bytes + checksum.map(UInt8.init)
  }

  private func file(
    _ type: Int, _ data: [UInt8], size: UInt64, is64: Bool = true, isBigEndian: Bool = false
  ) throws -> (ObjectFile, ObjectSection) {
    var file = ObjectBuilderELF(is64: is64, isBigEndian: isBigEndian)
    file.sections = [
      .init(
        ".debug_info", flags: 0x800,
        contents: file.compressionHeader(type: type, size: size) + data)
    ]
    let object = try ELFTests.object(file)
    return (object, try #require(object.section(named: "debug_info")))
  }

  @Test("zlib and zstd sections are decompressed completely", arguments: ELFTests.allForms)
  func compressed(is64: Bool, isBigEndian: Bool) throws {
    let size = UInt64(Self.text.count)
    let zstd = try Zstandard.compress(ByteView(Self.text)).array
    for (type, data) in [(1, Self.zlib(Self.text)), (2, zstd)] {
      let (object, section) = try file(
        type, data, size: size, is64: is64, isBigEndian: isBigEndian)
      #expect(section.compression == (type == 1 ? .zlib : .zstd))
      #expect(section.size == size)
      #expect(try object.contents(of: section).array == Self.text)
      #expect(object.hasDebugInfo)
    }
  }

  @Test("The older format: .zdebug_ with a big-endian size")
  func gnu() throws {
    var file = ObjectBuilderELF()
    let header = Array("ZLIB".utf8) + [0, 0, 0, 0, 0, 0, 0x15, 0x18]
    #expect(Self.text.count == 0x1518)
    file.sections = [
      .init(".zdebug_info", contents: header + Self.zlib(Self.text)),
      .init(".zdebug_line", contents: Self.text),
    ]
    let object = try ELFTests.object(file)
    let info = try #require(object.section(named: "debug_info"))
    #expect(info.compression == .gnuZlib)
    #expect(try object.contents(of: info).array == Self.text)
    let line = try #require(object.section(named: "debug_line"))
    #expect(line.compression == .none)
    #expect(try object.contents(of: line).array == Self.text)
  }

  @Test(
    "Sizes that lie are errors and take no memory", arguments: [1, 2],
    [0, 5399, 5401, 1 << 32, 1 << 62, .max] as [UInt64])
  func lies(type: Int, size: UInt64) throws {
    let zstd = try Zstandard.compress(ByteView(Self.text)).array
    let (object, section) = try file(
      type, type == 1 ? Self.zlib(Self.text) : zstd, size: size)
    #expect(throws: ParseError.self) { try object.contents(of: section) }
  }

  @Test("Zeros beyond the ratio are refused before they are allocated")
  func bomb() throws {
    let zeros = ByteView([UInt8](repeating: 0, count: 64 << 20))
    let bomb = try Zstandard.compress(zeros)
    let (object, section) = try file(2, bomb.array, size: UInt64(zeros.count))
    let error = #expect(throws: ParseError.self) { try object.contents(of: section) }
    #expect(error?.description.contains("\(bomb.count) bytes that announce 67108864") == true)
  }

  @Test("Compressed sections of a file share a limit; an invalid one affects no other")
  func together() throws {
    let zeros = try Zstandard.compress(ByteView([UInt8](repeating: 0, count: 3 << 20)))
    var file = ObjectBuilderELF()
    let announced: [(name: String, size: UInt64)] = [
      (".debug_macro", 64 << 20), (".debug_info", 3 << 20), (".debug_line", 3 << 20),
    ]
    file.sections = announced.map { name, size in
      .init(
        name, flags: 0x800, contents: file.compressionHeader(type: 2, size: size) + zeros.array)
    }
    let object = try ELFTests.object(file)
    let sections = try ["debug_macro", "debug_info", "debug_line"].map {
      try #require(object.section(named: $0))
    }
    #expect(sections.map(\.isBeyondBelief) == [true, false, true])
    #expect(throws: ParseError.self) { try object.contents(of: sections[0]) }
    // Three thousand times its bytes: the debug files of small libraries have such sections.
    #expect(try object.contents(of: sections[1]).count == 3 << 20)
    #expect(throws: ParseError.self) { try object.contents(of: sections[2]) }
  }

  @Test("Unknown compression and a header cut short are errors")
  func unknown() throws {
    let (object, section) = try file(77, Self.text, size: 5400)
    #expect(section.compression == .unknown(77))
    #expect(throws: ParseError.self) { try object.contents(of: section) }
    var file = ObjectBuilderELF()
    file.sections = [.init(".debug_info", flags: 0x800, contents: [1, 0, 0])]
    let cut = try ELFTests.object(file)
    let short = try #require(cut.section(named: "debug_info"))
    #expect(throws: ParseError.self) { try cut.contents(of: short) }
  }

  /// The small object that distributions embed in stripped programs.
  private func stripped(_ inner: [UInt8]) throws -> ObjectFile {
    var outer = ELFTests.program()
    outer.sections.removeLast(2)
    outer.add(symbols: [.init("exported", 0x10_1000, size: 8)], as: ".dynsym", type: 11)
    outer.sections.append(.init(".gnu_debugdata", contents: inner))
    return try ELFTests.object(outer)
  }

  @Test("Mini debug information adds to the dynamic symbols")
  func miniDebugInfo() throws {
    let inner = ELFTests.program().build()
    let table = try stripped(ObjectBuilderXZ.stored(inner)).symbolTable()
    let names = table.symbols.map { table.name(of: $0) }
    #expect(names == ["exported", "first", "weak", "second", "third", "label"])
  }

  @Test("Mini debug information inside mini debug information is ignored")
  func nested() throws {
    var inner = ObjectBuilderELF()
    inner.sections = [
      .init(".gnu_debugdata", contents: ObjectBuilderXZ.stored(ELFTests.program().build()))
    ]
    let table = try stripped(ObjectBuilderXZ.stored(inner.build())).symbolTable()
    #expect(table.symbols.map { table.name(of: $0) } == ["exported"])
  }

  @Test("Damaged mini debug information is an error", arguments: [0, 1, 40])
  func damaged(cut: Int) throws {
    let inner = cut == 0 ? [1, 2, 3] : Array(ObjectBuilderXZ.stored([0x7f]).dropLast(cut))
    let object = try stripped(inner)
    #expect(throws: ParseError.self) { try object.symbolTable() }
  }
}
