import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

/// Mayday's own output for a report is read again.
@Suite("Reports that are read back")
struct ReadBackTests {
  private func dump() throws -> CrashReport {
    let path = Samples.path("minidump/null-read-1.1.0-gcc-O2.dmp")
    let bytes = try ByteView(reading: path, limit: 1 << 24)
    return try #require(try FormatRegistry.builtIn.reports(in: bytes).first)
  }

  @Test("The document of a report is the report")
  func document() throws {
    let text = try LogReaderChecks.sample("report-document/null-read-1.1.0-gcc-O2.json")
    let report = try LogReaderChecks.only(text)
    let dump = try dump()
    #expect(report.format == dump.format && report.kind == dump.kind)
    #expect(report.app == dump.app && report.os == dump.os && report.time == dump.time)
    #expect(report.incident == dump.incident && report.process == dump.process)
    #expect(report.reason.signal == dump.reason.signal && report.tags == dump.tags)
    #expect(report.images.map(\.debugID) == dump.images.map(\.debugID))
    #expect(report.images.map(\.base) == dump.images.map(\.base))
    // What debug files told that may be missing here is kept.
    #expect(Set(report.images.map { $0.symbols?.verdict }) == [nil, .found])
    #expect(report.signature == nil && report.engine == nil)
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.inlined) == [true, true, false, false, false, false, false, false])
    #expect(frames[2].file == "/app/src/basket.cpp" && frames[2].line == 11)
    // A stored report's document is in archives, beside the submission.
    let stored = text.replacing(#""kind": "crash","#, with: #""kind": "crash", "received": "","#)
    #expect(try stored != text && LogReaderChecks.reports(stored).isEmpty)
    let list = try LogReaderChecks.reports("[\(text), \(text)]")
    #expect(list == [report, report])
  }

  @Test("A document with dangling references is read without them")
  func damagedDocument() throws {
    let report = try LogReaderChecks.only(
      """
      {"schema": 1, "id": "00", "format": "sanitizer", "kind": "crash", "crashed_thread": 7,
       "threads": [{"index": 0, "frames": [{"image": 9, "image_offset": "0x1", "function": "pay"}]}],
       "images": [], "attachments": [{"name": "a.log"}]}
      """)
    #expect(report.crashedThread == nil && report.attachments.isEmpty)
    #expect(report.threads.first?.frames.first?.image == nil)
    let later = #expect(throws: ParseError.self) {
      try FormatRegistry.builtIn.reports(
        in: ByteView(#"{"schema": 99, "id": "00", "format": "sanitizer"}"#.utf8))
    }
    #expect(later?.description.contains("schema 99") == true)
    let bytes = Array(
      try LogReaderChecks.sample("report-document/null-read-1.1.0-gcc-O2.json").utf8)
    var mutator = Mutator(seed: 3)
    for copy in mutator.copies(of: bytes, count: 40) {
      _ = try? FormatRegistry.builtIn.reports(in: ByteView(copy))
    }
  }

  @Test("The text of minidump-stackwalk is the report")
  func text() throws {
    let report = try LogReaderChecks.only(
      try LogReaderChecks.sample("stackwalk/null-read-1.1.0-gcc-O2.txt"))
    let dump = try dump()
    #expect(report.format == .stackwalk && report.notes.isEmpty)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.code == "SEGV_MAPERR")
    #expect(report.reason.address == dump.reason.address && report.os == dump.os)
    #expect(report.app.name == "tern" && report.process.name == "tern")
    #expect(report.threads.map(\.id) == dump.threads.map(\.id) && report.crashedThread == 0)
    #expect(Set(report.images.map(\.name)) == Set(dump.images.map(\.name)))
    let frames = try #require(report.threads.first?.frames)
    #expect(
      frames.map(\.function) == [
        "tern::times(tern::Money, int)", "tern::lineTotal(tern::Line const&)",
        "tern::Basket::total() const", frames[3].function, "main", nil, nil, "_start",
      ])
    #expect(frames.map(\.line) == [16, 15, 11, 31, 143, nil, nil, nil])
    #expect(frames.map(\.inlined) == [true, true, false, false, false, false, false, false])
    #expect(frames[0].position == .exact && frames[0].imageOffset == frames[2].imageOffset)
    #expect(frames[5].position == .returnAddress && frames[5].imageOffset == ImageOffset(0x2724a))
    #expect(frames[7].symbolOffset == 0x21)
    let own = report.threads[0].registers
    #expect(own.count == 17 && own.allSatisfy { dump.threads[0].registers.contains($0) })
  }

  @Test("Breakpad's text: offsets of calls, modules without symbols, several threads")
  func breakpad() throws {
    let report = try LogReaderChecks.only(
      """
      Operating system: Windows NT
                        10.0.22631 3880
      CPU: amd64
           family 25 model 33 stepping 2
           16 CPUs

      GPU: UNKNOWN

      Crash reason:  EXCEPTION_ACCESS_VIOLATION_READ
      Crash address: 0x18
      Process uptime: 93 seconds

      Thread 7 Till (crashed)
       0  terncore.dll!tern::Till::pay() [till.cc : 212 + 0x4]
          rax = 0x0000000000000000   rip = 0x00007ff81b2c3fb6
          Found by: given as instruction pointer in context
       1  terncore.dll!tern::Desk::open(float) [desk.cc : 88 + 0x7]
          Found by: call frame info
       2  kernel32.dll + 0x1257d
          Found by: stack scanning

      Thread 0
       0  ntdll.dll + 0x9f8c4
          rip = 0x00007ffa1c2bf8c4
          Found by: given as instruction pointer in context

      Loaded modules:
      0x7ff81afb0000 - 0x7ff81b9affff  terncore.dll  2.16.50.0  (WARNING: No symbols, terncore.pdb, 0A1B2C3D4E5F60718293A4B5C6D7E8F91)
      0x7ffa1c220000 - 0x7ffa1c436fff  ntdll.dll  10.0.22621.3880
      and this is no module
      """)
    #expect(report.os.name == "Windows" && report.os.build == "3880")
    #expect(report.reason.type == "EXCEPTION_ACCESS_VIOLATION_READ")
    #expect(report.reason.address == Address(0x18) && report.process.uptime == 93)
    #expect(report.threads.map(\.index) == [7, 0] && report.threads.map(\.name) == ["Till", nil])
    #expect(report.crashedThread == 0 && report.device.architecture == .x86_64)
    #expect(report.images.map(\.name) == ["terncore.dll", "ntdll.dll", "kernel32.dll"])
    #expect(report.images[0].debugFile == "terncore.pdb" && report.images[0].size == 0xa0_0000)
    #expect(report.images[0].debugID?.isZero == false && report.images[0].version == "2.16.50.0")
    let frames = report.threads[0].frames
    #expect(frames[0].imageOffset == ImageOffset(0x31_3fb6) && frames[0].position == .exact)
    #expect(frames[1].function == "tern::Desk::open(float)" && frames[1].line == 88)
    #expect(frames[2].imageOffset == ImageOffset(0x1257d) && frames[2].position == .adjusted)
    #expect(frames[2].trust == .scan)
  }

  @Test("After prefixes, three times in a log, truncated and damaged")
  func hostile() throws {
    let text = try LogReaderChecks.sample("stackwalk/null-read-1.1.0-gcc-O2.txt")
    try LogReaderChecks.expectSame(text, in: .stackwalk)
    try LogReaderChecks.expectBounded(text)
  }
}
