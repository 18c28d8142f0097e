import Bytes
import TestSupport
import Testing

@testable import DWARF

/// A row as a test sees it.
struct FoundRow: Equatable {
  var address: UInt32
  var file: String
  var line: UInt64
  var column: UInt64

  init(_ address: UInt32, _ file: String, _ line: UInt64, _ column: UInt64 = 0) {
    self.address = address
    self.file = file
    self.line = line
    self.column = column
  }
}

@Suite struct LineTests {
  /// The header of a program; line base -3, range 12, opcode base 13.
  static func table(
    version: UInt64, instructionLength: UInt8 = 1, operations: UInt8 = 1, lineRange: UInt8 = 12,
    files: (inout DWARFBytes) -> Void, program: (inout DWARFBytes) -> Void
  ) -> DWARFBytes {
    var line = DWARFBytes()
    line.unit { table in
      table.u16(version)
      if version >= 5 { table.put(8, 0) }
      table.unit { head in
        head.put(instructionLength)
        if version >= 4 { head.put(operations) }
        head.put(1, 0xfd, lineRange, 13)
        head.put([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
        files(&head)
      }
      program(&table)
    }
    return line
  }

  /// Directories "inc" and "/abs", files "a.c" in 0, "b.h" in 1, "c.h" in 2, "/d.h".
  static func oldFiles(_ head: inout DWARFBytes) {
    head.text("inc")
    head.text("/abs")
    head.put(0)
    for (name, directory) in [("a.c", 0), ("b.h", 1), ("c.h", 2), ("/d.h", 1)] as [(String, UInt8)]
    {
      head.text(name)
      head.put(directory, 0, 0)
    }
    head.put(0)
  }

  static func setAddress(_ program: inout DWARFBytes, _ address: UInt64) {
    program.put(0, 9, 2)
    program.u64(address)
  }

  /// The rows of each sequence, with an address at the end: the same whether the table is read with
  /// its unit or ahead of it.
  static func rows(
    _ line: DWARFBytes, version: UInt64 = 4, directory: String = "/proj",
    executable: [Range<UInt64>] = [0x1000..<0x9000], limits: DWARFLimits = DWARFLimits()
  ) -> [[FoundRow]] {
    var abbreviations = DWARFBytes()
    abbreviations.abbreviation(
      1, tag: T.unit, children: false, [(At.stmtList, F.secOffset), (At.compDir, F.string)])
    abbreviations.put(0)
    var info = DWARFBytes()
    info.unit { unit in
      unitHeader(&unit, version: version)
      unit.put(1)
      unit.u32(0)
      unit.text(directory)
    }
    var sections = DWARFSections(info: info, abbreviations: abbreviations, line: line)
    let rows = Self.rows(sections.tables(executable: executable, limits: limits))
    let space = CodeSpace(imageBase: 0, executable: executable)
    sections.linesAhead = LinePrefetch(sections, space: space, limits: limits) { true }
    #expect(Self.rows(sections.tables(executable: executable, limits: limits)) == rows)
    return rows
  }

  private static func rows(_ tables: borrowing CodeTables) -> [[FoundRow]] {
    (0..<tables.sequences.count).map { index in
      let sequence = tables.sequences[index]
      let first = Int(sequence.firstRow)
      var rows = (first..<(first + Int(sequence.rowCount))).map { row in
        let location = tables.rows[row].location
        var name = ""
        if location >> 42 > 0 {
          for byte in tables.files.range(of: Int(location >> 42) - 1) {
            name.unicodeScalars.append(UnicodeScalar(tables.files.bytes[byte]))
          }
        }
        return FoundRow(
          tables.rows[row].address, name, location >> 16 & 0x3ff_ffff, location & 0xffff)
      }
      rows.append(FoundRow(sequence.end, "end", 0))
      return rows
    }
  }

  @Test("Versions 2 to 4: files from 1, relative directories after the compilation directory")
  func oldDirectories() {
    for version in [2, 3, 4] as [UInt64] {
      let line = Self.table(version: version, files: Self.oldFiles) { program in
        Self.setAddress(&program, 0x1000)
        program.put(1)
        for file in [2, 3, 4, 5, 0] as [UInt8] { program.put(4, file, 2, 1, 1) }
        program.put(2, 1, 0, 1, 1)
      }
      #expect(
        Self.rows(line) == [
          [
            FoundRow(0x1000, "/proj/a.c", 1), FoundRow(0x1001, "/proj/inc/b.h", 1),
            FoundRow(0x1002, "/abs/c.h", 1), FoundRow(0x1003, "/d.h", 1), FoundRow(0x1004, "", 0),
            FoundRow(0x1006, "end", 0),
          ]
        ])
    }
  }

  @Test("Two files of a table with the same path are one, and one added by the program is a file")
  func equalFiles() {
    for adds in [false, true] {
      let line = Self.table(
        version: 4,
        files: { head in
          head.put(0)
          for _ in 0..<2 {
            head.text("a.c")
            head.put(0, 0, 0)
          }
          head.put(0)
        },
        program: { program in
          Self.setAddress(&program, 0x1000)
          program.put(1, 4, 2, 2, 1, 1)
          if adds { program.put(0, 7, 3, 0x62, 0x2e, 0x63, 0, 0, 0, 4, 3) }
          program.put(2, 1, 1, 2, 1, 0, 1, 1)
        })
      let first = FoundRow(0x1000, "/proj/a.c", 1)
      let end = FoundRow(0x1003, "end", 0)
      #expect(
        Self.rows(line) == [adds ? [first, FoundRow(0x1002, "/proj/b.c", 1), end] : [first, end]])
    }
  }

