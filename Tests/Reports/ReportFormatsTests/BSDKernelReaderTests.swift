import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// Logs of invented drivers in the formats that the kernels print.
@Suite("Logs of BSD kernels") struct BSDKernelReaderTests {
  private static let samples = [
    "null-read-freebsd-13.txt", "assertion-openbsd-7.txt", "null-read-netbsd-10.txt",
  ]

  private static func sample(_ name: String) throws -> String {
    try LogReaderChecks.sample("bsd-kernel/" + name)
  }

  @Test("A trap of FreeBSD and the resulting panic are one report")
  func freeBSD() throws {
    let report = try LogReaderChecks.only(try Self.sample("null-read-freebsd-13.txt"))
    #expect(report.format.description == "bsd-kernel" && report.kind == .crash)
    #expect(report.notes.isEmpty)
    #expect(report.tags[.title] == "Fatal trap NUM: page fault in tern_price")
    #expect(report.tags[.kernelFunction] == "tern_price")
    #expect(report.tags[.panic] == "page fault")
    #expect(report.reason.address == Address(0x18))
    #expect(report.reason.code == "supervisor read data, page not present")
    #expect(report.app.name == "FreeBSD" && report.app.version == "13.2-RELEASE")
    #expect(report.process.pid == 2217 && report.tags[.panicTask] == "ternd")
    #expect(report.process.uptime == 274_354)
    #expect(report.time == Timestamp(seconds: 1_714_550_931))
    let thread = try #require(report.threads.first)
    #expect(report.threads.count == 1 && thread.crashed && thread.frames.count == 15)
    #expect(thread.frames[6].function == "tern_price" && thread.frames[6].position == .exact)
    #expect(thread.frames[6].address == Address(0xffff_ffff_82a1_103f))
    #expect(thread.frames[6].symbolOffset == 0x1f)
    #expect(thread.frames[7].position == .returnAddress)
    #expect(report.images.map(\.name) == ["kernel"])
    #expect(thread.registers.first { $0.name == "rsp" }?.value == 0xffff_fe00_b4b5_b8f0)
  }

  @Test("A panic of OpenBSD is read completely, and lines that the console wrapped are joined")
  func openBSD() throws {
    let report = try LogReaderChecks.only(try Self.sample("assertion-openbsd-7.txt"))
    #expect(report.tags[.title] == "assert \"desk->seats > 0\" failed in tern.c")
    #expect(report.tags[.kernelFunction] == "tern_close")
    #expect(report.app.name == "OpenBSD" && report.app.version == "7.3")
    #expect(report.process.pid == 4439 && report.tags[.panicTask] == "ternd")
    let thread = try #require(report.threads.first)
    #expect(thread.id == 329_861 && thread.frames.count == 12)
    #expect(thread.frames[0].position == .exact && thread.frames[1].position == .returnAddress)
    #expect(thread.frames[2].function == "__assert" && thread.frames[2].symbolOffset == 0x29)
    #expect(thread.frames[5].function == "VOP_CLOSE" && thread.frames[5].symbolOffset == 0x47)
    #expect(report.images.map(\.name) == ["bsd"])
    #expect(thread.registers.first { $0.name == "rip" }?.value == 0xffff_ffff_8195_ee34)
  }

  @Test("A console may write a carriage return after each line feed")
  func carriageReturns() throws {
    let text = try Self.sample("assertion-openbsd-7.txt")
    let whole = try LogReaderChecks.only(text)
    let returned = try LogReaderChecks.only(text.split(separator: "\n").joined(separator: "\n\r"))
    #expect(returned.threads == whole.threads)
  }

  @Test("A fault of NetBSD is read completely, with the modules of its frames")
  func netBSD() throws {
    let report = try LogReaderChecks.only(try Self.sample("null-read-netbsd-10.txt"))
    #expect(report.tags[.title] == "page fault in tern_price")
    #expect(report.tags[.panic] == "trap")
    #expect(report.reason.address == Address(0x0))
    #expect(report.app.name == "NetBSD" && report.app.version == "10.0")
    let thread = try #require(report.threads.first)
    #expect(thread.frames.count == 11)
    #expect(thread.frames[3].function == "tern_price" && thread.frames[3].position == .exact)
    #expect(report.images.map(\.name) == ["netbsd", "tern"] && thread.frames[3].image == 1)
    #expect(thread.registers.first { $0.name == "cr2" }?.value == 0x18)
  }

