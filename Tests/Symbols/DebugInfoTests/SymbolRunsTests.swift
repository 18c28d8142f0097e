import Bytes
import Testing

@testable import DWARF
@testable import DebugInfo
@testable import ObjectFormats

@Suite struct SymbolRunsTests {
  /// A symbol, and a function with a name in the debug information.
  struct Symbol {
    var address: UInt64
    var size: UInt64
    var name: String
  }

  static let base: UInt64 = 0x40_0000

  /// The names that apply from each offset on, `-` for none.
  static func runs(
    _ symbols: [Symbol], functions: [(start: UInt32, end: UInt32, name: String)] = [],
    code: [Range<UInt64>] = [0x40_1000..<0x40_5000]
  ) -> [String] {
    var names: [UInt8] = [0]
    let table = SymbolTable(
      names: .empty,
      sorting: symbols.map { symbol in
        let offset = names.count
        names += Array(symbol.name.utf8) + [0]
        return ObjectSymbol(
          address: base &+ symbol.address, size: symbol.size, nameOffset: offset,
          nameCount: symbol.name.utf8.count, isGlobal: true, isWeak: false)
      })
    let named = SymbolTable(names: ByteView(names), symbols: table.symbols)
    var sections = DWARFSections(endianness: .little, addressSize: 8)
    var strings: [UInt8] = []
    var tables = CodeTables()
    var codeRanges = Table<CodeRange>()
    for function in functions {
      let scope = UInt32(tables.scopes.count)
      tables.functions.append(
        FunctionRecord(name: TextReference(.strings, strings.count), file: 0, line: 0))
      tables.scopes.append(
        ScopeRecord(
          function: scope, parent: CodeTables.none, callFileOrEntry: function.start, callLine: 0,
          callColumn: 0))
      strings += Array(function.name.utf8) + [0]
      codeRanges.append(CodeRange(start: function.start, end: function.end, scope: scope))
    }
    sections.strings = ByteView(strings)
    var runs = SymbolRuns(overlapLimit: 16)
    runs.run(
      named, space: CodeSpace(imageBase: base, executable: code),
      codeRanges: CodeRangeSort.sort(codeRanges),
      tables: tables, sections: sections)
    return (0..<runs.runs.count).map { index in
      let run = runs.runs[index]
      let name = names[Int(run.nameOffset)..<Int(run.nameOffset + run.nameCount)]
      return "\(String(run.start, radix: 16)) "
        + (run.nameCount == 0 ? "-" : String(decoding: name, as: UTF8.self))
    }
  }

  @Test("A symbol with a size ends there; after an inner symbol it continues")
  func sizes() {
    #expect(
      Self.runs([
        Symbol(address: 0x1000, size: 0x100, name: "outer"),
        Symbol(address: 0x1010, size: 0x20, name: "inner"),
        Symbol(address: 0x1200, size: 0x10, name: "last"),
      ]) == ["1000 outer", "1010 inner", "1030 outer", "1100 -", "1200 last", "1210 -"])
  }

  @Test("A start without a name ends the symbol before it, and yields to a name at its offset")
  func nameless() {
    #expect(
      Self.runs([
        Symbol(address: 0x1000, size: 0, name: "a"), Symbol(address: 0x1080, size: 0, name: ""),
        Symbol(address: 0x1100, size: 0, name: "b"), Symbol(address: 0x1100, size: 0, name: ""),
        Symbol(address: 0x1200, size: 0, name: ""), Symbol(address: 0x1200, size: 0, name: "c"),
      ]) == ["1000 a", "1080 -", "1100 b", "1200 c", "5000 -"])
  }

  @Test("Without a size it reaches to the next symbol, the next function or the end of the code")
  func noSizes() {
    #expect(
      Self.runs(
        [
          Symbol(address: 0x1000, size: 0, name: "a"), Symbol(address: 0x1100, size: 0, name: "b"),
          Symbol(address: 0x4000, size: 0, name: "c"),
        ], functions: [(0x1180, 0x1190, "static")])
        == ["1000 a", "1100 b", "1180 -", "4000 c", "5000 -"])
  }

  @Test("Of aliases, the one in the debug information wins, otherwise the largest, then the last")
  func aliases() {
    let symbols = [
      Symbol(address: 0x1000, size: 0x10, name: "C1"),
      Symbol(address: 0x1000, size: 0x10, name: "C2"),
      Symbol(address: 0x1000, size: 0, name: "label"),
      Symbol(address: 0x1000, size: 0x10, name: "C3"),
    ]
    #expect(Self.runs(symbols) == ["1000 C3", "1010 -"])
    #expect(Self.runs(symbols, functions: [(0x1000, 0x1010, "C2")]) == ["1000 C2", "1010 -"])
    #expect(Self.runs(symbols, functions: [(0x1000, 0x1010, "C")]) == ["1000 C3", "1010 -"])
  }

  @Test("Assembler labels name nothing and end nothing; a start without a name ends")
  func labels() {
    #expect(
      Self.runs([
        Symbol(address: 0x1000, size: 0, name: "a"), Symbol(address: 0x1010, size: 0, name: ".L0 "),
        Symbol(address: 0x1020, size: 0, name: ""), Symbol(address: 0x1030, size: 0, name: "b"),
      ]) == ["1000 a", "1020 -", "1030 b", "5000 -"])
  }

  @Test("Symbols before the image, past 4 GiB and of absurd size do no harm")
  func absurd() {
    #expect(
      Self.runs([
        Symbol(address: 0 &- Self.base, size: 4, name: "zero"),
        Symbol(address: 0x1000, size: .max, name: "huge"),
        Symbol(address: 0x2_0000_0000, size: 4, name: "far"),
      ]) == ["1000 huge", "ffffffff -"])
  }
}
