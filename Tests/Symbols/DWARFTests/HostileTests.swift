import Bytes
import TestSupport
import Testing

@testable import DWARF

/// Input designed to crash the readers, to keep them busy, or to fill the memory.
@Suite struct HostileTests {
  @Test("A million nested entries are read")
  func deepEntries() {
    let sections = FunctionTests.unit { unit in
      for _ in 0..<1_000_000 { unit.put(6, 0, 0, 0, 0) }
    }
    #expect(sections.functions().isEmpty)
  }

  @Test("Nested inlined calls end at the limit, with a note")
  func deepInlining() {
    let sections = FunctionTests.unit { unit in
      unit.put(2)
      unit.text("f")
      unit.u64(0x1000)
      unit.u32(0x1000)
      for _ in 0..<100_000 {
        unit.put(3)
        unit.u32(FunctionTests.firstEntry)
        unit.u64(0x1000)
        unit.u32(0x10)
        unit.put(1)
      }
    }
    let tables = sections.tables()
    #expect(tables.codeRanges.count <= DWARFLimits().inlineDepth + 1)
    #expect(tables.notes.count == 1)
  }

  @Test("One range list that every function references is read only a limited number of times")
  func sharedRanges() {
    var sections = FunctionTests.unit { unit in
      for _ in 0..<20_000 { unit.put(8, 0, 0, 0, 0, 0) }
    }
    var ranges = DWARFBytes()
    for index in 0..<20_000 as Range<UInt64> {
      ranges.u64(0x1000 + index % 0x1000)
      ranges.u64(0x9000)
    }
    sections.ranges = ByteView(ranges.bytes)
    let tables = sections.tables()
    #expect(tables.codeRanges.count < 500_000)
    #expect(tables.notes.count > 0)
  }

  @Test("One large abbreviation table at many offsets is read only a limited number of times")
  func sharedAbbreviations() {
    var abbreviations = DWARFBytes()
    for code in 1...5_000 as ClosedRange<UInt64> {
      abbreviations.abbreviation(code, tag: T.variable, children: false, [])
    }
    var info = DWARFBytes()
    for offset in 0..<5_000 as Range<UInt64> {
      info.unit { unit in
        unitHeader(&unit, version: 4, abbreviations: offset)
        unit.put(1)
      }
    }
    let tables = DWARFSections(info: info, abbreviations: abbreviations).tables()
    #expect(tables.notes.count == 5_000)
  }