  private static let tail = """
    cpuid = 0
    KDB: stack backtrace:
    vpanic() at vpanic+0x1e0/frame 0xfffffe000c95b350
    panic() at panic+0x43/frame 0xfffffe000c95b3b0
    __asan_load8_noabort() at __asan_load8_noabort+0x11a/frame 0xfffffe0099890b90
    tern_close() at tern_close+0x167c/frame 0xfffffe000c95b460
    """

  @Test(
    "Titles of panics read as syzkaller's do",
    arguments: [
      (
        "size_on_all_streams = 26 smaller than control length 40",
        "panic: size_on_all_streams smaller than control length"
      ),
      ("No chunks on the queues for sid 5.", "panic: sctp: no chunks on the queues"),
      (
        "ASan: Invalid access, 8-byte read at 0xfffffe0057414be0, MallocRedZone(fb)",
        "panic: ASan: Invalid access, NUM-byte read in tern_close"
      ),
      (
        "mtx_lock() of destroyed mutex @ /usr/src/sys/kern/tern.c:12",
        "panic: mtx_lock() of destroyed mutex at sys/kern/tern.c:12"
      ),
      (
        "pool_do_get: mbufpl free list modified: page 0xffff; item ordinal 3",
        "pool: free list modified: mbufpl"
      ),
      ("desk 17 at 0xffffff001742a5c0 has no seat", "panic: desk NUM at ADDR has no seat"),
    ])
  func titles(words: String, title: String) throws {
    #expect(try LogReaderChecks.only("panic: \(words)\n\(Self.tail)\n").tags[.title] == title)
  }

