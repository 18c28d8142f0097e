import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// Crashes as consoles of Apple's systems, Xcode and lldb show them.
@Suite("Consoles of Apple's systems") struct AppleConsoleTests {
  private static let stack = """
    *** First throw call stack:
    (
    \t0   CoreFoundation                      0x00000001804b910c __exceptionPreprocess + 172
    \t1   libobjc.A.dylib                     0x0000000180092da8 objc_exception_throw + 72
    \t2   Tern                                0x0000000102a5c1d0 -[TRNBasket total] + 124
    \t3   Tern                                0x0000000102a5f000 main + 68
    )
    libc++abi: terminating due to uncaught exception of type NSException

    """

  private static func exception(_ type: String, _ reason: String) -> String {
    "*** Terminating app due to uncaught exception '\(type)', reason: '\(reason)'\n"
  }

  @Test("A crash of another program that follows is another report")
  func unrelated() throws {
    let reports = try LogReaderChecks.reports(
      Self.exception("TRNPriceError", "no price: pencil") + Self.stack + """

        Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.

        Core  1 register dump:
        PC      : 0x400d1a3c  PS      : 0x00060e30  A0      : 0x800d1a80  A1      : 0x3ffb5c10
        EXCVADDR: 0x00000000

        Backtrace: 0x400d1a39:0x3ffb5c10 0x400d1a7d:0x3ffb5c30

        """)
    #expect(reports.map(\.format.description) == ["native-log", "firmware"])
  }

