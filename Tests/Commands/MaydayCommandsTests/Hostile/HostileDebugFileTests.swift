import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Malicious debug files: each gets a verdict with file, structure and offset, in a short time.
@Suite("Hostile debug files", .serialized)
struct HostileDebugFileTests {
  private let folder = ScratchFolder()

  /// Looks up an address in a file with these bytes; the symbol, which is valid, must be found.
  private func lookUp(_ bytes: [UInt8], telling words: String) {
    let file = folder.write("liar", bytes)
    var run: Run?
    let time = seconds {
      run = Run(megabytes: 1_000, ["lookup", "--object", file, "0x1010", "0x1ff0"])
    }
    guard let run else {
      Issue.record("nothing ran")
      return
    }
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("covers"), "\(run.output)")
    #expect(run.errors.contains(file) && run.errors.contains(words), "\(run.errors)")
    #expect(time < 20)
    let added = Run(["symbols", "add", file, "--home", folder.path("home")])
    #expect(added.status == 0, "\(added.errors)")
  }

  @Test("Origins that refer to themselves and to each other end")
  func cycles() {
    var object = HostileObject()
    object.abbreviations = HostileObject.usualAbbreviations
    let first = HostileObject.firstEntry
    object.unit { unit in
      // Each entry of kind 4 has 25 bytes: it refers to itself, to the next and to the one before.
      for (specification, origin) in [
        (first, first), (first + 50, first + 50), (first + 25, first),
      ] {
        unit.put(4)
        unit.u32(specification)
        unit.u64(0x1000)
        unit.u64(0x1000)
        unit.u32(origin)
      }
      // Nested inlined calls whose functions are those calls.
      for _ in 0..<5_000 {
        unit.put(3)
        unit.u32(first + 75)
        unit.u64(0x1000)
        unit.u64(0x1000)
        unit.put(1, 1)
      }
    }
    lookUp(object.build(), telling: "debug info: ")
  }

  @Test("Units that overlap, or extend past the end, are lost, and no others")
  func overlapping() {
    var object = HostileObject()
    object.abbreviations = HostileObject.usualAbbreviations
    object.unit(length: 20) { $0.put([UInt8](repeating: 2, count: 100)) }
    object.unit(length: 0xffff_ffef) { $0.put([UInt8](repeating: 4, count: 1_000)) }
    lookUp(object.build(), telling: "debug info: ")
  }

  @Test("A unit of 4 billion bytes, in either form of its length")
  func longUnits() {
    for wide in [false, true] {
      var object = HostileObject()
      object.abbreviations = HostileObject.usualAbbreviations
      if wide {
        object.info.u32(0xffff_ffff)
        object.info.u64(.max)
      } else {
        object.info.u32(0xffff_fff0)
      }
      object.info.put([UInt8](repeating: 4, count: 64))
      lookUp(object.build(), telling: "debug info: ")
    }
  }

  @Test("An abbreviation table without an end, and one whose attributes never end")
  func abbreviations() {
    var endless = HostileObject()
    for code in 1...200_000 as ClosedRange<UInt64> {
      endless.abbreviations.abbreviation(code, tag: 0x11, children: true, [])
    }
    endless.unit { $0.put([UInt8](repeating: 1, count: 2_000)) }
    var attributes = HostileObject()
    attributes.abbreviations.put(1, 0x11, 1)
    attributes.abbreviations.put([UInt8](repeating: 0x0b, count: 1_000_001))
    attributes.unit { $0.put(1) }
    var numbers = HostileObject()
    numbers.abbreviations.put([UInt8](repeating: 0xff, count: 100_000))
    numbers.unit { $0.put(1) }
    for object in [attributes, numbers] { lookUp(object.build(), telling: "debug info: ") }
    let file = folder.write("endless", endless.build())
    let run = Run(megabytes: 1_000, ["lookup", "--object", file, "0x1010"])
    #expect(run.status == 0 && run.output.contains("covers"), "\(run.errors)")
  }

  @Test("A line program that never ends its sequence is reported")
  func lines() {
    for (name, program) in [
      ("endless", [UInt8](repeating: 0x20, count: 100_000)),
      (
        "advancing",
        Array(repeatElement([0x02, 0xff, 0xff, 0xff, 0x7f, 0x01], count: 9_000).joined())
      ),
    ] {
      var object = HostileObject()
      object.abbreviations = HostileObject.usualAbbreviations
      object.unit { unit in
        unit.put(2)
        unit.text("covers")
        unit.u64(0x1000)
        unit.u64(0x1000)
        unit.put(0, 0)
      }
      object.line.unit { line in
        line.u16(4)
        var header = DWARFBytes()
        header.put(1, 1, 1, 0xfb, 14, 13)
        header.put([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
        header.put(0)
        header.text("a.c")
        header.put(0, 0, 0, 0)
        line.u32(UInt64(header.count))
        line.put(header.bytes)
        line.put(0, 9, 2)
        line.u64(0x1000)
        line.put(program)
      }
      let file = folder.write(name, object.build())
      let run = Run(megabytes: 1_000, ["lookup", "--object", file, "0x1010"])
      #expect(run.status == 0 && run.output.contains("covers"), "\(run.output)")
      // Beyond the range of a cache there is nothing whose end could be missing.
      let note = "\(file): line table: the last sequence has no end at 0x"
      #expect(run.errors.contains(note) == (name == "endless"), "\(name): \(run.errors)")
    }
  }

  @Test("Counts of 4 billion and offsets past the end are refusals with structure and place")
  func counts() {
    var sections = ObjectBuilderELF()
    sections.hidesSectionCount = true
    sections.sectionCount = 0xffff_ffff
    var offset = ObjectBuilderELF()
    offset.sections = [.init(".debug_info", contents: [1, 2, 3], offset: 0xffff_ffff_0000)]
    var symbols = ObjectBuilderMachO()
    symbols.uuid = Array(repeating: 7, count: 16)
    symbols.symbols = [.init("_f", 0x1000)]
    symbols.symbolCount = 0xffff_ffff
    var commands = ObjectBuilderMachO()
    commands.uuid = Array(repeating: 7, count: 16)
    commands.commandCount = 0xffff_ffff
    for (name, bytes) in [
      ("sections", sections.build()), ("offset", offset.build()), ("symbols", symbols.build()),
      ("commands", commands.build()),
    ] {
      let file = folder.write(name, bytes)
      let run = Run(megabytes: 1_000, ["lookup", "--object", file, "0x1010"])
      #expect(run.errors.contains(file), "\(name): \(run.status) \(run.errors)")
      #expect(run.errors.contains("0x"), "\(name): \(run.status) \(run.errors)")
      let added = Run(["symbols", "add", file, "--home", folder.path("home")])
      #expect(
        added.status == 6 || name == "offset" || name == "symbols", "\(name): \(added.output)")
    }
  }

  @Test("A debug file of 5 GB is refused by its size, and nothing of it is stored")
  func sparse() throws {
    let bytes = try Samples.contents(of: Samples.tern)
    let file = folder.sparse("in/huge.debug", bytes, size: 5 << 30)
    let good = folder.write("in/good.debug", bytes)
    let reason = "5368709120 bytes exceed the limit of 4294967296"
    let time = seconds {
      let lookUp = Run(["lookup", "--object", file, "0x1139"])
      #expect(lookUp.status == 1 && lookUp.errors.contains("huge.debug: \(reason)"))
      let added = Run([
        "symbols", "add", folder.path("in"), "--home", folder.path("home"), "--json",
      ])
      #expect(added.status == 6, "\(added.errors)")
      let verdicts = added.json.array ?? []
      #expect(verdicts.contains { $0["file"]?.string == good && $0["verdict"]?.string == "added" })
      #expect(verdicts.contains { $0["file"]?.string == file && $0["reason"]?.string == reason })
      let triage = Run(
        ["triage", Samples.path(Samples.apple), "--symbols", file, "--json"])
      #expect(triage.status == 0 && triage.reportCount == 1)
      #expect(triage.json["refused_symbols"]?[0]?["reason"]?.string == reason)
    }
    #expect(time < 20)
  }

  @Test("Empty and truncated files, and valid ones beside them")
  func truncated() throws {
    let bytes = try Samples.contents(of: Samples.tern)
    folder.write("in/empty", [])
    for count in [3, 63, 64, 200, bytes.count / 2, bytes.count - 1] {
      folder.write("in/cut-\(count)", bytes.prefix(count))
    }
    folder.write("in/whole", bytes)
    let run = Run(["symbols", "add", folder.path("in"), "--home", folder.path("home"), "--json"])
    #expect(run.status == 6, "\(run.errors)")
    let verdicts = run.json.array ?? []
    for verdict in verdicts where verdict["verdict"]?.string == "refused" {
      let reason = verdict["reason"]?.string ?? ""
      #expect(reason.contains("0x") || reason.contains("stripped"), "\(reason)")
    }
    #expect(verdicts.filter { $0["verdict"]?.string == "refused" }.count >= 4)
    #expect(
      verdicts.contains {
        $0["file"]?.string == folder.path("in/whole") && $0["verdict"]?.string == "added"
      })
  }
}