  @Test("A numbered stack omits the function that trapped, whose address is inserted")
  func numbered() throws {
    let report = try LogReaderChecks.only(
      """
      Fatal trap 12: page fault while in kernel mode
      cpuid = 0; apic id = 00
      fault virtual address	= 0x8
      instruction pointer	= 0x20:0xffffffff8102fe62
      current process		= 3094 (tern 0)
      panic: page fault
      cpuid = 0
      KDB: stack backtrace:
      #0 0xffffffff80aada97 at kdb_backtrace+0x67
      #1 0xffffffff80a6bb76 at vpanic+0x186
      #2 0xffffffff80ec3641 at calltrap+0x8
      #3 0xffffffff810302fc at tern_settime+0xc
      """)
    #expect(
      report.tags[.title] == "Fatal trap NUM: page fault while in kernel mode in tern_settime")
    let frames = try #require(report.threads.first).frames
    #expect(frames.map(\.function) == ["kdb_backtrace", "vpanic", "calltrap", nil, "tern_settime"])
    #expect(frames[3].address == Address(0xffff_ffff_8102_fe62) && frames[3].position == .exact)
    #expect(frames[4].address == Address(0xffff_ffff_8103_02fc))
    #expect(report.tags[.panicTask] == "tern 0")
  }

  @Test("A fault that entered OpenBSD's or NetBSD's debugger names the function where it stopped")
  func stopped() throws {
    let open = try LogReaderChecks.only(
      """
      uvm_fault(0xfffffd807eb0ca28, 0x18, 0, 1) -> e
      kernel: page fault trap, code=0
      Stopped at      tern_purge+0x12:        movq    0x18(%rdi),%rax
      ddb{0}> trace
      tern_purge(0) at tern_purge+0x12
      softclock() at softclock+0x9f
      """)
    #expect(open.tags[.title] == "uvm_fault: tern_purge" && open.reason.address == Address(0x18))
    #expect(open.threads.first?.frames.map(\.position) == [.exact, .returnAddress])
    let net = try LogReaderChecks.only(
      """
      [ 9.1] fatal protection fault in supervisor mode
      [ 9.1] trap type 4 code 0 rip 0xffffffff80221a45 cs 0x8 rflags 0x246 cr2 0x2000 rsp 0xffff
      Stopped in pid 851.285 (tern.4) at      netbsd:tern_open+0x5:  leave
      tern_open() at netbsd:tern_open+0x5
      spec_open() at netbsd:spec_open+0x1a2
      """)
    #expect(net.tags[.title] == "protection fault in tern_open")
    #expect(net.process.pid == 851 && net.tags[.panicTask] == "tern.4")
    #expect(net.threads.first?.id == 285 && net.threads.first?.frames.count == 2)
    #expect(net.threads.first?.frames.first?.position == .exact)
  }

  @Test("Lines found by a tool are kept, and so are inlined calls")
  func lines() throws {
    let report = try LogReaderChecks.only(
      """
      [  39.1414248] panic: UBSan: Undefined Behavior in sys/net/tern.c:667:41, member access
      [  39.1692281] cpu0: Begin traceback...
      [  39.1914195] vpanic() at netbsd:vpanic+0x29d sys/kern/subr_prf.c:290
      [  39.2914202] HandleTypeMismatch.part.1() at netbsd:HandleTypeMismatch.part.1+0xae
      [  39.3914204] tern_out() at netbsd:tern_out+0x76 tern_in sys/net/tern.c:500 [inline]
      [  39.3914204] tern_out() at netbsd:tern_out+0x76 sys/net/tern.c:667
      [  39.8214220] cpu0: End traceback...
      """)
    #expect(report.tags[.title] == "UBSan: Undefined Behavior in tern_in")
    let frames = try #require(report.threads.first).frames
    #expect(
      frames.map(\.function) == ["vpanic", "HandleTypeMismatch.part.1", "tern_in", "tern_out"])
    #expect(frames.map(\.line) == [290, nil, 500, 667] && frames.map(\.inlined)[2])
  }

  @Test("A lock order reversal is not a death")
  func locks() throws {
    let report = try LogReaderChecks.only(
      """
      witness: lock order reversal:
       1st 0xfffffd806e97dc08 tern (&tern->lock)
       2nd 0xffff800020abf650 desk (&desk->lock)
      lock order "&desk->lock"(rwlock) -> "&tern->lock"(rwlock) first seen at:
      #0  rw_enter_write+0x43
      #1  tern_open+0x9f
      """)
    #expect(report.kind == .handled && report.tags[.title] == "witness: reversal: tern desk")
    #expect(
      report.otherStacks.map { $0.frames.map(\.function) } == [["rw_enter_write", "tern_open"]])
  }

  @Test("All threads printed by the debugger are read")
  func threads() throws {
    let report = try LogReaderChecks.only(
      """
      panic: no desk
      \(Self.tail)
      db> alltrace
      Tracing command ternd pid 801 tid 100123 td 0xfffff80003456000
      sched_switch() at sched_switch+0x5d4/frame 0xfffffe00b4b5b6b0
      mi_switch() at mi_switch+0xdb/frame 0xfffffe00b4b5b6e0
      """)
    #expect(report.threads.map(\.frames.count) == [4, 2])
    #expect(report.threads[1].id == 100_123 && report.threads[1].name == "ternd")
  }

  @Test("A panic of Go is not one of a kernel")
  func goPanic() throws {
    let report = try LogReaderChecks.only(
      "panic: no desk\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:1 +0x1\n")
    #expect(report.format.description == "go-panic")
    #expect(
      try LogReaderChecks.reports("panic: no desk\n").allSatisfy {
        $0.format.description != "bsd-kernel"
      })
  }

  @Test("Several reports in one log, each line after a logger's prefix", arguments: samples)
  func prefixed(name: String) throws {
    let text = try Self.sample(name)
    let log = (text + text).split(separator: "\n").map { "May 01 10:11:12 tern-1 console: \($0)" }
    let reports = try LogReaderChecks.reports(log.joined(separator: "\n"))
    let single = try LogReaderChecks.only(text)
    #expect(reports.map(\.tags[.title]) == [single.tags[.title], single.tags[.title]])
    #expect(
      reports.map(\.threads.first?.frames.count)
        == [single.threads.first?.frames.count, single.threads.first?.frames.count])
  }

  @Test("Truncated anywhere, it is read or refused", arguments: samples)
  func prefixes(name: String) throws {
    let bytes = Array(try Self.sample(name).utf8)
    for count in stride(from: 0, to: bytes.count, by: 3) {
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      for report in try LogReaderChecks.reports(text) { #expect(report.threads.count < 2) }
    }
  }

  @Test("Damaged anywhere, it is read or refused", arguments: samples)
  func mutations(name: String) throws {
    let bytes = Array(try Self.sample(name).utf8)
    var mutator = Mutator(seed: 17)
    for _ in 0..<200 {
      do throws(ParseError) {
        for report in try FormatRegistry.builtIn.reports(in: ByteView(mutator.mutated(bytes))) {
          #expect(report.threads.flatMap(\.frames).count < 1000)
        }
      } catch {
        #expect(!error.refusal.isEmpty)
      }
    }
  }

  @Test("Endless stacks and lines take time in proportion to their length")
  func size() throws {
    let frames = String(repeating: "f(0) at f+0x1\n", count: 200_000)
    let report = try LogReaderChecks.only("panic: no desk\nStopped at f+0x1: nop\n" + frames)
    #expect(report.threads.first?.frames.count == 16_384)
    #expect(report.notes.count == 1)
    let panics = String(repeating: "panic: \nKDB: \nFatal trap 1\n= 0x20:0x\n", count: 20_000)
    #expect(try !LogReaderChecks.reports(panics).isEmpty)
  }
}
