import Bytes
import CrashModel
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Mappings of minidumps")
struct MinidumpMappingTests {
  private func memory(_ dump: MinidumpBuilder) throws -> ProcessMemory {
    let reports = try FormatRegistry.builtIn.reports(in: ByteView(dump.bytes()))
    return try #require(reports.first?.memory)
  }

  @Test("Windows lists which pages are free, reserved, guarded, readable or executable")
  func information() throws {
    var dump = MinidumpBuilder()
    dump.system(platform: 2, text: "")
    dump.memoryInformation([
      (0, 0x1_0000, 0x1_0000, 1), (0x1_0000, 0x1000, 0x1000, 0x20),
      (0x1_1000, 0x1000, 0x1000, 0x104),
      (0x1_2000, 0x1000, 0x1000, 4), (0x1_3000, 0x1000, 0x2000, 0),
      (0xffff_ffff_ffff_0000, .max, 0x1_0000, 1),
    ])
    let memory = try memory(dump)
    #expect(memory.hasAllMappings)
    #expect(memory.mapping(at: 0x10)?.state == .free)
    #expect(memory.mapping(at: 0x1_0fff)?.protection == [.read, .execute])
    #expect(memory.mapping(at: 0x1_1000)?.state == .guarded)
    #expect(memory.mapping(at: 0x1_2000)?.protection == [.read, .write])
    #expect(memory.mapping(at: 0x1_3000)?.state == .reserved)
    #expect(memory.mapping(at: 0x2_0000) == nil)
    #expect(memory.mapping(at: 0xffff_ffff_ffff_1000)?.end == .max)
  }

  @Test("Linux lists them in the text of /proc/PID/maps")
  func maps() throws {
    let text = """
      00400000-00452000 r-xp 00000000 08:02 173521      /opt/tern/bird app
      7ffc1000-7ffc2000 ---p 00000000 00:00 0
      7ffc2000-7ffd0000 rw-p 00000000 00:00 0           [stack]

      """
    for (part, isWhole) in [(text, true), (String(text.dropLast(2)), false)] {
      var dump = MinidumpBuilder()
      dump.system()
      dump.stream(0x4767_0009, Array(part.utf8))
      let memory = try memory(dump)
      #expect(memory.hasAllMappings == isWhole)
      #expect(memory.mappings.count == 3)
      #expect(memory.mapping(at: 0x40_0000)?.name == "/opt/tern/bird app")
      #expect(memory.mapping(at: 0x40_0000)?.protection == [.read, .execute])
      #expect(memory.mapping(at: 0x7ffc_1000)?.protection == [])
      #expect(memory.mapping(at: 0x7ffc_1000)?.state == .mapped)
      #expect(memory.mapping(at: 0x7ffd_0000) == nil)
    }
  }

  @Test("Overlapping mappings are truncated, damaged lists are known to be incomplete")
  func damage() throws {
    var dump = MinidumpBuilder()
    dump.system()
    dump.memoryInformation([
      (0x2000, 0x2000, 0x1000, 4), (0x1000, 0x1800, 0x1000, 2), (0x2100, 0x10, 0x1000, 0x40),
    ])
    let memory = try memory(dump)
    #expect(memory.mappings.map(\.start) == [0x1000, 0x2800])
    for counts in [(16, 48, UInt64.max), (16, 0, 3), (0xffff_ffff, 48, 3), (16, 0xffff_ffff, 3)]
      as [(UInt64, UInt64, UInt64)]
    {
      var dump = MinidumpBuilder()
      dump.system()
      dump.stream(
        16,
        dump.numbers((counts.0, 4), (counts.1, 4), (counts.2, 8)) + [UInt8](repeating: 1, count: 96)
      )
      #expect(try !self.memory(dump).hasAllMappings)
    }
  }
}
