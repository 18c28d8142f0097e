import Bytes
import Compression
import TestSupport
import Testing

@testable import ObjectFormats

/// Whatever the headers contain, reading ends with a result or an error.
@Suite struct DamageTests {
  static let samples: [[UInt8]] = {
    var full = ELFTests.program()
    full.sections += [
      .init(
        ".debug_info", flags: 0x800,
        contents: full.compressionHeader(type: 1, size: 5)
          + ELFCompressionTests.zlib([1, 2, 3, 4, 5])),
      .init(".gnu_debuglink", contents: [0x61, 0, 0, 0, 1, 2, 3, 4]),
      .init(
        ".gnu_debugdata", contents: ObjectBuilderXZ.stored(ELFTests.program().build())),
    ]
    full.segments.append(.init(type: 4, address: 0))
    full.segments.append(.init(type: 2, address: 0))
    var relocatable = full
    relocatable.type = 1
    relocatable.sections.append(
      .init(
        ".rela.text", type: 4, contents: full.relocations([(0, 1, 1, 2), (9, 2, 10, 3)]), link: 4,
        info: 6))
    var bare = full
    bare.writesSectionHeaders = false
    var machO = MachOTests.program()
    machO.functionStarts = [0x80, 0x08, 0x10, 0x10, 0x18, 0]
    return [
      full.build(), bare.build(), relocatable.build(),
      ELFTests.program(is64: false, isBigEndian: true).build(),
      machO.build(), MachOTests.program(is64: false, isBigEndian: true).build(),
      ObjectBuilderMachO.universal([machO.build(), machO.build()]),
      DebugMapTests.program().build(), WasmTests.module().build(),
    ]
  }()

  /// Reads everything from an object.
  private func exhaust(_ bytes: [UInt8]) {
    guard let slices = try? ObjectFile.slices(in: ByteView(bytes)) else { return }
    for case .success(let object) in slices {
      _ = try? object.symbolTable()
      _ = object.hasSymbols
      for section in object.sections { _ = try? object.contents(of: section) }
      _ = object.section(named: "debug_info")
      guard let map = try? object.machO?.debugMap() else { continue }
      for part in map.objects {
        _ = map.path(of: part)
        for function in part.functions { _ = map.name(of: function) }
        let files = DebugMap.ObjectFiles(ByteView(bytes), architecture: object.architecture)
        _ = files.objectFile(
          member: DebugMap.ObjectLocation(map.path(of: part)).member, modified: part.modified)
      }
    }
  }

  @Test("Each prefix", arguments: samples.indices)
  func prefixes(sample: Int) {
    let bytes = Self.samples[sample]
    for end in 0...bytes.count { exhaust(Array(bytes[..<end])) }
  }

  @Test("Seeded mutations", arguments: samples.indices)
  func mutations(sample: Int) {
    for copy in Mutator.binary(Self.samples[sample], count: 600, seed: UInt64(sample)) {
      exhaust(copy)
    }
  }

  @Test("Headers of all ones", arguments: samples.indices)
  func ones(sample: Int) {
    let bytes = Self.samples[sample]
    for start in stride(from: 4, to: min(bytes.count, 600), by: 2) {
      for count in [2, 4, 8] {
        var copy = bytes
        for index in start..<min(start + count, copy.count) { copy[index] = 0xff }
        exhaust(copy)
      }
    }
  }

  @Test("A truncated ELF file has lost its section headers, which is an error")
  func cut() {
    let bytes = ELFTests.program().build()
    for end in 0..<bytes.count {
      #expect(throws: ParseError.self) {
        try ObjectFile.objects(in: ByteView(bytes[..<end]))
      }
    }
  }

  @Test("Counts of billions are errors")
  func counts() throws {
    var file = ELFTests.program()
    file.hidesSectionCount = true
    for count in [1 << 20, 4_000_000_000, Int.max] {
      file.sectionCount = count
      #expect(throws: ParseError.self) {
        try ObjectFile.objects(in: ByteView(file.build()))
      }
    }
    var machO = MachOTests.program()
    machO.symbolCount = 0xffff_ffff
    let object = try MachOTests.object(machO)
    #expect(throws: ParseError.self) { try object.symbolTable() }
    #expect(!object.hasSymbols)
    machO.commandCount = 0xffff_ffff
    #expect(throws: ParseError.self) { try ObjectFile.objects(in: ByteView(machO.build())) }
  }

  @Test("A section past the end is an error when it is read")
  func pastTheEnd() throws {
    for (offset, size) in [(1 << 40, 1), (0, 1 << 40), (UInt64.max, 2), (8, .max)] {
      var file = ELFTests.program()
      file.sections.append(
        .init(".debug_info", contents: [1], size: UInt64(size), offset: UInt64(offset)))
      let object = try ELFTests.object(file)
      let section = try #require(object.section(named: "debug_info"))
      #expect(throws: ParseError.self) { try object.contents(of: section) }
    }
  }

  @Test("Many symbols that share one endless name are bounded")
  func sharedNames() throws {
    var names = SymbolNameReader(ByteView([UInt8](repeating: 0x61, count: 1 << 20) + [0]))
    #expect(throws: ParseError.self) {
      for _ in 0..<2000 { _ = try names.count(at: 0) }
    }
  }
}
