import Bytes
import Identifiers
import ObjectFormats
import TestSupport
import Testing

@testable import SymbolCache

/// Programs for Windows, and llvm-symbolizer's results for them (`Symbols/recipes/windows.py`).
@Suite struct WindowsLookUpTests {
  static let folder = ExpectedLookUps.folder + "/windows"
  static let databaseNames = [
    "pdb-x86_64-O0", "pdb-x86_64-O1", "pdb-x86_64-O2", "pdb-aarch64", "pdb-arm", "pdb-i386",
    "pdb-lines", "pdb-columns", "pdb-lto", "pdb-folded", "pdb-embedded",
  ]
  static let programNames = [
    "mingw-x86_64.exe", "mingw-i686.exe", "mingw-stripped.exe", "exports.dll",
  ]

  static func object(_ name: String) throws -> ObjectFile {
    try #require(try ObjectFile.objects(in: ByteView(mapping: "\(folder)/\(name)")).first)
  }

  static func lookUps(_ name: String) throws -> [ExpectedLookUps.LookUp] {
    try ExpectedLookUps(answers: "../windows/\(name).jsonl", file: "", architecture: "").lookUps()
  }

  private func frames(_ cache: SymbolCache, _ offset: UInt64) -> [ExpectedFrame] {
    var frames: [SourceFrame] = []
    cache.lookUp(ImageOffset(offset), into: &frames)
    return frames.map {
      ExpectedFrame(name: $0.name, file: $0.file, line: $0.line, column: $0.column)
    }
  }

  @Test("A PDB gives the same results as llvm-symbolizer", arguments: databaseNames)
  func databases(name: String) throws {
    let program = try Self.object(name + ".exe")
    let database = try Self.object(name + ".pdb")
    #expect(program.debugID == database.debugID)
    #expect(program.architecture == database.architecture)
    #expect(program.executableRanges.map(\.count) == database.executableRanges.map(\.count))
    let compiled = try SymbolCache.compiling(database)
    #expect(compiled.notes.isEmpty)
    let cache = try SymbolCache(opening: compiled.bytes)
    var equal = 0
    for lookUp in try Self.lookUps(name) {
      let found = frames(cache, lookUp.address - program.imageBase)
      if found == lookUp.frames {
        equal += 1
        continue
      }
      // The padding after a function without a public name does not belong to the public function before it.
      let isPadding = found.isEmpty && lookUp.frames.count == 1 && lookUp.frames[0].line == 0
      #expect(
        isPadding,
        "0x\(String(lookUp.address, radix: 16)): \(found) in place of \(lookUp.frames)")
    }
    #expect(equal >= 90)
  }

  @Test("DWARF, symbols and exports of PE files", arguments: programNames)
  func programs(name: String) throws {
    let object = try Self.object(name)
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    let lookUps = try Self.lookUps(String(name.dropLast(4)))
    // That tool extends an exported name up to the next one, ours up to the end of its function, and a symbol
    // over the padding after it.
    let functions: [Range<UInt64>] = [0x1000..<0x103e, 0x1040..<0x10ef, 0x10f0..<0x1144]
    let padding: Range<UInt64> = 0x1144..<0x1150
    for lookUp in lookUps {
      let offset = lookUp.address - object.imageBase
      let isNamed =
        switch name {
        case "exports.dll": functions.contains { $0.contains(offset) }
        case "mingw-x86_64.exe": !padding.contains(offset)
        default: true
        }
      #expect(
        frames(cache, offset) == (isNamed ? lookUp.frames : []),
        "0x\(String(lookUp.address, radix: 16))")
    }
    #expect(lookUps.count > 90)
  }

  @Test(
    "Names that the linker saw, beside those of the source",
    arguments: [
      ("pdb-i386.pdb", "_tide_clamp", "tide_clamp"),
      ("pdb-x86_64-O0.pdb", "?passes@Gate@harbour@@QEBA_NAEBUtide@@H@Z", "harbour::Gate::passes"),
    ])
  func decorated(name: String, symbol: String, source: String) throws {
    let object = try Self.object(name)
    let table = try object.symbolTable()
    let address = try #require(table.symbols.first { table.name(of: $0) == symbol }?.address)
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    var frames: [SourceFrame] = []
    cache.lookUp(ImageOffset(address), into: &frames)
    #expect(frames.last?.name == symbol)
    #expect(frames.last?.undecoratedName == source)
  }

  @Test(
    "A symbol of C without a function of the debug information loses what its compiler put around it",
    arguments: [
      ("_wait", true, "wait"), ("_wait@8", true, "wait"), ("_wait@8", false, "wait"),
      ("@wait@12", true, "wait"), ("wait@@16", true, "wait"), ("wait@@16", false, "wait"),
      ("__wait", true, "_wait"), ("_wait", false, nil), ("wait", true, nil), ("@wait", true, nil),
      ("_", true, nil), ("@@8", true, nil), ("wait@8", true, nil), ("wait@8x", true, nil),
      ("?wait@@YAXXZ", true, nil), ("__ZN4tide4waitEv", true, nil), ("_$s4main", true, nil),
      ("", true, nil), ("123", true, nil), ("_@4", true, nil),
    ])
  func plainNames(symbol: String, hasUnderscores: Bool, name: String?) {
    let bytes = Array(symbol.utf8)
    let found = CDecoration(of: bytes.span.bytes, hasUnderscores: hasUnderscores)
    #expect(found.map { String(decoding: bytes[$0.name], as: UTF8.self) } == name)
  }

  @Test("Functions of the runtime library in a 32-bit program have the names of the source")
  func runtimeLibrary() throws {
    let object = try Self.object("mingw-i686.exe")
    let table = try object.symbolTable()
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    var frames: [SourceFrame] = []
    var plain = 0
    for symbol in table.symbols where symbol.nameCount > 0 {
      cache.lookUp(ImageOffset(symbol.address - object.imageBase), into: &frames)
      guard let frame = frames.last, let name = frame.name, frames.count == 1, frame.line == nil,
        name == table.name(of: symbol), name.hasPrefix("_"), !name.hasPrefix("__Z")
      else { continue }
      #expect(
        frame.undecoratedName == name.dropFirst().split(separator: "@").first.map(String.init))
      plain += 1
    }
    #expect(plain > 0)
    let wide = try Self.object("mingw-x86_64.exe")
    #expect(!wide.hasUnderscores && object.hasUnderscores)
  }

  @Test("The same PDB gives the same bytes")
  func deterministic() throws {
    let object = try Self.object("pdb-x86_64-O2.pdb")
    #expect(try SymbolCache.compile(object).array == SymbolCache.compile(object).array)
  }

  @Test(
    "Damaged files compile to something or are refused",
    arguments: ["pdb-x86_64-O2.pdb", "pdb-aarch64.pdb", "mingw-i686.exe", "exports.dll"])
  func damaged(name: String) throws {
    let bytes = try ByteView(mapping: "\(Self.folder)/\(name)").array
    var outcomes = Outcomes()
    for copy in Mutator.binary(bytes, count: 60, seed: 5) {
      outcomes.count { try DamageTests.compile(copy) }
    }
    #expect(outcomes.all == 60 && outcomes.read > 20)
  }
}