  @Test("Version 5: files from 0, directory 0 unchanged, checksums skipped")
  func newDirectories() {
    let line = Self.table(
      version: 5,
      files: { head in
        head.put(1, 1, 0x08)
        head.put(3)
        for name in ["/proj", "inc", "/abs"] { head.text(name) }
        head.put(3, 1, 0x08, 2, 0x0b, 5, 0x1e)
        head.put(4)
        for (name, directory) in [("a.c", 0), ("b.h", 1), ("c.h", 2), ("/d.h", 0)]
          as [(String, UInt8)]
        {
          head.text(name)
          head.put(directory)
          head.put([UInt8](repeating: 0xab, count: 16))
        }
      },
      program: { program in
        Self.setAddress(&program, 0x1000)
        for file in 0..<5 as Range<UInt8> { program.put(4, file, 1, 2, 1) }
        program.put(0, 1, 1)
      })
    #expect(
      Self.rows(line, version: 5, directory: "/other") == [
        [
          FoundRow(0x1000, "/proj/a.c", 1), FoundRow(0x1001, "/other/inc/b.h", 1),
          FoundRow(0x1002, "/abs/c.h", 1), FoundRow(0x1003, "/d.h", 1), FoundRow(0x1004, "", 0),
          FoundRow(0x1005, "end", 0),
        ]
      ])
  }

  @Test("Special opcodes, advances of every kind, columns, and rows that change nothing")
  func opcodes() {
    let line = Self.table(version: 4, instructionLength: 4, files: Self.oldFiles) { program in
      Self.setAddress(&program, 0x1000)
      program.put(5, 7)  // column 7
      program.put(13 + 3 + 12 * 2)  // address +8, line +0
      program.put(13 + 3 + 12)  // address +4, line +0: the same location
      program.put(3, 0x7e)  // line -2, to below zero and back
      program.put(3, 12)
      program.put(8)  // address by opcode 255: 20 steps
      program.put(1)
      program.put(9)
      program.u16(3)
      program.put(6, 7, 10, 11, 12, 5)
      program.put(0, 2, 4, 9)  // discriminator
      program.put(13 + 3 + 5)
      program.put(0, 1, 1)
    }
    #expect(
      Self.rows(line)
        == [
          [
            FoundRow(0x1008, "/proj/a.c", 1, 7), FoundRow(0x105c, "/proj/a.c", 11, 7),
            FoundRow(0x105f, "/proj/a.c", 16, 7), FoundRow(0x105f, "end", 0),
          ]
        ].map { rows in rows.dropLast() + [FoundRow(0x105f, "end", 0)] })
  }

  @Test("Of rows at one address the last counts; several operations share an instruction")
  func sameAddress() {
    let line = Self.table(
      version: 4, instructionLength: 16, operations: 3, files: Self.oldFiles
    ) { program in
      Self.setAddress(&program, 0x1000)
      program.put(1, 3, 4, 1)  // lines 1 and 5 at 0x1000
      program.put(2, 2, 3, 1, 1)  // operation 2: the same address
      program.put(2, 1, 3, 1, 1)  // operation 0 of the next instruction
      program.put(2, 3, 0, 1, 1)
    }
    #expect(
      Self.rows(line) == [
        [
          FoundRow(0x1000, "/proj/a.c", 6), FoundRow(0x1010, "/proj/a.c", 7),
          FoundRow(0x1020, "end", 0),
        ]
      ])
  }

  @Test("Sequences end where they say; dropped, empty and unended ones; going backwards")
  func sequences() {
    let line = Self.table(version: 4, files: Self.oldFiles) { program in
      Self.setAddress(&program, 0x3000)
      program.put(1, 2, 0x10, 0, 1, 1)
      for dropped in [0, UInt64.max, 0x20_0000] {
        Self.setAddress(&program, dropped)
        program.put(1, 2, 0x10, 0, 1, 1)
      }
      Self.setAddress(&program, 0x2000)  // empty
      program.put(1, 0, 1, 1)
      Self.setAddress(&program, 0x1100)
      program.put(3, 1, 1, 2, 8, 3, 1, 1)
      Self.setAddress(&program, 0x1000)  // backwards, without an end
      program.put(1, 2, 8, 3, 1, 1)
    }
    #expect(
      Self.rows(line) == [
        [FoundRow(0x3000, "/proj/a.c", 1), FoundRow(0x3010, "end", 0)],
        [
          FoundRow(0x1100, "/proj/a.c", 2), FoundRow(0x1108, "/proj/a.c", 3),
          FoundRow(0x1108, "end", 0),
        ],
        [
          FoundRow(0x1000, "/proj/a.c", 3), FoundRow(0x1008, "/proj/a.c", 4),
          FoundRow(0x1008, "end", 0),
        ],
      ])
  }

  @Test("Rows end at the limit, at the address of the first that is one too many")
  func rowLimit() {
    let line = Self.table(version: 4, files: Self.oldFiles) { program in
      for start in [0x1000, 0x2000] as [UInt64] {
        Self.setAddress(&program, start)
        // Each a byte and a line further.
        program.put(1, 29, 29, 29, 2, 1, 0, 1, 1)
      }
    }
    var limits = DWARFLimits()
    limits.rows = 6
    #expect(
      Self.rows(line, limits: limits)
        == [0x1000, 0x2000].map { (start: UInt32) in
          let count: UInt32 = start == 0x1000 ? 4 : 2
          return (0..<count).map { FoundRow(start + $0, "/proj/a.c", UInt64($0) + 1) }
            + [FoundRow(start + count, "end", 0)]
        })
  }

  @Test("Counts beyond any table, a line range of 0, unknown opcodes", arguments: 0..<3)
  func hostile(kind: Int) {
    switch kind {
    case 0:
      let line = Self.table(
        version: 5,
        files: { head in
          head.put(0)
          head.uleb(0xffff_ffff)
          head.put(1, 1, 0x19)
          head.uleb(0xffff_ffff_ffff)
        },
        program: { Self.setAddress(&$0, 0x1000) })
      #expect(Self.rows(line, version: 5).isEmpty)
    case 1:
      let line = Self.table(version: 4, lineRange: 0, files: Self.oldFiles) { program in
        Self.setAddress(&program, 0x1000)
        program.put(1, 200, 2, 4, 0, 1, 1)
      }
      _ = Self.rows(line)
    default:
      let line = Self.table(version: 4, files: Self.oldFiles) { program in
        Self.setAddress(&program, 0x1000)
        program.put(1, 0, 0x7f, 9)
      }
      _ = Self.rows(line)
    }
  }
}
