import Bytes
import CrashModel
import ReportFormats
import TestSupport
import Testing

/// Stacks with the frame of a signal handler, in the formats that print addresses.
@Suite("Frames that a signal interrupted") struct InterruptedFrameTests {
  private static func frames(_ text: String, thread: Int = 0) throws -> [Frame] {
    let report = try #require(try FormatRegistry.builtIn.reports(in: ByteView(text.utf8)).first)
    try #require(report.threads.indices.contains(thread))
    return report.threads[thread].frames
  }

  @Test("gdb and lldb")
  func debuggers() throws {
    let gdb = try Self.frames(
      """
      Program terminated with signal SIGABRT, Aborted.
      #0  0x00007ffff7e0b0fc in abort () from /lib/libc.so.6
      #1  0x0000555555555190 in onSignal (number=11)
      #2  <signal handler called>
      #3  0x00005555555551e0 in priceOf ()
      #4  0x0000555555555200 in main ()
      """)
    #expect(
      gdb.map(\.position) == [.exact, .returnAddress, .returnAddress, .exact, .returnAddress])
    let lldb = try Self.frames(
      """
      * thread #1, queue = 'com.apple.main-thread', stop reason = signal SIGABRT
        * frame #0: 0x00000001a0001000 libsystem_kernel.dylib`__pthread_kill + 8
          frame #1: 0x00000001a0002000 libsystem_c.dylib`abort + 124
          frame #2: 0x00000001a0003000 libsystem_platform.dylib`_sigtramp + 56
          frame #3: 0x0000000100001000 Tern`priceOf
          frame #4: 0x0000000100001100 Tern`main + 32
      """)
    #expect(
      lldb.map(\.position) == [
        .exact, .returnAddress, .returnAddress, .exact, .returnAddress,
      ])
  }

  @Test("The journal, with the trampoline's name and without, but not after a library's own call")
  func journal() throws {
    func positions(_ third: String) throws -> [CodePosition] {
      try Self.frames(
        """
        May 01 10:12:44 host systemd-coredump[2219]: Process 2217 (gull) of user 1000 dumped core.

        Stack trace of thread 2217:
        #0  0x00007fab3c08af1c n/a (libc.so.6 + 0x8af1c)
        #1  0x00005555555551db n/a (gull + 0x11db)
        #2  \(third)
        #3  0x00005555555551e1 n/a (gull + 0x11e1)
        #4  0x00005555555551f2 n/a (gull + 0x11f2)
        """
      ).map(\.position)
    }
    let interrupted: [CodePosition] = [.exact, .returnAddress, .exact, .exact, .returnAddress]
    #expect(try positions("0x00007fab3c03c050 __restore_rt (libc.so.6 + 0x3c050)") == interrupted)
    #expect(try positions("0x00007fab3c03c050 n/a (libc.so.6 + 0x3c050)") == interrupted)
    #expect(try positions("0x00007ffd1c7fe6bc n/a (linux-vdso.so.1 + 0x6bc)") == interrupted)
    // `bsearch`, which calls what it is given.
    let called: [CodePosition] =
      [.exact] + Array(repeating: .returnAddress, count: 4)
    #expect(try positions("0x00007fab3c03c05b n/a (libc.so.6 + 0x3c05b)") == called)
    #expect(try positions("0x00007fab3c03c050 n/a (libgull.so + 0x3c050)") == called)
    #expect(try positions("0x00007fab3c03c050 qsort (libc.so.6 + 0x3c050)") == called)
  }

  @Test("Tombstones, whose other addresses are already inside the calls")
  func tombstone() throws {
    let frames = try Self.frames(
      """
      *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
      Build fingerprint: 'made/up/up:14/UP1A/1:user/release-keys'
      ABI: 'arm64'
      pid: 71, tid: 71, name: gull  >>> com.gull <<<
      signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------
      backtrace:
            #00 pc 0000000000089b04  /apex/com.android.runtime/lib64/bionic/libc.so (abort+164)
            #01 pc 0000000000001234  /data/app/lib/arm64/libgull.so (onSignal+20)
            #02 pc 00000000000008a4  [vdso] (__kernel_rt_sigreturn)
            #03 pc 0000000000001100  /data/app/lib/arm64/libgull.so (priceOf)
            #04 pc 0000000000001200  /data/app/lib/arm64/libgull.so (main+16)
      """)
    #expect(frames.map(\.position) == [.exact, .adjusted, .exact, .exact, .adjusted])
  }

  @Test("Apple's reports as text, and MetricKit's, which have no names")
  func apple() throws {
    let text = try Self.frames(
      """
      Incident Identifier: FFB122A2-1BCF-4DE0-9BF2-75252C5BB35D
      Process:             Gull [2017]
      Identifier:          shop.gull
      Code Type:           ARM-64 (Native)
      OS Version:          iPhone OS 17.5.1 (21F90)
      Report Version:      104

      Exception Type:  EXC_CRASH (SIGABRT)
      Triggered by Thread:  0

      Thread 0 Crashed:
      0   libsystem_kernel.dylib        	0x00000001a0001180 __pthread_kill + 8
      1   Gull                          	0x0000000102874644 0x102870000 + 17988
      2   libsystem_platform.dylib      	0x00000001a0003584 _sigtramp + 56
      3   Gull                          	0x00000001028740c0 0x102870000 + 16576
      4   Gull                          	0x0000000102874544 0x102870000 + 17732

      Binary Images:
      0x102870000 - 0x102877fff Gull arm64  <4c4c446b55553144a14279c47c75be14> /var/Gull
      """)
    #expect(
      text.map(\.position) == [.exact, .returnAddress, .returnAddress, .exact, .returnAddress])
    // A device whose system has no names.
    let nameless = try Self.frames(
      """
      {"crashDiagnostics": [{"version": "1.0.0", "diagnosticMetaData": {"signal": 6, "exceptionType": 10},
       "callStackTree": {"callStackPerThread": true, "callStacks": [{"threadAttributed": true,
        "callStackRootFrames": [{"binaryName": "libsystem_kernel.dylib", "address": 6979325312,
          "offsetIntoBinaryTextSegment": 4480, "binaryUUID": "00000000-0000-0000-0000-000000000010",
          "subFrames": [{"binaryName": "Gull", "address": 4337387076, "offsetIntoBinaryTextSegment": 17988,
          "binaryUUID": "00000000-0000-0000-0000-000000000020",
          "subFrames": [{"binaryName": "libsystem_platform.dylib", "address": 6979334532,
          "offsetIntoBinaryTextSegment": 13700, "binaryUUID": "00000000-0000-0000-0000-000000000030",
          "subFrames": [{"binaryName": "Gull", "address": 4337385664, "offsetIntoBinaryTextSegment": 16576,
          "binaryUUID": "00000000-0000-0000-0000-000000000020",
          "subFrames": [{"binaryName": "Gull", "address": 4337386820, "offsetIntoBinaryTextSegment": 17732,
          "binaryUUID": "00000000-0000-0000-0000-000000000020"}]}]}]}]}]}]}}],
       "timeStampBegin": "2026-05-01 00:00:00", "timeStampEnd": "2026-05-02 00:00:00"}
      """)
    #expect(nameless.map(\.position) == [.exact, .returnAddress, .exact, .exact, .returnAddress])
  }

  @Test(
    "In samples, the frames below those that get a trampoline's name",
    arguments: [
      (
        "apple-ips/null-read-1.1.0-macos-arm64.ips", "\"symbol\":\"_pthread_wqthread\"",
        "\"symbol\":\"_sigtramp\""
      ),
      (
        "kscrash/null-read-1.1.0-ios-arm64.json",
        "\"symbol_name\": \"<redacted>\",\n       \"symbol_addr\": 0",
        "\"symbol_name\": \"_sigtramp\",\n       \"symbol_addr\": 4295950000"
      ),
      (
        "sentry-event/null-read-1.1.0-ios-arm64.json", "\"instruction_addr\"",
        "\"function\": \"_sigtramp\", \"instruction_addr\""
      ),
    ])
  func samples(path: String, old: String, new: String) throws {
    let text = try Samples.view(path).text
    try #require(text.contains(old))
    let changed = text.split(separator: old, omittingEmptySubsequences: false)
      .joined(separator: new)
    let report = try #require(try FormatRegistry.builtIn.reports(in: ByteView(changed.utf8)).first)
    var count = 0
    for thread in report.threads {
      for index in thread.frames.indices.dropLast()
      where (thread.frames[index].function ?? thread.frames[index].symbol) == "_sigtramp" {
        #expect(thread.frames[index + 1].position == .exact)
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test("Names of trampolines, and names that are not")
  func names() {
    for name in [
      "_sigtramp", "__restore_rt", "__kernel_rt_sigreturn", "KiUserExceptionDispatcher",
      "<signal handler called>", "runtime.sigreturn__sigaction", "__vdso_rt_sigreturn",
    ] {
      #expect(SignalTrampoline.isName(name))
    }
    for name in ["main", "_sigtramp2", "", "__restore_rtx", "sigtramp::f()", "<unknown>"] {
      #expect(!SignalTrampoline.isName(name))
    }
  }
}
