import Bytes
import Identifiers
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

/// Symbols without a size name their own function and not the code after it.
@Suite("Symbols without a size")
struct SymbolBoundsTests {
  private static func name(_ bytes: [UInt8], at address: UInt64) throws -> String? {
    let object = try #require(try ObjectFile.objects(in: ByteView(bytes)).first)
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    var frames: [SourceFrame] = []
    cache.lookUp(ImageOffset(address - object.imageBase), into: &frames)
    return frames.last?.name
  }

  // MARK: ELF

  /// A program with two functions that have names without sizes, and three that unwinding knows.
  private static func program(
    functions: [(start: Int, size: Int)] = [(0x1000, 0x20), (0x1040, 0x30), (0x10c0, 0x10)],
    isBigEndian: Bool = false
  ) -> ObjectBuilderELF {
    var file = ObjectBuilderELF(isBigEndian: isBigEndian)
    file.sections = [
      ObjectBuilderELF.Section(
        ".text", flags: 6, address: 0x1000, contents: Array(repeating: 0x90, count: 0x200))
    ]
    file.add(symbols: [.init("first", 0x1000), .init("second", 0x1080)])
    file.addUnwinding(functions, at: 0x2000)
    file.segments = [.init(type: 1, flags: 5, address: 0x1000)]
    return file
  }

  @Test(
    "In an ELF file they end with their function in .eh_frame, or where the next one begins",
    arguments: [
      (0x1000, "first"), (0x101f, "first"), (0x1020, nil), (0x1040, nil), (0x107f, nil),
      (0x1080, "second"), (0x10bf, "second"), (0x10c0, nil), (0x11ff, nil),
    ] as [(UInt64, String?)])
  func elf(address: UInt64, name: String?) throws {
    for isBigEndian in [false, true] {
      let bytes = Self.program(isBigEndian: isBigEndian).build()
      #expect(try Self.name(bytes, at: address) == name)
    }
  }

  @Test("Without .eh_frame they reach to the next symbol and the end of the section")
  func without() throws {
    var file = Self.program()
    file.sections.removeLast()
    let bytes = file.build()
    #expect(try Self.name(bytes, at: 0x107f) == "first")
    #expect(try Self.name(bytes, at: 0x11ff) == "second")
  }

  @Test("A damaged or truncated .eh_frame loses bounds and nothing else")
  func damaged() throws {
    var mutator = Mutator(seed: 7, .anyByte, changes: 1...1)
    for section in 3...4 {
      let whole = Self.program()
      let count = whole.sections[section].contents.count
      for cut in 0..<count {
        var file = whole
        file.sections[section].contents.removeLast(count - cut)
        #expect(try Self.name(file.build(), at: 0x1000) == "first")
      }
      for _ in 0..<300 {
        var file = whole
        file.sections[section].contents = mutator.mutated(file.sections[section].contents)
        #expect(try Self.name(file.build(), at: 0x1000) == "first")
      }
    }
  }

  // MARK: Breakpad

  @Test(
    "A PUBLIC of Breakpad ends with its function in the rules for unwinding",
    arguments: [
      (0x1000, "one"), (0x103f, "one"), (0x1040, nil), (0x1058, nil), (0x1080, nil),
      (0x1100, "two"),
      (0x1128, "two"), (0x1137, "two"), (0x1138, nil), (0x1200, "three"), (0x12ff, "three"),
      (0x1300, nil), (0x1400, "four"), (0x1500, "four"),
    ] as [(UInt64, String?)])
  func breakpad(address: UInt64, name: String?) throws {
    // The second function has two parts without a gap, as on Windows; the third has no rules.
    let text = """
      MODULE windows x86_64 8F7AA0BA3C848070451BE2B27CD0A45A0 tern.pdb
      PUBLIC 1000 0 one
      PUBLIC 1100 0 two
      PUBLIC 1200 0 three
      PUBLIC 1400 0 four
      STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa -8 + ^
      STACK CFI 1001 .cfa: $rsp 16 +
      STACK CFI INIT 1050 10 .cfa: $rsp 8 + .ra: .cfa -8 + ^
      STACK CFI INIT 1128 10 .cfa: $rsp 8 + .ra: .cfa -8 + ^
      STACK CFI INIT 1100 28 .cfa: $rsp 8 + .ra: .cfa -8 + ^
      STACK CFI INIT 1300 8 .cfa: $rsp 8 + .ra: .cfa -8 + ^

      """
    #expect(try Self.name(Array(text.utf8), at: address) == name)
  }

  @Test(
    "A PUBLIC after all code, or with nothing after it, ends with its page: data follows",
    arguments: [
      (0x11ff, "main"), (0x1200, "_fini"), (0x1208, "_fini"), (0x1fff, "_fini"), (0x2000, nil),
      (0x4010, nil), (0x5000, "table"), (0x5fff, "table"), (0x6000, nil), (0xffff_fff0, nil),
    ] as [(UInt64, String?)])
  func behindCode(address: UInt64, name: String?) throws {
    // Some writers name data, too: a symbol of it does not make the code before it longer.
    let text = """
      MODULE Linux x86_64 8F7AA0BA3C848070451BE2B27CD0A45A0 tern
      FUNC 1100 100 0 main
      PUBLIC 1000 0 _init
      PUBLIC 1200 0 _fini
      PUBLIC 5000 0 table
      STACK CFI INIT 1100 100 .cfa: $rsp 8 + .ra: .cfa -8 + ^

      """
    #expect(try Self.name(Array(text.utf8), at: address) == name)
  }

  // MARK: PE

  /// The ends are those that `llvm-readobj --unwind` prints.
  @Test("A PE file gives the end of functions, and the start of the next one")
  func windows() throws {
    let bytes = try ByteView(mapping: Samples.debugFile("windows/exports.dll"))
    let object = try #require(try ObjectFile.objects(in: bytes).first)
    let bounds = try #require(object.functionBounds)
    let ends = [0x1000, 0x101f, 0x103f, 0x1040, 0x1143, 0x2000].map {
      bounds.end(of: object.imageBase + $0).map { $0 - object.imageBase }
    }
    #expect(ends == [0x1020, 0x1020, 0x1040, 0x106a, 0x1144, nil])
  }
}
