import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

@Suite("Logs of cdb and WinDbg") struct CDBReaderTests {
  private static func sample() throws -> String {
    try LogReaderChecks.sample("windows-debugger/null-read-cdb-x86.txt")
  }

  @Test("A log of !analyze is read completely")
  func sample() throws {
    let report = try LogReaderChecks.only(try Self.sample())
    #expect(report.format.description == "windows-debugger" && report.kind == .crash)
    #expect(report.notes.isEmpty)
    #expect(report.reason.type == "EXCEPTION_ACCESS_VIOLATION_READ")
    #expect(report.reason.address == Address(0x18) && report.reason.code == "c0000005")
    #expect(report.reason.message == "Access violation")
    #expect(report.app.name == "tern.exe" && report.process.pid == 0x14a8)
    #expect(report.device.architecture == .i386 && report.os.name == "Windows")
    #expect(
      report.tags[ReportTag("failure_bucket")] == "NULL_CLASS_PTR_READ_c0000005_tern.exe!price")
    #expect(report.tags[ReportTag("failure_symbol")] == "tern!price+1e")
    #expect(report.images.map(\.name) == ["tern.exe", "ntdll.dll", "KERNEL32.DLL"])
    let thread = try #require(report.threads.first)
    #expect(report.threads.count == 1 && thread.id == 0xc04 && thread.frames.count == 7)
    #expect(thread.frames[0].position == .exact && thread.frames[0].address == Address(0xfd_13de))
    #expect(thread.frames.map(\.inlined) == [false, true, false, false, false, false, false])
    #expect(thread.frames[2].function == "wmain" && thread.frames[2].line == 21)
    #expect(thread.frames[2].address == Address(0xfd_1423) && thread.frames[2].image == 0)
    #expect(thread.frames[2].position == .returnAddress && thread.frames[2].symbolOffset == 0x23)
    #expect(thread.frames.map(\.image) == [0, 0, 0, 0, 2, 1, 1])
    #expect(thread.registers.first { $0.name == "esp" }?.value == 0x2d_f7e0)
  }

  @Test("Rows of 64 bits, with arguments, modules without symbols, and code outside all modules")
  func rows() throws {
    let report = try LogReaderChecks.only(
      """
      (944.e8c): Stack overflow - code c00000fd (!!! second chance !!!)
      ModLoad: 00007fee`ef2e0000 00007fee`f0ee0000   MSHTML.dll
      STACK_TEXT:
      00000000`04f13f70 000007fe`ef2eba34 : 00000000`05580090 00000000`00000481 00000000`00000a52 000007fe`ef3617b2 : MSHTML!Ordinal101+0x10102
      WARNING: Frame IP not in any known module. Following frames may be wrong.
      00000000`04f14390 000007fe`ef53fae6 : 00000000`0053fd40 00000000`00000000 00000000`0053fd40 00000000`05295950 : 0xba90fd9
      00000000`04f145f0 000007fe`ef5cc56e : 00000000`0798c530 00000000`04f14670 00000000`04f14710 00000000`ffffffff : MSHTML+0x5289
      00000000`04f146f0 00000000`00000000 : 00000000`0798c530 00000000`04f14670 00000000`04f14710 00000000`ffffffff : tern!Desk<int,char>::operator new+0x12
      """)
    #expect(report.reason.type == "EXCEPTION_STACK_OVERFLOW")
    let frames = try #require(report.threads.first).frames
    #expect(frames.map(\.function) == ["Ordinal101", nil, nil, "Desk<int,char>::operator new"])
    #expect(frames[1].address == Address(0xba9_0fd9))
    #expect(frames[2].imageOffset?.value == 0x5289 && frames[2].address == Address(0x7fe_ef53_fae6))
    #expect(report.images.map(\.name) == ["MSHTML.dll", "tern"])
  }

  @Test("Rows that the console wrapped are joined", arguments: [79, 80])
  func broken(width: Int) throws {
    let row =
      "002df908 00fd1b5d 002df924 766b7c04 7f956000 tern!__scrt_common_main_seh_checked+0x199"
    let report = try LogReaderChecks.only(
      """
      EXCEPTION_RECORD:  (.exr -1)
      STACK_TEXT:
      002df7e4 00fd1423 00fd1078 00fd1078 7f956000 tern!price+0x1e
      \(row.prefix(width))
      \(row.dropFirst(width))
      002df924 770bad1f 7f956000 719abd8a 00000000 KERNEL32!BaseThreadInitThunk+0x24
      """)
    let frames = try #require(report.threads.first).frames
    #expect(
      frames.map(\.function) == [
        "price", "__scrt_common_main_seh_checked", "BaseThreadInitThunk",
      ])
    #expect(frames.map(\.symbolOffset) == [0x1e, 0x199, 0x24])
  }

  @Test("A stack that !analyze invented is replaced by the thread's")
  func madeUp() throws {
    let report = try LogReaderChecks.only(
      """
      (1f4c.1ee8): Unknown exception - code c0000374 (!!! second chance !!!)
      EXCEPTION_RECORD:  ffffffffffffffff -- (.exr 0xffffffffffffffff)
         ExceptionCode: c0000374
      ERROR_CODE: (NTSTATUS) 0xc0000374 - A heap has been corrupted.
      STACK_TEXT:
      00000000`00000000 00000000`00000000 heap_corruption!heap_corruption+0x0

      ChildEBP RetAddr
      045cc180 77378468 ntdll_77290000!RtlReportCriticalFailure+0x83
      045cc190 77378d19 ntdll_77290000!RtlpHeapHandleError+0x1c
      045cc1c0 00000000 tern!free_desk+0x4
      """)
    #expect(report.reason.type == "STATUS_HEAP_CORRUPTION")
    #expect(report.reason.message == "A heap has been corrupted.")
    #expect(
      report.threads.first?.frames.map(\.function) == [
        "RtlReportCriticalFailure", "RtlpHeapHandleError", "free_desk",
      ])
    #expect(report.images.map(\.name) == ["ntdll.dll", "tern"])
    #expect(report.images[0].base == Address(0x7729_0000))
  }

  @Test("All threads of ~*k are read, and the one of the event is the crashed one")
  func threads() throws {
    let report = try LogReaderChecks.only(
      """
      (14a8.c04): Access violation - code c0000005 (first chance)
      First chance exceptions are reported before any exception handling.
      0:001> ~*k

         0  Id: 14a8.1b40 Suspend: 1 Teb: 7f95d000 Unfrozen "main"
       # ChildEBP RetAddr
      00 0035f904 75e3149d ntdll!NtWaitForSingleObject+0xc
      01 0035f970 75e31459 tern!wait+0x9

      #  1  Id: 14a8.c04 Suspend: 1 Teb: 7f95a000 Unfrozen
       # ChildEBP RetAddr
      00 002df7e4 00fd1423 tern!price+0x1e
      """)
    #expect(report.threads.map(\.id) == [0xc04, 0x1b40])
    #expect(report.threads.map(\.name) == [nil, "main"])
    #expect(report.threads.map(\.frames.count) == [1, 2] && report.crashedThread == 0)
  }

  @Test("Exceptions that the program handles itself are not reports, nor events without a stack")
  func noReport() throws {
    for text in [
      "(a24.784): C++ EH exception - code e06d7363 (first chance)\nModLoad: 1 2 a\n",
      "(a24.784): Access violation - code c0000005 (!!! second chance !!!)\n",
      "tern: STACK_TEXT: none\n",
    ] {
      #expect(try LogReaderChecks.reports(text).isEmpty)
    }
  }

  @Test("Several reports in one log, each line after a logger's prefix")
  func prefixed() throws {
    let text = try Self.sample()
    let log = (text + text).split(separator: "\n").map { "May 01 10:11:12 host run[42]: \($0)" }
    let reports = try LogReaderChecks.reports(log.joined(separator: "\n"))
    #expect(reports.map { $0.threads.first?.frames.count } == [7, 7])
    #expect(reports.map { $0.process.name } == ["tern.exe", "tern.exe"])
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damaged() throws {
    let bytes = Array(try Self.sample().utf8)
    for count in stride(from: 0, to: bytes.count, by: 3) {
      _ = try LogReaderChecks.reports(String(decoding: bytes[..<count], as: UTF8.self))
    }
    var mutator = Mutator(seed: 5)
    for _ in 0..<300 {
      do throws(ParseError) {
        for report in try FormatRegistry.builtIn.reports(in: ByteView(mutator.mutated(bytes))) {
          #expect(report.threads.flatMap(\.frames).count < 1000)
        }
      } catch {
        #expect(!error.refusal.isEmpty)
      }
    }
  }

  @Test("Endless rows and modules take time in proportion to their length")
  func size() throws {
    var text = "EXCEPTION_RECORD:  (.exr -1)\nSTACK_TEXT:\n"
    for index in 0..<40_000 { text += "002df7e4 00fd1423 m\(index)!f+0x1\n" }
    let report = try LogReaderChecks.only(text)
    #expect(report.threads.first?.frames.count == 16_384 && report.notes.count == 1)
  }
}
