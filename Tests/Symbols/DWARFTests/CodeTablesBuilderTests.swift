import Bytes
import DWARF
import Testing

@Suite("Tables of code without DWARF")
struct CodeTablesBuilderTests {
  @Test("Names, paths and functions are kept")
  func names() {
    var builder = CodeTablesBuilder(inputSize: 100)
    let main = builder.addName(Array("main\u{0}junk".utf8).span.bytes)
    let none = builder.addName([UInt8]().span.bytes)
    let first = builder.addFile(Array("/src/a.c".utf8).span.bytes)
    let second = builder.addFile(Array("/src/b.c".utf8).span.bytes)
    let again = builder.addFile(Array("/src/a.c".utf8).span.bytes)
    let function = builder.addFunction(named: main, file: first, line: 3)
    let same = builder.addFunction(named: main, file: first, line: 3)
    let other = builder.addFunction(named: main)
    #expect(none == .none)
    #expect([first, second, again] == [1, 2, 1])
    #expect([function, same, other] == [0, 0, 1])
    var strings = ByteView.empty
    let tables = builder.finish(strings: &strings)
    #expect(strings.array == Array("main\u{0}".utf8))
    #expect(tables.functions[0].name.section == .strings)
    #expect(tables.functions[0].name.offset == 0)
    #expect(tables.functions[0].line == 3)
    #expect(tables.files.count == 2)
  }

  @Test("A call belongs to the function that was begun last")
  func scopes() {
    var builder = CodeTablesBuilder(inputSize: 100)
    let function = builder.addFunction(named: .none)
    let outer = builder.addScope(of: function, entry: 0x10)
    let call = builder.addCall(of: function, in: outer ?? 9, file: 0, line: 7)
    let inner = builder.addCall(of: function, in: call ?? 9, file: 0, line: 8, column: 2)
    let next = builder.addScope(of: function, entry: 0x20)
    let stray = builder.addCall(of: function, in: call ?? 9, file: 0, line: 1)
    let unknown = builder.addScope(of: 77, entry: 0)
    #expect([outer, call, inner, next, stray, unknown] == [0, 1, 2, 3, nil, nil])
    builder.addCodeRange(from: 0x10, to: 0x18, of: 0)
    builder.addCodeRange(from: 0x18, to: 0x18, of: 0)
    builder.addCodeRange(from: 0x18, to: 0x20, of: 99)
    var strings = ByteView.empty
    let tables = builder.finish(strings: &strings)
    #expect(tables.scopes[2].parent == 1)
    #expect(tables.scopes[3].parent == CodeTables.none)
    #expect(tables.codeRanges.count == 1)
    #expect(tables.unitScopes.count == 2)
  }

  @Test("Calls nest as deep as the limit")
  func depth() {
    var limits = DWARFLimits()
    limits.inlineDepth = 3
    var builder = CodeTablesBuilder(inputSize: 0, limits: limits)
    let function = builder.addFunction(named: .none)
    var scope = builder.addScope(of: function, entry: 0)
    var depth = 0
    while let parent = scope {
      scope = builder.addCall(of: function, in: parent, file: 0, line: 0)
      depth += 1
    }
    #expect(depth == 4)
  }

  @Test("Rows that follow on each other make one sequence")
  func rows() {
    var builder = CodeTablesBuilder(inputSize: 100)
    let file = builder.addFile(Array("a".utf8).span.bytes)
    builder.addRow(from: 0x10, to: 0x14, file: file, line: 1)
    builder.addRow(from: 0x14, to: 0x18, file: file, line: 1)
    builder.addRow(from: 0x18, to: 0x20, file: file, line: 2, column: 5)
    builder.addRow(from: 0x20, to: 0x20, file: file, line: 3)
    builder.addRow(from: 0x08, to: 0x0c, file: 0, line: 3)
    var strings = ByteView.empty
    let tables = builder.finish(strings: &strings)
    #expect(tables.sequences.count == 2)
    #expect(tables.sequences[0].end == 0x20)
    #expect(tables.sequences[0].rowCount == 2)
    #expect(tables.sequences[1].firstRow == 2)
    #expect(tables.rows[1].address == 0x18)
    #expect(tables.rows[1].location == 1 << 42 | 2 << 16 | 5)
    #expect(tables.rows[2].location == 0)
  }

  @Test("Names and paths end at their limits")
  func limits() {
    var limits = DWARFLimits()
    limits.slack = 0
    limits.files = 3
    limits.nameLength = 4
    var builder = CodeTablesBuilder(inputSize: 6, limits: limits)
    #expect(builder.addName(Array("abcdefgh".utf8).span.bytes) != .none)
    #expect(builder.addName(Array("abcd".utf8).span.bytes) != .none)
    #expect(builder.addName(Array("abcd".utf8).span.bytes) == .none)
    #expect(builder.addFile(Array("a".utf8).span.bytes) == 1)
    #expect(builder.addFile(Array("b".utf8).span.bytes) == 2)
    #expect(builder.addFile(Array("c".utf8).span.bytes) == 0)
    #expect(builder.addFile(Array("a".utf8).span.bytes) == 1)
  }
}
