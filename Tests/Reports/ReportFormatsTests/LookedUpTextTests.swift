import Bytes
import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

/// Text that other tools have symbolicated, or that names its locations in its own format.
@Suite("Text symbolicated by other tools")
struct LookedUpTextTests {
  private func report(in text: String) throws -> CrashReport {
    let reports = try LogReaderChecks.reports(text)
    #expect(reports.count == 1)
    return try #require(reports.first)
  }

  @Test(
    "Unknown locations are not part of a name",
    arguments: ["??:?", "??:0", "??:?:?", "?:?", "??", "??:0:0"])
  func unknownPlaces(place: String) throws {
    let report = try report(
      in: """
        ==41==ERROR: LeakSanitizer: detected memory leaks

        Direct leak of 10 byte(s) in 1 object(s) allocated from:
            #0 0x7fef9d463acb in __interceptor_malloc \(place)
            #1 0x7fefa091110b in till_open(int) \(place)
        SUMMARY: AddressSanitizer: 10 byte(s) leaked in 1 allocation(s).
        """)
    #expect(
      report.threads.first?.frames.map(\.function) == ["__interceptor_malloc", "till_open(int)"])
    #expect(report.threads.first?.frames.allSatisfy { $0.file == nil && $0.line == nil } == true)
  }

  @Test("The distance from the nearest symbol is an offset, not a name")
  func offsets() throws {
    let report = try report(
      in: #"""
        ==4712==ERROR: AddressSanitizer: access-violation on unknown address 0x000000000010 (pc 0x7ff7cc4b2426 bp 0x00f6 sp 0x00f5 T4)
        ==4712==The signal is caused by a READ memory access.
            #0 0x7ff7cc4b2425 in TillOpen+0x45 (c:\b\tern.exe+0x1402425)
            #1 0x7ff7cc4b6eeb in operator+0x12 (c:\b\tern.exe+0x1406eeb)
            #2 0x7ffe57838363 in BaseThreadInitThunk+0x13
        SUMMARY: AddressSanitizer: access-violation (c:\b\tern.exe+0x1402425) in TillOpen+0x45
        """#)
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.function) == ["TillOpen", "operator", "BaseThreadInitThunk"])
    #expect(frames.map(\.symbolOffset) == [0x45, 0x12, 0x13])
  }

  @Test("A tombstone without the heading of its stack")
  func tombstone() throws {
    let report = try report(
      in: """
        Build fingerprint: 'google/shiba/shiba:15/AP3A.241005.015/12366759:user/release-keys'
        ABI: 'arm64'
        pid: 21395, tid: 21409, name: RenderThread  >>> app.example.tern <<<
        signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------
        Abort message: 'Check failed: coin > 0'
            #0 0xa26fcd8b in tern::Drawer::open() src/drawer.cc:57:29
            #1 0xa3c30597 in tern::Till::pay()+0x14 src/till.cc:88:5
        """)
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.function) == ["tern::Drawer::open()", "tern::Till::pay()"])
    #expect(frames.map(\.line) == [57, 88] && report.notes.isEmpty)
  }

  @Test("ndk-stack: names and locations under each frame, with inlined calls")
  func ndkStack() throws {
    let report = try report(
      in: """
        ********** Crash dump: **********
        Build fingerprint: 'google/shiba/shiba:15/AP3A.241005.015/12366759:user/release-keys'
        pid: 21395, tid: 21409, name: RenderThread  >>> app.example.tern <<<
        signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x18
        #00 0x00017574 /data/app/app.example.tern-1/lib/arm64/libtern.so (tern::Drawer::open()+20)
                                           tern::Coin::value() const
                                           /src/coin.h:12:3
                                           tern::Drawer::open()
                                           /src/drawer.cc:57:29
        #01 0x000603ca /apex/com.android.runtime/lib64/bionic/libc.so (__pthread_start+208)
                                           ??
                                           ??:0:0
        Crash dump is completed
        """)
    let frames = try #require(report.threads.first?.frames)
    #expect(
      frames.map(\.function) == [
        "tern::Coin::value() const", "tern::Drawer::open()", "__pthread_start",
      ])
    #expect(frames.map(\.file) == ["/src/coin.h", "/src/drawer.cc", nil])
    #expect(frames.map(\.inlined) == [true, false, false])
    #expect(frames.map(\.imageOffset?.value) == [0x17574, 0x17574, 0x603ca])
    #expect(report.images.map(\.name) == ["libtern.so", "libc.so"])
  }

  @Test("V8's message on the line below, and spdlog's level before a check")
  func checks() throws {
    let fatal = try report(
      in: """
        #
        # Fatal error
        # Check failed: !is_null().
        #
        #FailureMessage Object: 0x75f8bcf49860
        ==== C stack trace ===============================

            /app/tern(V8_Fatal+0x93) [0x5d2f5a678e93]
            /app/tern(tern::Drawer::open()+0x1a) [0x5d2f5a674c1a]
        Received signal 6
        """)
    #expect(fatal.reason.type == "Check failed" && fatal.reason.message == "!is_null().")
    #expect(fatal.threads.first?.frames.count == 2)
    let logged = try report(
      in: """
        [2025-06-14 21:03:11.123] [tern] [critical] Check failed: coins > 0 (-1 vs. 0)
        ./tern(_ZN4tern6Drawer4openEv+0x1f) [0x55d1c0de1234]
        ./tern(main+0x1f) [0x55d1c0de1334]
        """)
    #expect(logged.reason.type == "Check failed" && logged.reason.message == "coins > 0 (-1 vs. 0)")
    let microsoft = try report(in: #"Assertion failed: coins > 0, file C:\t\drawer.c, line 57"#)
    #expect(microsoft.reason.message == "coins > 0")
    #expect(microsoft.threads.first?.frames.first?.line == 57)
  }

  @Test("A signal that Chromium caught, with a stack symbolicated by a tool")
  func chromium() throws {
    let report = try report(
      in: """
        Received signal 11 SEGV_MAPERR 000000000018
            #0 0x5582e1a3b4c9 in base::debug::CollectStackTrace(void**, unsigned long) base/debug/stack_trace_posix.cc:845:39
            #1 0x7f1e2c642520 in __restore_rt (/lib/x86_64-linux-gnu/libc.so.6+0x4251f)
            #2 0x5582dfe12345 in tern::Drawer::open(int) tern/drawer.cc:57:9
            #3 0x5582dfe12399 in main tern/main.cc:12:3
        [end of stack trace]
        """)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.address == Address(0x18))
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.line) == [845, nil, 57, 12])
    #expect(frames[2].function == "tern::Drawer::open(int)")
    #expect(frames[1].imageOffset == ImageOffset(0x4251f))
  }

  @Test("Unreal's message contains the address, its modules the program")
  func unreal() throws {
    let windows = try report(
      in: #"""
        LogWindows: Error: === Critical error: ===
        LogWindows: Error:
        LogWindows: Error: Unhandled Exception: EXCEPTION_ACCESS_VIOLATION reading address 0x0000000000000018
        LogWindows: Error:
        LogWindows: Error: [Callstack] 0x00007ff6a1b2c3d4 Tern-Win64-Shipping.exe!ATill::Pay() [D:\tern\Till.cpp:20]
        """#)
    #expect(windows.reason.address == Address(0x18))
    #expect(windows.app.name == "Tern-Win64-Shipping" && windows.process.name == windows.app.name)
    let linux = try report(
      in: """
        Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x0000000000000018

        [Callstack] 0x00007ff6a1b2c3d4 TernServer-Linux-Test!ATill::Pay() [/tern/Till.cpp:20]
        """)
    #expect(linux.reason.signal == "SIGSEGV" && linux.reason.address == Address(0x18))
    #expect(linux.app.name == "TernServer-Linux-Test")
  }

  @Test("A module that was replaced at run time is the same module")
  func deleted() throws {
    let report = try report(
      in: """
        2026-05-01T10:12:44+0000 counter systemd-coredump[2219]: Process 2217 (tern) of user 1000 dumped core.

        Stack trace of thread 2217:
        #0  0x00007fab3c08af1c n/a (/usr/lib/x86_64-linux-gnu/libc.so.6 (deleted) + 0x8af1c)
        #1  0x0000555f076397a0 n/a (/opt/tern/bin/tern (deleted) + 0x17a0)
        """)
    #expect(report.images.map(\.name) == ["libc.so.6", "tern"])
    #expect(report.images.last?.path == "/opt/tern/bin/tern")
  }

  @Test("A library in a package is found by its own name")
  func packages() {
    for (path, name) in [
      ("/data/app/~~kQ==/x/base.apk!libgame.so", "libgame.so"),
      ("/data/app/split_config.arm64_v8a.apk!libgame.so", "libgame.so"),
      ("/data/app/x/base.apk!/lib/arm64-v8a/libgame.so", "libgame.so"),
      ("/data/app/x/base.apk!", "base.apk!"), ("/opt/hey!/tern!x", "tern!x"),
    ] {
      #expect(LoadedImage(name: "?", path: path).fileName == name)
    }
  }

  @Test("Pointers of arm64e lose their signature if an image contains the rest")
  func signedPointers() throws {
    let report = try report(
      in: """
        Process:             Tern [2017]
        Path:                /private/var/containers/Bundle/Application/7D9D/Tern.app/Tern
        Identifier:          shop.tern.till
        Version:             1.0.0 (100)
        Code Type:           ARM-64 (Native)

        Exception Type:  EXC_BAD_ACCESS (SIGSEGV)

        Thread 0 Crashed:
        0   Tern                          \t0x00000001028740c0 0x102870000 + 16576
        1   ???                           \t0x552d810102874644 0x0 + 0
        2   Tern                          \t0x9b0ea2810287492c 0x102870000 + 18732
        3   ???                           \t0x552d810402874644 0x0 + 0

        Binary Images:
        0x102870000 - 0x102877fff Tern arm64  <4c4c446b55553144a14279c47c75be14> /private/var/Tern.app/Tern
        """)
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.imageOffset?.value) == [0x40c0, 0x4644, 0x492c, nil])
    #expect(frames[1].address == Address(0x1_0287_4644))
    #expect(frames[3].address == Address(0x552d_8104_0287_4644))
  }
}