  @Test("An exception that AppKit caught, and one of which the program then ended")
  func caught() throws {
    let prefix = "2026-05-01 10:11:12.551233+0200 Tern[4711:90211] "
    let frames = Self.stack.split(separator: "\n").dropFirst(2).dropLast(2).joined(separator: "\n")
    let text =
      "\(prefix)[General] An uncaught exception was raised\n\(prefix)[General] no price: pencil\n"
      + "\(prefix)[General] (\n\(frames)\n)\n"
    let report = try LogReaderChecks.only("launched\n" + text + "\(prefix)drawer opened\n")
    #expect(report.kind == .handled && report.app.name == "Tern" && report.process.pid == 4711)
    #expect(report.reason.exception?.message == "no price: pencil")
    #expect(
      report.threads.first?.frames.map(\.function) == [
        "__exceptionPreprocess", "objc_exception_throw", "-[TRNBasket total]", "main",
      ])
    let ended = try LogReaderChecks.only(
      text + prefix + Self.exception("TRNPriceError", "no price: pencil") + Self.stack)
    #expect(ended.kind == .crash && ended.reason.exception?.type == "TRNPriceError")
    #expect(ended.threads.first?.frames.count == 4)
  }

  @Test(
    "An uncaught exception, with its first throw call stack",
    arguments: [
      "", "2026-05-01 10:11:12.551233+0200 Tern[4711:90211] ",
      "2026-05-01 10:11:12.551 Tern Desk[4711:90211] ",
    ])
  func exception(prefix: String) throws {
    let reason = "-[TRNPrice amount]: unrecognized selector sent to instance 0x6000"
    let report = try LogReaderChecks.only(
      "launched\n" + prefix + Self.exception("NSInvalidArgumentException", reason) + Self.stack)
    #expect(report.reason.exception?.type == "NSInvalidArgumentException")
    #expect(report.reason.exception?.message == reason)
    #expect(report.kind == .crash && report.app.name?.hasPrefix("Tern") == true)
    #expect(report.process.pid == (prefix.isEmpty ? nil : 4711))
    let frames = try #require(report.threads.first?.frames)
    #expect(
      LogReaderChecks.functions(frames) == [
        "__exceptionPreprocess", "objc_exception_throw", "-[TRNBasket total]", "main",
      ])
    #expect(frames.allSatisfy { $0.position == .returnAddress })
    #expect(frames[2].image.map { report.images[$0].name } == "Tern")
  }

  @Test("A reason of several lines, and text after it")
  func reasons() throws {
    let several = try LogReaderChecks.only(
      Self.exception(
        "NSInternalInconsistencyException", "Invalid update.\nThe number of rows (3)\nis 4.")
        + Self.stack)
    #expect(
      several.reason.exception?.message == "Invalid update.\nThe number of rows (3)\nis 4.")
    #expect(several.threads.first?.frames.count == 4)
    let details = try LogReaderChecks.only(
      """
      *** Terminating app due to uncaught exception 'NSUnknownKeyException', reason: 'no key till', userInfo: {
          NSTargetObjectUserInfoKey = "<Till: 0x7f8>";
      }

      """ + Self.stack)
    #expect(details.reason.exception?.message == "no key till")
    #expect(details.threads.first?.frames.count == 4)
    let none = try LogReaderChecks.only(
      Self.exception("TernException", "(null)")
        + "terminating with uncaught exception of type NSException\nother words\n")
    #expect(none.reason.exception?.type == "TernException")
    #expect(none.reason.exception?.message == nil)
  }

  @Test("Devices print addresses, stripped programs offsets, GNUstep its own messages")
  func others() throws {
    let device = try LogReaderChecks.only(
      Self.exception("NSRangeException", "index 5 beyond bounds [0 .. 2]")
        + "*** First throw call stack:\n(0x1804b910c 0x180092da8 0x102a5c1d0)\n")
    #expect(
      device.threads.first?.frames.map(\.address) == [
        Address(0x1_804b_910c), Address(0x1_8009_2da8), Address(0x1_02a5_c1d0),
      ])
    let stripped = try LogReaderChecks.only(
      Self.exception("NSRangeException", "beyond") + """
        *** First throw call stack:
        (
        \t0   Tern Desk                           0x0000000102a5c1d0 Tern Desk + 20432
        )

        """)
    #expect(stripped.threads.first?.frames.first?.imageOffset == ImageOffset(20432))
    let gnustep = try LogReaderChecks.only(
      "2026-05-01 10:11:12.551 tern[4711:4711] tern: Uncaught exception NSRangeException, "
        + "reason: Index 5 is out of range 3\n")
    #expect(gnustep.reason.exception?.type == "NSRangeException")
    #expect(gnustep.reason.exception?.message == "Index 5 is out of range 3")
    #expect(gnustep.app.name == "tern")
  }

  @Test("Two exceptions in a console are two reports, and one before lldb's stack is its reason")
  func several() throws {
    let text = Self.exception("NSRangeException", "beyond") + Self.stack
    #expect(try LogReaderChecks.reports(text + "again\n" + text).count == 2)
    let report = try LogReaderChecks.only(
      text + """
        Process 42 stopped
        * thread #1, queue = 'com.apple.main-thread', stop reason = signal SIGABRT
          * frame #0: 0x00000001b1 libsystem_kernel.dylib`__pthread_kill + 8
            frame #1: 0x00000001c1 libsystem_c.dylib`abort + 124
        """)
    #expect(report.format.description == "debugger" && report.reason.signal == "SIGABRT")
    #expect(report.reason.exception?.type == "NSRangeException")
  }

  // MARK: Swift

  @Test(
    "Swift's fatal errors alone",
    arguments: [
      ("Tern/Basket.swift:41: Fatal error: no till", "Fatal error", "no till", true),
      (
        "Tern/Basket.swift:41: Precondition failed: no till", "Precondition failed", "no till", true
      ),
      ("Tern/Basket.swift:41: Assertion failed", "Assertion failed", nil, true),
      ("Tern/Basket.swift:41: Fatal error", "Fatal error", nil, true),
      (
        "Fatal error: no till: file Tern/Basket.swift, line 41", "Fatal error", "no till", true
      ),
      (
        "Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range", "Fatal error",
        "Index out of range", false
      ),
      ("Fatal error: Index out of range", "Fatal error", "Index out of range", false),
      (
        "2026-05-01 10:11:12.5+0200 Tern[4711:90211] Fatal error: Division by zero",
        "Fatal error", "Division by zero", false
      ),
      (
        "2026-05-01 10:11:12.5+0200 Tern[4711:90211] Tern/Basket.swift:41: Fatal error: no till",
        "Fatal error", "no till", true
      ),
    ])
  func fatal(line: String, type: String, message: String?, isPlaced: Bool) throws {
    for text in [line, "ready\n\(line)\n\(line)\n(lldb)\n"] {
      let report = try LogReaderChecks.only(text)
      #expect(report.reason.type == type && report.reason.message == message)
      #expect(report.kind == .crash && report.format.description == "swift-backtrace")
      let frame = report.threads.first?.frames.first
      #expect(frame?.file == (isPlaced ? "Tern/Basket.swift" : nil))
      #expect(frame?.line == (isPlaced ? 41 : nil))
      #expect(report.app.name == (line.contains("[4711:") ? "Tern" : nil))
    }
  }

  @Test("The backtracer failed; the shell knows the program")
  func failed() throws {
    let failed = "💣 Program crashed: Signal 4: Backtracing from 0xefaea1...\n failed\n"
    let shell = "\n[1]    8392 illegal hardware instruction (core dumped)  ./bin/ternd --once\n"
    let report = try LogReaderChecks.only(
      "Tern/Basket.swift:41: Fatal error: no till\n\n" + failed + shell)
    #expect(report.reason.signal == "SIGILL" && report.reason.message == "no till")
    #expect(report.process.name == "ternd" && report.process.pid == 8392)
    let alone = try LogReaderChecks.only("*** Signal 11: Backtracing from 0x1... failed ***\n")
    #expect(alone.reason.signal == "SIGSEGV")
  }

  @Test(
    "Other programs' messages are not fatal errors of Swift",
    arguments: [
      "Fatal error: cannot open the till", "config: Fatal error: Index out of range",
      "stop reason = Fatal error: Index out of range",
      "*** Signal 4: Backtracing from 0x1... done ***",
      "tern.c:41: Fatal error: no till",
    ])
  func noFatal(line: String) throws {
    #expect(try LogReaderChecks.reports("\(line)\n").isEmpty)
  }

  @Test("Before a backtrace it is the backtrace's message, in Apple's text a part of it")
  func followed() throws {
    let report = try LogReaderChecks.only(
      """
      Tern/Basket.swift:41: Fatal error: no till

      *** Program crashed: Illegal instruction at 0x00000000004011ce ***

      Thread 0 crashed:

      0 0x00000000004011ce total() + 14 in tern

      """)
    #expect(report.reason.message == "Tern/Basket.swift:41: Fatal error: no till")
    #expect(report.threads.first?.frames.first?.function == "total()")
  }

  // MARK: lldb

  @Test("A stop, its backtrace and single frames are one thread")
  func stops() throws {
    let stop =
      "* thread #2, name = 'worker', stop reason = EXC_BAD_ACCESS (code=1, address=0x18)\n"
    let top = "0x0000000100003f1c tern`shop::Till::take(this=0x0, slot=9) at till.cc:17:18\n"
    let report = try LogReaderChecks.only(
      """
      Process 20454 stopped
      * thread #1, stop reason = breakpoint 1.1
          frame #0: 0x0000000100003a00 tern`main at main.cc:3:1
      (lldb) continue
      Process 20454 stopped
      \(stop)    frame #0: \(top)   16 \t  lock();
      -> 17 \t    return table_[slot].value;
      (lldb) bt
      \(stop)  * frame #0: \(top)    frame #1: 0x0000000100003e00 tern`shop::Worker::run() at worker.cc:8:12 [opt]
          frame #2: 0x000000018d9e3c0c libsystem_pthread.dylib`_pthread_start + 136
      (lldb) up
      frame #1: 0x0000000100003e00 tern`shop::Worker::run() at worker.cc:8:12 [opt]
      (lldb) thread list
        thread #1: tid = 0x1, 0x0000000100003a00 tern`main at main.cc:3:1
      * thread #2: tid = 0x2, 0x0000000100003f1c tern`shop::Till::take, name = 'worker'
      (lldb) frame select 0
          frame #0: \(top)(lldb)
      """)
    let thread = try #require(report.threads.first { $0.crashed })
    #expect(thread.index == 2 && thread.name == "worker" && thread.id == 2)
    #expect(
      LogReaderChecks.functions(thread.frames) == [
        "shop::Till::take", "shop::Worker::run()", "_pthread_start",
      ])
    #expect(thread.frames[0].position == .exact && thread.frames[2].position == .returnAddress)
    #expect(report.threads.map(\.index) == [1, 2] && report.threads[0].frames.count == 1)
    #expect(report.reason.type == "EXC_BAD_ACCESS" && report.reason.address == Address(0x18))
  }
}
