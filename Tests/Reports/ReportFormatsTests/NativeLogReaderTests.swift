import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// Output of invented C and C++ programs about their own crash.
@Suite("Native logs") struct NativeLogReaderTests {
  private func report(in text: String) throws -> CrashReport {
    let reports = try LogReaderChecks.reports(text)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format.description == "native-log")
    return report
  }

  static let check = """
    [4217:4218:0412/075451.163515:FATAL:drawer.cc(57)] Check failed: coins > 0 (-1 vs. 0)
    #0 0x55d000004141 base::debug::CollectStackTrace() [../../base/debug/stack_trace_posix.cc:1001:7]
    #1 0x55d0000099e0 logging::LogMessage::~LogMessage()
    #2 0x55d00000964d Drawer::open(int)
    #3 0x7f0000002d90 (/usr/lib/x86_64-linux-gnu/libc.so.6+0x2d8f)

    Received signal 6
    #0 0x55d000004141 base::debug::CollectStackTrace()
    #1 0x55d000005141 base::debug::(anonymous namespace)::StackDumpSignalHandler()
    #2 0x7f0000003330 <unknown>
    #3 0x7f0000004cc9 gsignal
    #4 0x55d00000964d Drawer::open(int)
      r8: 0000000008000000  r9: 000000000000b270 r10: 0000000000000008 r11: 0000000000000206
      ip: 00007f48990abcc9 efl: 0000000000000206 cgf: 0000000000000033 erf: 0000000000000000
    [end of stack trace]
    Calling _exit(1). Core file will not be generated.
    [4217:4218:0412/075452.163515:INFO:till.cc(7)] closed
    """

  @Test("Chromium: a failed check, its stack, and the signal's are one report")
  func chromium() throws {
    let report = try report(in: Self.check)
    #expect(report.reason.type == "Check failed" && report.reason.message == "coins > 0 (-1 vs. 0)")
    #expect(report.reason.signal == "SIGABRT" && report.process.pid == 4217)
    #expect(report.tags.contains { $0.value == "drawer.cc:57" })
    let thread = try #require(report.threads.first)
    #expect(thread.id == 4218 && thread.crashed && report.crashedThread == 0)
    #expect(
      thread.frames.map(\.function) == [
        "base::debug::CollectStackTrace()", "logging::LogMessage::~LogMessage()",
        "Drawer::open(int)", nil,
      ])
    #expect(thread.frames[0].line == 1001 && thread.frames[0].column == 7)
    #expect(thread.frames[3].imageOffset == ImageOffset(0x2d8f))
    #expect(report.images.map(\.name) == ["libc.so.6"])
    #expect(report.images[0].base == Address(0x7f00_0000_0001))
    let other = try #require(report.otherStacks.first)
    #expect(other.title == "received SIGABRT" && other.frames.count == 5)
    #expect(other.frames[3].position == .exact && other.frames[4].position == .returnAddress)
    #expect(thread.registers.contains(Register("rip", 0x7f48_990a_bcc9)))
    #expect(thread.registers.count == 8)
  }

  @Test(
    "Messages without a stack are reports with their place",
    arguments: [
      (
        "[5:5:0100/000000:FATAL:till.cc(449)] Check failed: len > 0 (-1 vs. 0)", "Check failed",
        "len > 0 (-1 vs. 0)", "till.cc", 449
      ),
      (
        "[0115/090948.959721:FATAL:Mutex.h:41] check(owner == 0)", "FATAL", "check(owner == 0)",
        "Mutex.h", 41
      ),
      (
        "[FATAL:View.h(209)] Security DCHECK failed: a <= b.", "Security DCHECK failed", "a <= b.",
        "View.h", 209
      ),
      (
        "F0102 12:34:56.789012    42 till.cc:12] Check failed: a == b (1 vs. 2) ", "Check failed",
        "a == b (1 vs. 2)", "till.cc", 12
      ),
      (
        "frameworks/av/Drawer.cpp:3301 CHECK_EQ( (unsigned)p[0],1u) failed: 25 vs. 1",
        "CHECK failed", "CHECK_EQ( (unsigned)p[0],1u): 25 vs. 1", "frameworks/av/Drawer.cpp", 3301
      ),
      (
        "../src/Mutex.cpp:41: fatal error: \"assert(x)\"", "fatal error", "assert(x)",
        "../src/Mutex.cpp", 41
      ),
      (
        "tern: till.c:5: int main(): Assertion `x > 0' failed.", "Assertion failed", "x > 0",
        "till.c", 5
      ),
      (
        "Assertion failed: (x > 0), function main, file till.c, line 5.", "Assertion failed",
        "(x > 0)", "till.c", 5
      ),
      (
        "Assertion failed: x > 0 (till.c: main: 5)", "Assertion failed", "x > 0", "till.c", 5
      ),
      (
        "#\n# Fatal error in ../../src/heap.h, line 54\n# Check failed: !isFree(bit).\n#\n",
        "Check failed", "!isFree(bit).", "../../src/heap.h", 54
      ),
    ])
  func messages(line: String, type: String, text: String, file: String, number: Int) throws {
    for log in [line, "before\n\(line)\nafter\n", "I/tern(12): \(line)\nI/tern(12): after"] {
      let report = try report(in: log)
      #expect(report.reason.type == type && report.reason.message == text)
      let frame = try #require(report.threads.first?.frames.first)
      #expect(frame.file == file && frame.line == number && frame.position == .adjusted)
    }
  }

  @Test("Messages of libraries and of the linker")
  func libraries() throws {
    var report = try report(
      in:
        "terminate called after throwing an instance of 'std::range_error'\n  what():  no desk 7\n")
    #expect(report.reason.exception?.type == "std::range_error")
    #expect(report.reason.exception?.message == "no desk 7")
    report = try self.report(
      in: "libc++abi: terminating due to uncaught exception of type tern::Error: no desk 7")
    #expect(report.reason.exception?.type == "tern::Error")
    #expect(report.reason.exception?.message == "no desk 7")
    report = try self.report(
      in: "./tern: error while loading shared libraries: libtern.so.1: cannot open shared object"
        + " file: No such file or directory")
    #expect(report.process.name == "tern")
    #expect(report.reason.message?.hasPrefix("libtern.so.1: cannot open") == true)
    report = try self.report(in: "start\nfree(): invalid pointer\nAborted (core dumped)\n")
    #expect(report.reason.message == "free(): invalid pointer")
    report = try self.report(
      in: "#\n# Fatal error in CALL_AND_RETRY_LAST\n# Allocation failed - JavaScript heap out of"
        + " memory\n#\n")
    #expect(report.kind == .oom)
    report = try self.report(
      in: "[1:2:0110/144726.168:ERROR:gpu_process_host.cc(972)] GPU process exited unexpectedly:"
        + " exit_code=-1073741819\n")
    #expect(report.reason.type == "GPU process exited unexpectedly")
    #expect(report.reason.code == "exit_code=-1073741819" && report.kind == .crash)
  }

  @Test("abseil: the signal, where the program was, and frames with their sizes")
  func abseil() throws {
    let report = try report(
      in: """
        *** SIGSEGV received at time=1665082632 on cpu 8 ***
        PC: @     0x55f1a2b3c4d5  (unknown)  Drawer::open()
            @     0x7f9d5bb0a520  (unknown)  (unknown)
            @     0x55f1a2b3c4d5      15728  Drawer::open()
            @     0x55f1a2b3c5d5         48  main
            @ ... and at least 3 more frames
        done
        """)
    #expect(report.reason.signal == "SIGSEGV" && report.time == Timestamp(seconds: 1_665_082_632))
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.function) == [nil, "Drawer::open()", "main"])
    #expect(frames.map(\.position) == [.returnAddress, .exact, .returnAddress])
    #expect(report.notes == ["the program left frames out"])
  }

  @Test("glog: a fatal message, its stack and the signal's")
  func glog() throws {
    let report = try report(
      in: """
        I0102 12:34:56.689012 12345 till.cc:7] open
        F0102 12:34:56.789012 12345 till.cc:12] no desk left
        *** Check failure stack trace: ***
            @     0x7f892fb417d0  google::LogMessage::Fail()
            @           0x412eb1  Drawer::open()
        *** Aborted at 1225095260 (unix time) try "date -d @1225095260" if you are using GNU date ***
        PC: @     0x7f892fb40000 raise
        *** SIGABRT (@0x3e800003039) received by PID 12345 (TID 0x7f893090a6f0) from PID 12345; stack trace: ***
            @     0x7f892fb417d0 (unknown)
            @     0x7f892fb40000 raise
        """)
    #expect(report.reason.type == "FATAL" && report.reason.message == "no desk left")
    #expect(report.reason.signal == "SIGABRT" && report.process.pid == 12345)
    #expect(report.time == Timestamp(seconds: 1_225_095_260))
    #expect(
      report.threads.first?.frames.map(\.function) == [
        "google::LogMessage::Fail()", "Drawer::open()",
      ])
    #expect(report.otherStacks.first?.frames.map(\.position) == [.returnAddress, .exact])
  }

  @Test("folly: source lines below the frames, and the signal code's meaning")
  func folly() throws {
    let report = try report(
      in: """
        *** Aborted at 1445984143 (Unix time, try 'date -d @1445984143') ***
        *** Signal 11 (SIGSEGV) (0x18) received by PID 3 (pthread TID 0x7f) (linux TID 3) (code: address not mapped to object), stack trace: ***
            @ 00000000007ad8a9 folly::symbolizer::(anonymous namespace)::innerSignalHandler(int)
                               ./folly/symbolizer/SignalHandler.cpp:449
            @ 000000000040a5ab Drawer::open()
                               ./till/drawer.cpp:12
            @ 0000000000021b14 __libc_start_main
        (safe mode, symbolizer not available)
        """)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.address == Address(0x18))
    #expect(report.reason.code == "address not mapped to object")
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.line) == [449, 12, nil] && frames[1].file == "./till/drawer.cpp")
  }

  private static func sample(_ name: String) throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return try ByteView(
      reading: root.joined(separator: "/") + "/Samples/native-log/" + name, limit: 1 << 20
    ).text
  }

  @Test("Output of real programs with glibc's functions and with glog")
  func samples() throws {
    var report = try report(in: Self.sample("null-read-glibc.txt"))
    #expect(report.reason.signal == "SIGSEGV")
    #expect(report.threads[0].frames.count == 7)
    #expect(report.threads[0].frames[2].function == "_ZNK4Cart5totalEl")
    #expect(report.images.map(\.base) == [Address(0x5555_5555_4000), Address(0x7fff_f7dd_4000)])
    report = try self.report(in: Self.sample("check-failed-glog.txt"))
    #expect(report.reason.type == "Check failed")
    #expect(report.reason.message == "coins >= wanted (3 vs. 5) the drawer is short")
    #expect(report.threads[0].frames[4].function == "Drawer::open()")
    #expect(report.threads[0].frames.count == 9 && report.threads[0].id == 12062)
  }

  @Test("backtrace_symbols: every form of a frame, and bases from the frames' offsets")
  func symbols() throws {
    let report = try report(
      in: """
        tern: got signal 11
        ./tern(_Z7onCrashi+0x1f)[0x55d00000121f]
        /lib/x86_64-linux-gnu/libc.so.6(+0x42520) [0x7f0000042520]
        ./tern(+0x1234)[0x55d000001234]
        ./tern() [0x55d000001300]
        [0x3c13f38d]
        /lib/x86_64-linux-gnu/libc.so.6(__libc_start_main+0x80)[0x7f0000029e40]
        tern: restarted
        """)
    #expect(report.reason.signal == "SIGSEGV")
    let frames = try #require(report.threads.first?.frames)
    #expect(
      frames.map(\.function) == [
        "_Z7onCrashi", "<signal handler called>", nil, nil, nil, "__libc_start_main",
      ])
    #expect(
      frames.map { $0.imageOffset?.value } == [0x121f, 0x42520, 0x1234, 0x1300, nil, 0x29e40])
    #expect(frames[0].symbolOffset == 0x1f)
    // glibc's trampoline begins where the handler returns to; the signal arrived below it.
    #expect(
      frames.map(\.position) == [
        .returnAddress, .exact, .exact, .returnAddress, .returnAddress, .returnAddress,
      ])
    #expect(report.images.map(\.name) == ["tern", "libc.so.6"])
    #expect(report.images.map(\.base) == [Address(0x55d0_0000_0000), Address(0x7f00_0000_0000)])
  }

  @Test("backtrace_symbols of a position-dependent program gives linked addresses")
  func unmoved() throws {
    let report = try report(
      in: """
        Caught signal 11
        ./gull[0x401193]
        /lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7f29e0011050]
        ./gull() [0x4011ce]
        ./gull(main+0x1f)[0x401204]
        ./libgull.so(gull_fly+0x1f)[0x7f29e1011050]
        """)
    #expect(report.images.map(\.base) == [Address(0), Address(0x7f29_dffd_5000), nil])
    let frames = try #require(report.threads.first?.frames)
    #expect(
      frames.map { $0.imageOffset?.value } == [0x401193, 0x3c050, 0x4011ce, 0x401204, nil])
    #expect(
      frames.map(\.position) == [
        .returnAddress, .exact, .exact, .returnAddress, .returnAddress,
      ])
  }

  @Test(
    "A stack of addresses behind their images is a report without a word above it",
    arguments: [
      "", "gull: nothing to see\n", "Nov 27 10:00:00 host gull[42]: ",
    ])
  func bare(before: String) throws {
    let prefix = before.hasSuffix("\n") ? "" : before
    let lines = ["./gull[0x4011a7]", "./gull[0x401186]", "./gull[0x4011e1]"]
    let text =
      (prefix.isEmpty ? before : "") + lines.map { prefix + $0 + "\n" }.joined()
    let report = try report(in: text)
    #expect(
      report.threads.first?.frames.map { $0.imageOffset?.value } == [0x4011a7, 0x401186, 0x4011e1])
  }

  @Test("Addresses in brackets after words are not a stack")
  func bracketsOfOthers() throws {
    for text in [
      "waiting for monitor entry  [0x00007f00]\nwaiting on condition  [0x00007f10]\n",
      "[0x401234]\n[0x401235]\n", "a[0x10] = 1\na[0x11] = 2\n",
    ] {
      #expect(try LogReaderChecks.reports(text).isEmpty, "\(text)")
    }
  }

  /// The messages of `__fortify_fail`, `malloc_printerr` and `__libc_fatal` in Debian's libc.so.6.
  @Test(
    "glibc's last words are the message, not those of std::terminate",
    arguments: [
      "*** stack smashing detected ***: terminated", "*** buffer overflow detected ***: terminated",
      "*** bit out of range 0 - FD_SETSIZE on fd_set ***: terminated",
      "*** longjmp causes uninitialized stack frame ***: terminated",
      "*** invalid open64 call: O_CREAT or O_TMPFILE without mode ***: terminated",
      "*** %n in writable segment detected ***", "*** invalid %N$ use detected ***",
      "*** stack smashing detected ***: <unknown> terminated",
      "*** stack smashing detected ***: ./tern terminated",
      "tcache_thread_shutdown(): unaligned tcache chunk detected", "invalid fastbin entry (free)",
      "free(): too many chunks detected in tcache", "corrupted double-linked list (not small)",
      "Fatal glibc error: array index 7 not less than array length 3",
    ])
  func lastWordsOfGlibc(_ words: String) throws {
    let stack = "./tern(main+0x2a8)[0x5604040cf1a6]\n/lib/libc.so.6(abort+0x85)[0x7ff156aa1305]\n"
    for rest in ["\n", "\nAborted (core dumped)\n", "\n" + stack] {
      let report = try report(in: words + rest)
      #expect(report.reason.type == "abort")
      let message = try #require(report.reason.message)
      #expect(words.hasPrefix(message) && message.utf8.count > 20, "\(message)")
      #expect(report.threads.first?.frames.isEmpty != true || rest.hasPrefix("\n./") == false)
    }
    for prose in ["the process was terminated\n", "*** invalid opening hours ***\n"] {
      #expect(try LogReaderChecks.reports(prose).isEmpty)
    }
  }

  @Test("glibc's catchsegv and its reports of damaged heaps, with the memory map")
  func catchsegv() throws {
    var report = try report(
      in: """
        *** Segmentation fault
        Register dump:

         RAX: 0000000000000000   RBX: 0000000000000001   RCX: 0000000000000002
         RIP: 0000000000401234   EFLAGS: 00010246

        Backtrace:
        /opt/tern/tern(main+0x14)[0x55d000001234]
        /lib64/libc.so.6(__libc_start_main+0xf5)[0x7f0000021b15]

        Memory map:

        55d000000000-55d000002000 r-xp 00000000 08:01 42 /opt/tern/tern
        7f0000000000-7f0000100000 r-xp 00000000 08:01 43 /lib64/libc.so.6
        """)
    #expect(report.reason.signal == "SIGSEGV" && report.threads[0].registers.count == 5)
    #expect(report.threads[0].frames.map { $0.imageOffset?.value } == [0x1234, 0x21b15])
    #expect(report.images.map(\.size) == [0x2000, 0x100000])
    report = try self.report(
      in: """
        *** Error in `./tern': double free or corruption (fasttop): 0x0000000001234010 ***
        ======= Backtrace: =========
        /lib64/libc.so.6(+0x7d053)[0x7f000007d053]
        ./tern[0x40057d]
        ======= Memory map: ========
        00400000-00401000 r-xp 00000000 08:01 42 /opt/tern/tern
        Aborted (core dumped)
        """)
    #expect(report.reason.message == "double free or corruption (fasttop)")
    #expect(report.process.name == "tern" && report.threads[0].frames.count == 2)
  }

  @Test("Stacks of Boost, of the standard library, of backward-cpp and of V8")
  func others() throws {
    var report = try report(
      in: """
         0# Drawer::open() at /src/drawer.cpp:70
         1# 0x000055d000001234 in ./tern
         2# main in /opt/tern/tern
        """)
    #expect(report.threads[0].frames.map(\.function) == ["Drawer::open()", nil, "main"])
    #expect(report.threads[0].frames[0].line == 70)
    report = try self.report(
      in: """
        Stack trace (most recent call last):
        #2    Object "/opt/tern/tern", at 0x55d000001234, in _start
        #1    Source "/src/main.cpp", line 12, in main [0x55d000001300]
                  11: {
              >   12:   open();
        #0    Source "/src/drawer.cpp", line 70, in Drawer::open() [0x55d000001310]
        Segmentation fault (Address not mapped to object [0x18])
        """)
    #expect(report.threads[0].frames.map(\.function) == ["Drawer::open()", "main", "_start"])
    #expect(report.threads[0].frames.map(\.line) == [70, 12, nil])
    report = try self.report(
      in: """
        #
        # Fatal error in ../../src/heap.h, line 54
        # unreachable code
        #

        ==== C stack trace ===============================

         1: 0xb29b0f4
         2: V8_Fatal(char const*, int)
        """)
    #expect(report.reason.message == "unreachable code")
    #expect(report.threads[0].frames.map(\.function) == [nil, "V8_Fatal(char const*, int)"])
    report = try self.report(
      in: """
        Received signal 11 SEGV_MAPERR 000000000018

        ==== C stack trace ===============================

            /opt/tern/libtern.so(_ZN4tern4openEv+0x1f) [0x7f000000845f]
            [0x3c13f38d]
        [end of stack trace]
        """)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.code == "SEGV_MAPERR")
    #expect(report.reason.address == Address(0x18) && report.threads[0].frames.count == 2)
  }

  @Test("Chromium on Windows and on Apple's systems")
  func otherSystems() throws {
    var report = try report(
      in: """
        [2212:2800:0909/171250.927:FATAL:drawer.cc(160)] Check failed: !isOpen. Not allowed.
        more of it
         base::debug::CollectStackTrace [0x00007FF9B2DDC1BA+58] (base/debug/stack_trace_win.cc:332)
         Drawer::open [0x00007FF9B2E24FF7+583] (till/drawer.cc:160)
         (No symbol) [0x00007FF9B2E24000]
        """)
    #expect(
      report.threads[0].frames.map(\.function) == [
        "base::debug::CollectStackTrace", "Drawer::open", nil,
      ])
    #expect(report.threads[0].frames[1].symbolOffset == 583)
    #expect(report.threads[0].frames[1].line == 160)
    report = try self.report(
      in: """
        [1:259:0909/171250.927:FATAL:drawer.cc(160)] Check failed: !isOpen.
        0   Tern Framework                      0x0000000108d5e3c9 base::debug::StackTrace() + 9
        1   Tern Framework                      0x0000000108d5e400 Drawer::open() + 64
        """)
    #expect(report.threads[0].frames.map(\.symbolOffset) == [9, 64])
    #expect(report.images.map(\.name) == ["Tern Framework"])
  }

  @Test("Centipede's limits are a hang or out of memory, once per run")
  func centipede() throws {
    var report = try report(
      in: """
        CRASH LOG: Centipede fuzz target runner; argv[0]: /opt/tern/till_fuzzer flags: :x=1
        CRASH LOG: ========= Per-input timeout exceeded: 6 > 5 (sec); exiting

        CRASH LOG: ========= Per-input timeout exceeded: 6 > 5 (sec); exiting
        """)
    #expect(report.kind == .hang && report.process.name == "till_fuzzer")
    report = try self.report(in: "========= RSS limit exceeded: 300 > 200 (mb); exiting")
    #expect(report.kind == .oom)
  }

  @Test("A report that follows takes over the message")
  func joined() throws {
    let sanitizer = try LogReaderChecks.reports(
      """
      [1:2:0110/144726.168:FATAL:drawer.cc(160)] Check failed: !isOpen.
      ==7==ERROR: AddressSanitizer: ABRT on unknown address 0x000000000007
          #0 0x55d000001234 in raise /src/raise.c:5
          #1 0x55d000001300 in Drawer::open() /src/drawer.cc:160:5
      """)
    #expect(sanitizer.map(\.format.description) == ["sanitizer"])
    #expect(sanitizer.first?.reason.message?.contains("Check failed: !isOpen.") == true)
    let both = try LogReaderChecks.reports(
      """
      #
      # Fatal error in
      # Check failed: a == b.
      #
      ==== C stack trace ===============================

       1: 0x55d000001234
      ==7==ERROR: UndefinedBehaviorSanitizer: TRAP on unknown address 0x000000000000 (pc 0x1 T7)
          #0 0x55d000001300 in Drawer::open() /src/drawer.cc:160:5
      """)
    #expect(both.map(\.format.description) == ["sanitizer"])
    #expect(both.first?.otherStacks.map(\.title) == ["printed by the program"])
    let timeout = try LogReaderChecks.reports(
      """
      ========= Per-input timeout exceeded: 26 > 25 (sec); exiting
      Sending SIGABRT to the runner main thread.
      ==7==ERROR: AddressSanitizer: ABRT on unknown address 0x000000000007
          #0 0x55d000001300 in Drawer::open() /src/drawer.cc:160:5
      """)
    #expect(timeout.map(\.format.description) == ["sanitizer"] && timeout.first?.kind == .hang)
    let child = try LogReaderChecks.reports(
      """
      ==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000007
          #0 0x55d000001300 in Drawer::open() /src/drawer.cc:160:5
      ==7==ABORTING
      [1:2:0110/144726.168:ERROR:gpu_process_host.cc(972)] GPU process exited unexpectedly: exit_code=1
      """)
    #expect(child.map(\.format.description) == ["sanitizer"])
    let debugger = try LogReaderChecks.reports(
      """
      tern: till.c:5: main: Assertion `x > 0' failed.

      Program received signal SIGABRT, Aborted.
      #0  0x00007f0000001234 in raise (sig=6) at raise.c:50
      #1  0x000055d000001300 in main () at till.c:5
      """)
    #expect(debugger.map(\.format.description) == ["debugger"])
    #expect(debugger.first?.reason.message == "x > 0")
    let tombstone = try LogReaderChecks.reports(
      """
      till.cpp:33 CHECK(open) failed.
      *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
      Build fingerprint: 'tern/till/till:9/PQ1A/1:user/release-keys'
      ABI: 'arm64'
      pid: 7, tid: 8, name: till  >>> com.example.tern <<<
      signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------
      Abort message: '[FATAL:till.cpp(33)] Check failed: open'
      backtrace:
          #00 pc 0000000000022988  /system/lib64/libc.so (abort+116)
          #01 pc 0000000000001234  /data/app/libtern.so (Drawer::open()+16)
      """)
    #expect(tombstone.map(\.format.description) == ["android-tombstone"])
    #expect(tombstone.first?.threads.first?.frames.count == 2)
  }

  @Test(
    "Lines of other programs are not a report",
    arguments: [
      "Received signal 15, shutting down\nbye\n",
      "[12:34:0412/075451.1:ERROR:a.cc(7)] Check failed: x\n[12:34:0412/075451.2:INFO:a.cc(7)] y\n",
      "till.c:1:10: fatal error: tern.h: No such file or directory\n",
      "2026-01-02 FATAL: password authentication failed for user \"tern\"\n",
      "the word Assertion failed: in prose\n", "free(): is a function\n", "0# one\n",
      "Caught: TypeError: Assertion failed: got \"false\", expected \"true\"\n",
      "E0102 12:34:56.789012    42 till.cc:12] Check failed: a == b\n",
    ])
  func noReports(text: String) throws { #expect(try LogReaderChecks.reports(text).isEmpty) }

  @Test("A Chromium log without a crash is refused by its name, and not as JSON")
  func refusal() throws {
    for (text, words) in [
      (
        "[12:34:0412/075451.163515:INFO:till.cc(53)] open\n",
        "the log of a Chromium program without a crash"
      ),
      ("[info] open\n", "no report of a known format"),
      ("[2026-01-02 10:11:12] open\n", "no report of a known format"),
      ("[1, 2]", "JSON, but no report of a known format"),
      ("[ {\"a\": 1} ]", "JSON, but no report of a known format"),
    ] {
      #expect {
        _ = try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
      } throws: {
        ($0 as? ParseError)?.structure == words
      }
    }
  }

  @Test("Several in one log, each line after a logger's prefix")
  func prefixed() throws {
    let log = (Self.check + "\n" + Self.check).split(separator: "\n").map {
      "May 01 10:11:12 host tern[42]: \($0)"
    }
    let reports = try LogReaderChecks.reports(log.joined(separator: "\n"))
    #expect(reports.map { $0.threads.first?.frames.count } == [4, 4])
    #expect(reports.map(\.reason.signal) == ["SIGABRT", "SIGABRT"])
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = Array(Self.check.utf8)
    for count in bytes.indices {
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      #expect(try LogReaderChecks.reports(text).count <= 2)
    }
    var mutator = Mutator(seed: 7)
    for _ in 0..<300 {
      let text = String(decoding: mutator.mutated(bytes), as: UTF8.self)
      for report in try LogReaderChecks.reports(text) {
        #expect(report.threads.flatMap(\.frames).count < 100)
      }
    }
  }
}
