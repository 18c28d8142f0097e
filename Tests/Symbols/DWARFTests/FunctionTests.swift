import Bytes
import TestSupport
import Testing

@testable import DWARF

@Suite struct FunctionTests {
  /// The shape of a unit with one function: version, byte order, size of an address, wide offsets.
  struct Shape: Sendable, CustomTestStringConvertible {
    var version: UInt64
    var isBigEndian = false
    var addressSize: UInt8 = 8
    var isWide = false
    var testDescription: String {
      "version \(version), \(isBigEndian ? "big" : "little"), \(addressSize), \(isWide ? 64 : 32)"
    }
  }

  static let shapes: [Shape] = [2, 3, 4, 5].flatMap { version in
    [false, true].flatMap { isBigEndian in
      [
        Shape(version: version, isBigEndian: isBigEndian, addressSize: 8),
        Shape(version: version, isBigEndian: isBigEndian, addressSize: 4),
        Shape(version: version, isBigEndian: isBigEndian, addressSize: 8, isWide: true),
      ]
    }
  }

  @Test("Every version, byte order, address size and format", arguments: shapes)
  func everyShape(shape: Shape) {
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(1, tag: T.unit, children: true, [(At.lowPC, F.addr)])
    abbreviations.abbreviation(
      2, tag: T.subprogram, children: false,
      [(At.name, F.string), (At.lowPC, F.addr), (At.highPC, F.addr)])
    abbreviations.put(0)
    var info = DWARFBytes(isBigEndian: shape.isBigEndian)
    info.unit(isWide: shape.isWide) { unit in
      unitHeader(
        &unit, version: shape.version, addressSize: shape.addressSize, isWide: shape.isWide)
      let size = Int(shape.addressSize)
      unit.uleb(1)
      unit.number(0x40_0000, size: size)
      unit.uleb(2)
      unit.text("main")
      unit.number(0x40_1010, size: size)
      unit.number(0x40_1020, size: size)
      unit.put(0)
    }
    let sections = DWARFSections(
      info: info, abbreviations: abbreviations, endianness: shape.isBigEndian ? .big : .little,
      addressSize: Int(shape.addressSize))
    #expect(
      sections.functions(base: 0x40_0000, executable: [0x40_1000..<0x40_2000])
        == [FoundFunction("main", 0x1010, 0x1020)])
  }

  @Test("Indexed names, addresses and range lists, whose bases come after their use")
  func indexed() {
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(
      1, tag: T.unit, children: true,
      [
        (At.lowPC, F.addrx), (At.strOffsetsBase, F.secOffset), (At.addrBase, F.secOffset),
        (At.rnglistsBase, F.secOffset),
      ])
    abbreviations.abbreviation(
      2, tag: T.subprogram, children: false, [(At.linkageName, F.strx1), (At.ranges, F.rnglistx)])
    abbreviations.abbreviation(
      3, tag: T.subprogram, children: false,
      [(At.name, F.strx), (At.lowPC, F.addrx), (At.highPC, F.data4)])
    abbreviations.put(0)
    var info = DWARFBytes()
    info.unit { unit in
      unitHeader(&unit, version: 5)
      unit.put(1, 0)
      unit.u32(8)
      unit.u32(8)
      unit.u32(12)
      unit.put(2, 1, 0)  // string 1, list 0
      unit.put(3, 0, 1)  // string 0, address 1
      unit.u32(0x20)
      unit.put(0)
    }
    var sections = DWARFSections(info: info, abbreviations: abbreviations)
    var strings = DWARFBytes()
    strings.text("first")
    strings.text("second")
    var offsets = DWARFBytes()
    offsets.put([0, 0, 0, 0, 5, 0, 0, 0])
    offsets.u32(0)
    offsets.u32(6)
    var addresses = DWARFBytes()
    addresses.put([0, 0, 0, 0, 5, 0, 8, 0])
    addresses.u64(0x2000)
    addresses.u64(0x3000)
    var lists = DWARFBytes()
    lists.put([0, 0, 0, 0, 5, 0, 8, 0, 1, 0, 0, 0])
    lists.u32(4)
    lists.put(0x04, 0x10, 0x20)  // offsets from the unit's base
    lists.put(0x01, 1, 0x04, 0, 8)  // base: address 1
    lists.put(0x03, 1, 0x40)  // start: address 1, length
    lists.put(0x05)
    lists.u64(0x4000)
    lists.put(0x04, 1, 2)
    lists.put(0x06)
    lists.u64(0x5000)
    lists.u64(0x5008)
    lists.put(0x07)
    lists.u64(0x6000)
    lists.put(0x10)
    lists.put(0x02, 0, 1)
    lists.put(0x00)
    sections.strings = ByteView(strings.bytes)
    sections.stringOffsets = ByteView(offsets.bytes)
    sections.addresses = ByteView(addresses.bytes)
    sections.rangeLists = ByteView(lists.bytes)
    #expect(
      sections.functions() == [
        FoundFunction("second", 0x2010, 0x2020), FoundFunction("second", 0x3000, 0x3008),
        FoundFunction("second", 0x3000, 0x3040), FoundFunction("second", 0x4001, 0x4002),
        FoundFunction("second", 0x5000, 0x5008), FoundFunction("second", 0x6000, 0x6010),
        FoundFunction("second", 0x2000, 0x3000), FoundFunction("first", 0x3000, 0x3020),
      ])
  }

  @Test("Constants in the abbreviation, forms named in the entry, long blocks and numbers")
  func oddForms() {
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(1, tag: T.unit, children: true, [])
    // A variable that has to be skipped, with every kind of step.
    abbreviations.abbreviation(
      9, tag: T.variable, children: false,
      [
        (At.name, F.indirect), (0x02, F.exprloc), (0x49, F.ref4), (0x3a, 0x0a), (0x3b, 0x03),
        (0x3c, 0x04), (0x3d, 0x0d), (0x3e, 0x1e), (0x3f, F.string), (0x40, 0x19),
      ])
    abbreviations.uleb(2)
    abbreviations.uleb(T.subprogram)
    abbreviations.put(0)
    for (name, form) in [(At.declLine, F.implicitConst), (At.name, F.indirect)] {
      abbreviations.uleb(name)
      abbreviations.uleb(form)
      if form == F.implicitConst { abbreviations.sleb(77) }
    }
    for (name, form) in [(At.lowPC, F.addr), (At.highPC, F.udata)] {
      abbreviations.uleb(name)
      abbreviations.uleb(form)
    }
    abbreviations.put(0, 0, 0)
    var info = DWARFBytes()
    info.unit { unit in
      unitHeader(&unit, version: 5)
      unit.put(1)
      unit.put(9)
      unit.put(0x0b, 3)  // name: data1
      unit.put(0x82, 0x00, 1, 2)  // two bytes, their number written longer than needed
      unit.u32(0)
      unit.put(1, 9)
      unit.u16(1)
      unit.put(9)
      unit.u32(1)
      unit.put(9)
      unit.sleb(-100_000)
      unit.put([UInt8](repeating: 1, count: 16))
      unit.text("x")
      unit.put(2)
      unit.put(0x08)
      unit.text("here")
      unit.u64(0x1000)
      unit.uleb(0x321)
      unit.put(0)
    }
    let sections = DWARFSections(info: info, abbreviations: abbreviations)
    #expect(sections.functions() == [FoundFunction("here", 0x1000, 0x1321)])
    #expect(sections.tables().functions[0].line == 77)
  }

  /// A unit whose functions say what `body` writes; abbreviations: 2 function with children, 3
  /// inlined call with children, 4 declaration with linkage name, 5 function that specifies one, 6
  /// structure with children and sibling, 7 inlined call without code, 8 function with .debug_ranges.
  static func unit(
    language: UInt8 = 0x04, _ body: (inout DWARFBytes) -> Void
  ) -> DWARFSections {
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(
      1, tag: T.unit, children: true, [(At.lowPC, F.addr), (At.language, F.data1)])
    abbreviations.abbreviation(
      2, tag: T.subprogram, children: true,
      [(At.name, F.string), (At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.abbreviation(
      3, tag: T.inlined, children: true,
      [
        (At.abstractOrigin, F.ref4), (At.lowPC, F.addr), (At.highPC, F.data4),
        (At.callLine, F.data1),
      ])
    abbreviations.abbreviation(
      4, tag: T.subprogram, children: false,
      [(At.name, F.string), (At.linkageName, F.string), (At.declLine, F.data1)])
    abbreviations.abbreviation(
      5, tag: T.subprogram, children: false,
      [(At.specification, F.ref4), (At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.abbreviation(
      6, tag: T.structure, children: true, [(At.sibling, F.ref4)])
    abbreviations.abbreviation(
      7, tag: T.inlined, children: true, [(At.abstractOrigin, F.ref4)])
    abbreviations.abbreviation(
      8, tag: T.subprogram, children: false, [(At.name, F.string), (At.ranges, F.secOffset)])
    abbreviations.abbreviation(
      9, tag: T.subprogram, children: false,
      [(At.specification, F.refAddr), (At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.put(0)
    var info = DWARFBytes()
    info.unit { unit in
      unitHeader(&unit, version: 4)
      unit.put(1)
      unit.u64(0)
      unit.put(language)
      body(&unit)
      unit.put(0)
    }
    return DWARFSections(info: info, abbreviations: abbreviations)
  }

  /// Offset of the first entry below the root, in the unit.
  static let firstEntry: UInt64 = 4 + 7 + 10

  @Test("Inlined calls know what they are inlined into, whether or not that has code of its own")
  func inlining() {
    let sections = Self.unit { unit in
      unit.put(4)
      unit.text("helper")
      unit.text("_Z6helperv")
      unit.put(3)
      unit.put(2)
      unit.text("main")
      unit.u64(0x1000)
      unit.u32(0x100)
      unit.put(3)
      unit.u32(Self.firstEntry)
      unit.u64(0x1010)
      unit.u32(0x20)
      unit.put(5)
      unit.put(7)
      unit.u32(Self.firstEntry)
      unit.put(3)
      unit.u32(Self.firstEntry)
      unit.u64(0x1018)
      unit.u32(0x4)
      unit.put(6)
      unit.put(0, 0, 0, 0)
      unit.put(2)
      unit.text("next")
      unit.u64(0x1200)
      unit.u32(0x10)
      unit.put(0)
    }
    #expect(
      sections.functions() == [
        FoundFunction("main", 0x1000, 0x1100),
        FoundFunction("_Z6helperv", 0x1010, 0x1030, depth: 1),
        FoundFunction("_Z6helperv", 0x1018, 0x101c, depth: 3),
        FoundFunction("next", 0x1200, 0x1210),
      ])
    let tables = sections.tables()
    #expect(tables.functions.count == 3, "inlined calls share their function")
  }

  @Test("Functions inside types are found, except in C, whose types are skipped")
  func insideTypes() {
    for (language, names) in [(0x04, ["run"]), (0x0c, [])] as [(UInt8, [String])] {
      let sections = Self.unit(language: language) { unit in
        unit.put(6)
        // The sibling comes after the member function and the two ends.
        unit.u32(Self.firstEntry + 5 + 1 + 4 + 8 + 4 + 2)
        unit.put(2)
        unit.text("run")
        unit.u64(0x1000)
        unit.u32(0x10)
        unit.put(0, 0)
      }
      #expect(sections.functions().map(\.name) == names)
    }
  }

  /// A unit of namespaces and classes as gcc 12 writes one: functions that other units cannot name have no
  /// linkage name. The expected names are those that gdb 13.1 prints.
  static func scopes(
    language: UInt8, isWide: Bool = false, parts: Int = 1, hasSiblings: Bool = false
  ) -> DWARFSections {
    let sibling = hasSiblings ? [(At.declLine, F.data1), (At.sibling, F.ref4)] : []
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(1, tag: T.unit, children: true, [(At.language, F.data1)])
    abbreviations.abbreviation(2, tag: T.namespace, children: true, sibling + [(At.name, F.string)])
    abbreviations.abbreviation(3, tag: T.namespace, children: true, sibling)
    abbreviations.abbreviation(4, tag: T.structure, children: true, sibling + [(At.name, F.string)])
    abbreviations.abbreviation(
      5, tag: T.subprogram, children: false,
      [(At.name, F.string), (At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.abbreviation(6, tag: T.subprogram, children: false, [(At.name, F.string)])
    abbreviations.abbreviation(
      7, tag: T.subprogram, children: false,
      [(At.specification, F.ref4), (At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.abbreviation(
      8, tag: T.subprogram, children: false,
      [(At.name, F.string), (At.external, F.flagPresent), (At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.abbreviation(
      9, tag: T.subprogram, children: false,
      [(At.name, F.string), (At.linkageName, F.string), (At.lowPC, F.addr), (At.highPC, F.data4)])
    abbreviations.abbreviation(10, tag: T.structure, children: false, [(At.name, F.string)])
    abbreviations.abbreviation(
      11, tag: T.structure, children: true, sibling + [(At.specification, F.ref4)])
    abbreviations.put(0)
    var info = DWARFBytes()
    // Where each entry's sibling begins is known after the first turn.
    var siblings: [UInt64] = []
    for turn in 0..<(hasSiblings ? 2 : 1) {
      info = DWARFBytes()
      var number = 0
      for part in 0..<parts {
        info.unit { unit in
          unitHeader(&unit, version: 4)
          let base = UInt64(0x1000 + part * 0x400)
          func code(_ index: UInt64) {
            unit.u64(base + index * 0x10)
            unit.u32(8)
          }
          func place() -> UInt64 { UInt64(4 + unit.count) }
          /// An entry with children, which ``end(_:)`` closes.
          func begin(_ code: UInt8) -> Int {
            unit.put(code)
            guard hasSiblings else { return 0 }
            unit.put(1)
            unit.u32(turn > 0 ? siblings[number] : 0)
            if turn == 0 { siblings.append(0) }
            number += 1
            return number - 1
          }
          func end(_ entry: Int) {
            unit.put(0)
            if hasSiblings { siblings[entry] = place() }
          }
          unit.put(1, language)
          let audio = begin(2)
          unit.text("audio")
          unit.put(5)
          unit.text("init")
          code(0)
          let anonymous = begin(3)
          let worker = begin(4)
          unit.text("Worker")
          let run = place()
          unit.put(6)
          unit.text("run")
          end(worker)
          end(anonymous)
          let declared = place()
          unit.put(10)
          unit.text("Later")
          unit.put(8)
          unit.text("plain_c")
          code(1)
          unit.put(9)
          unit.text("global")
          unit.text("_ZN5audio6globalEv")
          code(2)
          end(audio)
          unit.put(7)
          unit.u32(run)
          code(3)
          let later = begin(11)
          unit.u32(declared)
          unit.put(5)
          unit.text("go")
          code(4)
          end(later)
          unit.put(5)
          unit.text("init")
          code(5)
          unit.put(0)
        }
      }
    }
    return DWARFSections(info: info, abbreviations: abbreviations)
  }

  @Test(
    "A name that linkers do not know has the namespaces and types around it, in C++ alone",
    arguments: [0x04, 0x11, 0x1a, 0x21, 0x2a, 0x2b, 0x3a, 0x02, 0x1c] as [UInt8])
  func scopedNames(language: UInt8) {
    let isScoped = ![0x02, 0x1c].contains(language)
    let names = Self.scopes(language: language).functions().map(\.name)
    #expect(
      names
        == [
          isScoped ? "audio::init" : "init", "plain_c", "_ZN5audio6globalEv",
          isScoped ? "audio::(anonymous namespace)::Worker::run" : "run",
          isScoped ? "audio::Later::go" : "go", "init",
        ].filter { language != 0x02 || $0 != "" })
  }

  @Test("Several threads combine the same names into one")
  func scopedNamesOfThreads() {
    let sections = Self.scopes(language: 4, parts: 8)
    var limits = DWARFLimits()
    limits.smallestShare = 64
    let space = CodeSpace(imageBase: 0, executable: [0x1000..<0x9000])
    func names(width: Int) -> [String] {
      let tables = CodeTables.reading(sections, space: space, limits: limits, width: width)
      return (0..<tables.codeRanges.count).map { index in
        let scope = tables.scopes[Int(tables.codeRanges[index].scope)]
        return sections.text(tables.functions[Int(scope.function)].name, of: tables)
      }
    }
    let one = names(width: 1)
    #expect(one.count == 48 && one.filter { $0 == "audio::init" }.count == 8)
    #expect(names(width: 4) == one)
  }

  @Test("Entries that give their siblings change no name")
  func scopedNamesBySiblings() {
    let known = Self.scopes(language: 4, parts: 12).functions().map(\.name)
    #expect(known.contains("audio::(anonymous namespace)::Worker::run"))
    #expect(known.contains("audio::Later::go") && known.contains("init"))
    let sections = Self.scopes(language: 4, parts: 12, hasSiblings: true)
    #expect(sections.functions().map(\.name) == known)
  }

  @Test("Too many bytes of such names leave the plain ones and a note")
  func scopedNameLimit() {
    let sections = Self.scopes(language: 4)
    var limits = DWARFLimits()
    limits.expansion = 0
    limits.slack = 20
    let tables = sections.tables(limits: limits)
    let names = (0..<tables.functions.count).map {
      sections.text(tables.functions[$0].name, of: tables)
    }
    #expect(names.contains("run") && names.contains("go"))
    #expect(tables.notes.lines.contains { $0.contains("names with their namespaces") })
  }

  @Test("Circular, dangling and very long references of names end the search")
  func cycles() {
    let start = Self.firstEntry
    let entry: UInt64 = 1 + 4 + 8 + 4
    let sections = Self.unit { unit in
      unit.put(5)
      unit.u32(start + entry)
      unit.u64(0x1000)
      unit.u32(0x10)
      unit.put(5)
      unit.u32(start)
      unit.u64(0x1010)
      unit.u32(0x10)
      unit.put(5)
      unit.u32(0xffff_fff0)
      unit.u64(0x1020)
      unit.u32(0x10)
      unit.put(9)
      unit.u32(0xffff_fff0)
      unit.u64(0x1030)
      unit.u32(0x10)
    }
    #expect(
      sections.functions() == [
        FoundFunction("", 0x1000, 0x1010), FoundFunction("", 0x1010, 0x1020),
        FoundFunction("", 0x1020, 0x1030), FoundFunction("", 0x1030, 0x1040),
      ])
  }

  @Test("Code dropped by a linker leaves nothing, and its inlined calls are dropped, too")
  func tombstones() {
    let sections = Self.unit { unit in
      for low in [0, UInt64.max, UInt64.max - 1, 1, 0x8_0000_0000, 0xa000] {
        unit.put(2)
        unit.text("dropped")
        unit.u64(low)
        unit.u32(0x5000)
        unit.put(3)
        unit.u32(Self.firstEntry)
        unit.u64(low &+ 0x1500)
        unit.u32(0x10)
        unit.put(1, 0, 0)
      }
      unit.put(2)
      unit.text("kept")
      unit.u64(0x1000)
      unit.u32(0x10)
      unit.put(0)
    }
    #expect(sections.functions() == [FoundFunction("kept", 0x1000, 0x1010)])
  }

  @Test(".debug_ranges: bases, tombstones of two kinds, an empty pair")
  func oldRanges() {
    var sections = Self.unit { unit in
      unit.put(8)
      unit.text("split")
      unit.u32(0)
    }
    var ranges = DWARFBytes()
    for (low, high) in [
      (0x2000, 0x2010), (.max, 0x3000), (0x10, 0x20), (0x30, 0x30), (.max, .max), (0x10, 0x20),
      (.max, 0), (1, 1), (.max - 1, .max - 1), (0x1000, 0x1008), (0, 0), (0x1100, 0x1200),
    ] as [(UInt64, UInt64)] {
      ranges.u64(low)
      ranges.u64(high)
    }
    sections.ranges = ByteView(ranges.bytes)
    #expect(
      sections.functions() == [
        FoundFunction("split", 0x2000, 0x2010), FoundFunction("split", 0x3010, 0x3020),
        FoundFunction("split", 0x1000, 0x1008),
      ])
    let tables = sections.tables()
    #expect(tables.scopes[0].callFileOrEntry == 0x2000, "the entry is the first range")
  }
}
