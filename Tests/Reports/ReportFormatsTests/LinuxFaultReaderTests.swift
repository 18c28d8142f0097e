import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

@Suite("Faults of programs in kernel logs") struct LinuxFaultReaderTests {
  @Test("A fault of x86 has the program, the access and the instruction")
  func segfault() throws {
    let report = try LogReaderChecks.only(
      """
      [  431.770021] tern desk[2217]: segfault at 18 ip 0000556b2a4b613d sp 00007ffd4d8c6a50 error 6 in tern[13d,556b2a4b6000+1000] likely on CPU 3 (core 1, socket 0)
      [  431.770025] Code: 48 89 e5 <8b> 47 18 c3
      """)
    #expect(report.format.description == "linux-fault" && report.kind == .crash)
    #expect(report.process.name == "tern desk" && report.process.pid == 2217)
    #expect(report.reason.type == "segfault" && report.reason.signal == "SIGSEGV")
    #expect(report.reason.code == "write, not mapped" && report.reason.address == Address(0x18))
    #expect(report.tags[.code] == "48 89 e5 <8b> 47 18 c3")
    #expect(report.images.map(\.name) == ["tern"])
    #expect(report.images[0].base == Address(0x556b_2a4b_6000))
    let frame = try #require(report.threads.first?.frames.first)
    #expect(frame.address == Address(0x556b_2a4b_613d) && frame.position == .exact)
    #expect(frame.imageOffset?.value == 0x13d && frame.image == 0)
    #expect(
      report.threads[0].registers == [
        Register("ip", 0x556b_2a4b_613d), Register("sp", 0x7ffd_4d8c_6a50),
      ])
    #expect(report.notes.isEmpty)
  }

  @Test("Without the offset, as before 6.9, the position in the file is not guessed")
  func oldForm() throws {
    let report = try LogReaderChecks.only(
      "May 01 10:11:12 host kernel: tern[12]: segfault at 0 ip 0000556b2a4b613d sp 00007ffd4d8c6a50 error 4 in tern[556b2a4b6000+1000]\n"
    )
    #expect(report.threads[0].frames[0].address == Address(0x556b_2a4b_613d))
    #expect(report.threads[0].frames[0].imageOffset == nil && report.images[0].base == nil)
    #expect(report.notes.count == 1 && report.process.name == "tern")
  }

  @Test(
    "The other lines of this kind",
    arguments: [
      (
        "traps: tern[12] general protection fault ip:556b2a4b613d sp:7ffd4d8c6a50 error:0 in tern[13d,556b2a4b6000+1000]",
        "general protection fault", "SIGSEGV", 0x556b_2a4b_613d
      ),
      (
        "traps: tern[12] trap divide error ip:556b2a4b613d sp:7ffd4d8c6a50 error:0 in tern[13d,556b2a4b6000+1000]",
        "divide error", "SIGFPE", 0x556b_2a4b_613d
      ),
      (
        "tern[12] trap invalid opcode ip:400754 sp:7ffd4d8c6a50 error:0 in tern[754,400000+1000]",
        "invalid opcode", "SIGILL", 0x40_0754
      ),
      (
        "tern[12]: unhandled level 2 translation fault (11) at 0x00000018, esr 0x92000046, in tern[aaaad0e40000+1000]",
        "level 2 translation fault", "SIGSEGV", nil
      ),
      (
        "tern[12]: unhandled exception: DABT (lower EL), ESR 0x0000000092000046, level 2 translation fault in tern[aaaad0e40000+1000]",
        "level 2 translation fault", "SIGSEGV", nil
      ),
      (
        "tern[12]: unhandled signal 11 code 0x1 at 0x0000000000000018 in tern[2aaaaaa000+1000]",
        "signal 11", "SIGSEGV", nil
      ),
      (
        "tern[12]: segfault (11) at 18 nip 10000754 lr 10000748 code 1 in tern[10000000+10000]",
        "segfault", "SIGSEGV", 0x1000_0754
      ),
    ] as [(String, String, String, UInt64?)])
  func others(line: String, type: String, signal: String, address: UInt64?) throws {
    let report = try LogReaderChecks.only("[  431.770021] \(line)\n")
    #expect(report.reason.type == type && report.reason.signal == signal)
    #expect(report.process.name == "tern" && report.process.pid == 12)
    #expect(report.images.map(\.name) == ["tern"])
    #expect(report.threads[0].frames.first?.address?.value == address)
  }

  @Test("Registers of arm64 that follow give the instruction")
  func registers() throws {
    let report = try LogReaderChecks.only(
      """
      [    9.100000] tern[12]: unhandled level 2 translation fault (11) at 0x00000018, esr 0x92000046, in tern[754,aaaad0e40000+1000]
      [    9.100000] CPU: 0 PID: 12 Comm: tern Not tainted 5.10.0 #1
      [    9.100000] pc : 0000aaaad0e40754
      [    9.100000] x29: 0000ffffd0e40754 x28: 0000000000000000
      """)
    #expect(report.threads[0].frames.first?.address == Address(0xaaaa_d0e4_0754))
    #expect(report.threads[0].registers.map(\.name) == ["pc", "x29", "x28"])
  }

  @Test("Lines of other programs are not reports, and two faults are two")
  func count() throws {
    for line in [
      "gdb: segfault at 0 ip 1", "tern[12]: unhandled error in desk", "host: ip:10.0.0.1 [7] up",
      "sshd[12]: Connection from ip:10.0.0.1",
    ] { #expect(try LogReaderChecks.reports(line + "\n").isEmpty) }
    let line =
      "tern[12]: segfault at 0 ip 0000556b2a4b613d sp 00007ffd4d8c6a50 error 4 in tern[13d,556b2a4b6000+1000]\n"
    #expect(try LogReaderChecks.reports(line + line).count == 2)
  }

  @Test("Damaged anywhere, it is read or refused")
  func damaged() throws {
    let line = Array(
      "[ 1.1] traps: tern[12] trap divide error ip:556b2a4b613d sp:7ffd4d8c6a50 error:0 in tern[13d,556b2a4b6000+1000]\n"
        .utf8)
    var mutator = Mutator(seed: 9)
    for _ in 0..<300 {
      do throws(ParseError) {
        for report in try FormatRegistry.builtIn.reports(in: ByteView(mutator.mutated(line))) {
          #expect(report.threads.count < 2)
        }
      } catch {
        #expect(!error.refusal.isEmpty)
      }
    }
  }
}
