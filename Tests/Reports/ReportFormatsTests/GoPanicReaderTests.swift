import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

@Suite("Go panics")
struct GoPanicReaderTests {
  private func one(_ text: String) throws -> CrashReport {
    let reports = try LogReaderChecks.reports(text)
    try #require(reports.count == 1)
    #expect(reports[0].format == .goPanic)
    return reports[0]
  }

  @Test("A panic that was recovered and raised again is a chain")
  func again() throws {
    let report = try one(try LogReaderChecks.sample("go-panic/index-again.txt"))
    let exception = try #require(report.reason.exception)
    #expect(report.reason.type == "panic" && report.kind == .crash)
    #expect(exception.type == "panic")
    #expect(
      exception.message == "charge desk 3: runtime error: index out of range [7] with length 0")
    #expect(
      exception.inner.map(\.message) == ["runtime error: index out of range [7] with length 0"])
    #expect(
      exception.frames.map(\.function) == [
        "main.charge.func1", "runtime.gopanic", "main.(*Desk).line", "main.charge", "main.main",
      ])
    #expect(exception.frames.map(\.line) == [22, 884, 13, 25, 46])
    #expect(exception.frames.map(\.inlined) == [false, false, true, false, false])
    #expect(exception.frames[0].file == "example.com/tern/tern.go")
    #expect(exception.frames[0].symbolOffset == 0x6e && exception.frames[0].position == .adjusted)
    #expect(report.threads.map(\.index) == [1] && report.threads[0].crashed)
    #expect(report.threads[0].name == "running")
  }

  @Test(
    "A container's words before each line hide no panic",
    arguments: ["2026-05-01T10:11:12.1234Z stderr F ", "tern | ", "till-1 app ", "INFO "])
  func containers(prefix: String) throws {
    for head in ["fatal error: sync: unlock of unlocked mutex", "panic: no price"] {
      let text = """
        tern starts
        \(head)

        goroutine 195 [running]:
        main.(*Till).Charge(0x274d3c50?)
        \t/app/src/till.go:372 +0x3b4
        """
      let report = try one(
        text.split(separator: "\n", omittingEmptySubsequences: false).map { prefix + $0 }
          .joined(separator: "\n"))
      #expect(report.threads.first?.frames.map(\.function) == ["main.(*Till).Charge"])
      #expect(
        report.reason.message == head.split(separator: ": ", maxSplits: 1).last.map(String.init))
    }
    #expect(try LogReaderChecks.reports("a panic: no price, said the till\n").isEmpty)
  }

  @Test("All goroutines, registers and the signal of a fault are read")
  func fault() throws {
    let report = try one(try LogReaderChecks.sample("go-panic/null-read-all.txt"))
    #expect(report.reason.signal == "SIGSEGV" && report.reason.code == "SEGV_MAPERR")
    #expect(report.reason.address == Address(0))
    #expect(report.threads.count >= 6 && report.crashedThread == 0)
    let functions = report.threads[0].frames.compactMap(\.function)
    #expect(
      functions.suffix(3) == ["main.(*Till[...]).Read", "main.main.func1", "runtime.goexit"])
    #expect(report.threads.contains { $0.index == 1 && $0.name?.hasPrefix("sleep") == true })
    #expect(report.otherStacks.first?.frames.first?.function == "main.main")
    #expect(report.notes.isEmpty)
  }

  @Test("Registers printed after the goroutines belong to the one that died")
  func registers() throws {
    let report = try one(
      """
      SIGQUIT: quit
      PC=0x45f4c0 m=0 sigcode=0

      goroutine 0 [idle]:
      runtime.epollwait()
      \t/go/src/runtime/sys_linux_amd64.s:706 +0x20

      goroutine 1 [sleep, 3 minutes]:
      time.Sleep(0x4a817c800)
      \t/go/src/runtime/time.go:195 +0x135
      main.main()
      \t/app/main.go:96 +0x25d

      rax    0xfffffffffffffffc
      rip    0x45f4c0
      """)
    #expect(report.reason.signal == "SIGQUIT" && report.kind == .other)
    // The scheduler's stack is not the program's.
    #expect(report.crashedThread == 1 && report.threads[1].name == "sleep, 3 minutes")
    #expect(report.threads[0].registers.map(\.name) == ["rax", "rip"])
  }

  @Test("A data race has the detected access, the other one, and the goroutine's creator")
  func race() throws {
    let report = try one(try LogReaderChecks.sample("go-panic/race.txt"))
    #expect(report.reason.type == "DATA RACE" && report.kind == .handled)
    #expect(report.reason.address?.value ?? 0 > 0)
    #expect(report.threads[0].frames.map(\.function) == ["main.race.func1"])
    #expect(report.otherStacks.count == 2)
    #expect(report.otherStacks[1].title == "Goroutine 7 (running) created at")
    #expect(report.otherStacks[1].frames.map(\.function) == ["main.race", "main.main"])
  }

  @Test("Multi-line messages end where the goroutines begin")
  func words() throws {
    let report = try one(
      """
      panic: no boat
      in the harbour

      today

      goroutine 1 [running]:
      main.main()
      \t/app/main.go:60 +0x174
      exit status 2
      FAIL\texample.com/tern\t0.012s
      """)
    #expect(report.reason.message == "no boat\nin the harbour\n\ntoday")
    #expect(report.threads[0].frames.count == 1)
  }

  @Test("Values, memory, deadlocks and overflows have their kinds")
  func kinds() throws {
    let stack = "\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:60 +0x174\n"
    #expect(
      try one("panic: (main.Failure) {0x1, 0x2}" + stack).reason.exception?.type == "main.Failure")
    #expect(try one("fatal error: runtime: out of memory" + stack).kind == .oom)
    #expect(try one("fatal error: all goroutines are asleep - deadlock!" + stack).kind == .hang)
    let overflow = try one(
      "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n"
        + "runtime stack:\nruntime.throw(0x60f619, 0xe)\n\t/go/src/runtime/panic.go:619 +0x81"
        + stack)
    #expect(
      overflow.reason.message == "stack overflow: goroutine stack exceeds 1000000000-byte limit")
    #expect(overflow.otherStacks.map(\.title) == ["runtime stack"])
    let server = try one("2026/05/01 10:11:12 http: panic serving [::1]:50422: no boat" + stack)
    #expect(server.kind == .handled && server.reason.message == "no boat")
  }

  @Test("A stack without a panic is a snapshot")
  func snapshot() throws {
    let report = try one(
      "dump asked for\n\ngoroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/src/runtime/debug/stack.go:24"
        + " +0x65\nmain.main()\n\t/app/main.go:60 +0x174\ncreated by main.run in goroutine 1\n\t/app/main.go:9 +0x1\n"
    )
    #expect(report.kind == .other && report.threads[0].frames.count == 2)
    #expect(report.otherStacks.map(\.title) == ["goroutine 7 created by"])
  }

  @Test("Elided frames are a note; functions of C and escaped names are read")
  func frames() throws {
    let report = try one(
      """
      panic: x

      goroutine 1 [running]:
      gopkg.in/yaml%2ev2.(*parser).parse(0x1, {0x2, 0x3})
      \t/m/gopkg.in/yaml.v2/decode.go:12 +0x1
      read_line
      \t/app/line.c:7 pc=0x4009f0
      main.F[go.shape.struct { X int }](...)
      \t/app/main.go:9
      ...27 frames elided...
      main.main()
      \t_cgo_gotypes.go:64 +0x37
      """)
    #expect(
      report.threads[0].frames.map(\.function) == [
        "gopkg.in/yaml.v2.(*parser).parse", "read_line", "main.F[go.shape.struct { X int }]",
        "main.main",
      ])
    #expect(report.notes == ["the runtime left out frames of 1 goroutines"])
  }

  @Test(
    "Lines of other programs are not panics",
    arguments: [
      "Kernel panic: boat\n\ngoroutines [running]:", "x.c:1:10: fatal error: boat.h: No such file",
      "don't panic: all is well", "panic: at the disco", "fatal error: no stack\n",
      "SIGQUIT: quit was sent",
    ])
  func others(text: String) throws { #expect(try LogReaderChecks.reports(text).isEmpty) }

  @Test("A panic under a sanitizer is the sanitizer's exception, whatever its length")
  func sanitizer() throws {
    let stacks = (2..<400).map {
      "goroutine \($0) [select]:\nmain.wait(0x1)\n\t/app/main.go:\($0) +0x1\n\n"
    }.joined()
    let reports = try LogReaderChecks.reports(
      "panic: no boat\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:60 +0x174\n\n" + stacks
        + "AddressSanitizer:DEADLYSIGNAL\n==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2 bp"
        + " 0x3 sp 0x4 T0)\n    #0 0x5c1a80 in runtime.raise runtime/sys_linux_amd64.s:149\n"
        + "SUMMARY: AddressSanitizer: ABRT\n==1==ABORTING\n")
    try #require(reports.count == 1)
    #expect(reports[0].format == .sanitizer)
    #expect(reports[0].reason.exception?.frames.map(\.function) == ["main.main"])
    #expect(reports[0].reason.message?.hasPrefix("panic: no boat") == true)
  }

  @Test("Two reports before a sanitizer's stay separate from it")
  func apart() throws {
    let panic =
      "panic: no boat\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:60 +0x174\n\n"
    let reports = try LogReaderChecks.reports(
      panic + panic
        + "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2 bp 0x3\n"
        + "    #0 0x5c1a80 in f /app/a.c:9\nSUMMARY: AddressSanitizer: heap-use-after-free\n")
    #expect(reports.map(\.format) == [.goPanic, .goPanic, .sanitizer])
  }

  @Test("Prefixed and repeated, it is the same; truncated and damaged, it is read or refused")
  func hostile() throws {
    for name in ["index-again", "race"] {
      let text = try LogReaderChecks.sample("go-panic/\(name).txt")
      try LogReaderChecks.expectSame(text, in: .goPanic)
      try LogReaderChecks.expectBounded(text)
    }
    try LogReaderChecks.expectBounded(try LogReaderChecks.sample("go-panic/null-read-all.txt"))
  }
}