  @Test("Units whose root is last in a long table are not each searched from its start")
  func rootsBehindLongTables() {
    var abbreviations = DWARFBytes()
    for code in 2...20_000 as ClosedRange<UInt64> {
      abbreviations.abbreviation(code, tag: T.variable, children: false, [])
    }
    abbreviations.abbreviation(
      1, tag: T.unit, children: false, [(At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.put(0)
    var info = DWARFBytes()
    for _ in 0..<20_000 {
      info.unit { unit in
        unitHeader(&unit, version: 4)
        unit.put(1)
        unit.u64(0x2000)
        unit.u32(0)
      }
    }
    let sections = DWARFSections(info: info, abbreviations: abbreviations)
    let space = CodeSpace(imageBase: 0, executable: [0x1000..<0x9000])
    let tables = CodeTables.reading(sections, space: space, near: [0x1000])
    #expect(tables.unitCount == 20_000)
    #expect(tables.codeRanges.count == 0)
  }

  @Test("An entry of one byte does not have thousands of attributes")
  func attributesWithoutBytes() {
    let flag: UInt64 = 0x19
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(1, tag: T.unit, children: true, [])
    abbreviations.abbreviation(
      2, tag: T.subprogram, children: false,
      [(At.ranges, flag)] + Array(repeating: (At.name, flag), count: 4_000))
    abbreviations.put(0)
    var info = DWARFBytes()
    info.unit { unit in
      unitHeader(&unit, version: 4)
      unit.put(1)
      unit.put([UInt8](repeating: 2, count: 500_000))
    }
    let tables = DWARFSections(info: info, abbreviations: abbreviations).tables()
    #expect(tables.notes.count == 1)
  }

  @Test("Files of a line table that take no bytes, or have endless fields, are ignored")
  func filesWithoutBytes() {
    for fields in [1, 200] {
      var line = DWARFBytes()
      line.unit { unit in
        unitHeader(&unit, version: 5, kind: 8, abbreviations: 1 << 20)
        unit.put(1, 1, 1, 0, 1, 1)
        // No directories; files whose fields are all flags.
        unit.put(1, 1, 0x19, 0, UInt8(fields))
        for _ in 0..<fields { unit.put(5, 0x19) }
        unit.uleb(1 << 20)
        unit.put([UInt8](repeating: 0, count: 1 << 20))
      }
      var abbreviations = DWARFBytes()
      abbreviations.abbreviation(1, tag: T.unit, children: false, [(At.stmtList, F.secOffset)])
      abbreviations.put(0)
      var info = DWARFBytes()
      info.unit { unit in
        unitHeader(&unit, version: 4)
        unit.put(1, 0, 0, 0, 0)
      }
      let tables = DWARFSections(info: info, abbreviations: abbreviations, line: line).tables()
      #expect(tables.rows.count == 0)
    }
  }

  @Test("One long line table under many numbers is read only a limited number of times")
  func sharedLines() {
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(1, tag: T.unit, children: false, [(At.stmtList, F.secOffset)])
    abbreviations.put(0)
    // Each byte 0x01 adds a row; the tables begin at different places and reach to the end.
    var line = DWARFBytes()
    for _ in 0..<2_000 {
      line.u32(2_000_000)
      line.u16(4)
      line.u32(16)
      line.put(1, 1, 1, 0, 1, 2, 1, 1)
      line.put([UInt8](repeating: 1, count: 14))
    }
    var info = DWARFBytes()
    for index in 0..<2_000 as Range<UInt64> {
      info.unit { unit in
        unitHeader(&unit, version: 4)
        unit.put(1)
        unit.u32(index * 32)
      }
    }
    let tables = DWARFSections(info: info, abbreviations: abbreviations, line: line).tables()
    #expect(tables.notes.count > 0)
  }

  @Test("Truncated anywhere, the sections are read as far as they go")
  func prefixes() {
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(
      1, tag: T.unit, children: true, [(At.stmtList, F.secOffset), (At.compDir, F.string)])
    abbreviations.abbreviation(
      2, tag: T.subprogram, children: false,
      [(At.name, F.string), (At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.put(0)
    var info = DWARFBytes()
    info.unit { unit in
      unitHeader(&unit, version: 4)
      unit.put(1, 0, 0, 0, 0)
      unit.text("/proj")
      unit.put(2)
      unit.text("main")
      unit.u64(0x1000)
      unit.u32(0x10)
      unit.put(0)
    }
    let line = LineTests.table(version: 4, files: LineTests.oldFiles) { program in
      LineTests.setAddress(&program, 0x1000)
      program.put(1, 2, 0x10, 0, 1, 1)
    }
    var sections = DWARFSections(info: info, abbreviations: abbreviations, line: line)
    #expect(sections.functions() == [FoundFunction("main", 0x1000, 0x1010)])
    for count in 0..<info.count {
      sections.info = ByteView(info.bytes.prefix(count))
      _ = sections.tables()
    }
    sections.info = ByteView(info.bytes)
    for count in 0..<abbreviations.count {
      sections.abbreviations = ByteView(abbreviations.bytes.prefix(count))
      _ = sections.tables()
    }
    sections.abbreviations = ByteView(abbreviations.bytes)
    for count in 0..<line.count {
      sections.line = ByteView(line.bytes.prefix(count))
      _ = sections.tables()
    }
    // The same bytes at random positions replaced by others.
    for seed in 0..<20 as Range<UInt64> {
      for bytes in Mutator.binary(info.bytes, count: 20, seed: seed) {
        sections.info = ByteView(bytes)
        sections.line = ByteView(Mutator.binary(line.bytes, count: 1, seed: seed)[0])
        _ = sections.tables()
      }
    }
  }

  @Test("Files with long names are joined only a limited number of times")
  func longPaths() {
    let name = String(repeating: "x", count: 60_000)
    let line = LineTests.table(version: 4) { head in
      head.text(name)
      head.put(0)
      for _ in 0..<20_000 { head.put([120, 0, 1, 0, 0]) }
      head.put(0)
    } program: { program in
      LineTests.setAddress(&program, 0x1000)
      for file in 1..<20_000 as Range<UInt64> {
        program.put(4)
        program.uleb(file)
      }
      program.put(1, 2, 1, 0, 1, 1)
    }
    _ = LineTests.rows(line)
  }
}
