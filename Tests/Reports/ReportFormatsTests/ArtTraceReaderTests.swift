import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Traces of Android's runtime")
struct ArtTraceReaderTests {
  private func sample() throws -> String {
    try ByteView(
      reading: Samples.folder + "/android-anr/blocked-main-1.0.0.txt", limit: 1 << 20
    ).text
  }

  @Test("The sample is read whole, and the holder of the lock found")
  func whole() throws {
    let reports = try LogReaderChecks.reports(sample())
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format.description == "android-anr" && report.notes.isEmpty)
    #expect(report.kind == .hang && report.reason.type == "ANR")
    #expect(report.reason.message?.hasPrefix("Input dispatching timed out (7c1e app") == true)
    #expect(report.app.identifier == "app.example.tern" && report.process.pid == 4711)
    #expect(report.os == OperatingSystem(name: "Android", version: "14", build: "UE1A.230829.036"))
    #expect(report.time == Timestamp("2026-11-20T08:44:18.220107345Z"))
    #expect(report.threads.map(\.name) == ["main", "tern picker", "HeapTaskDaemon"])
    #expect(report.threads.map(\.index) == [1, 12, 9])
    #expect(report.threads.map(\.id) == [4711, 4719, 4715])
    #expect(report.threads.map(\.frames.count) == [8, 6, 1])
    #expect(report.crashedThread == 0 && report.threads.map(\.crashed) == [true, false, false])
    #expect(report.tags[.lockHolder] == "1" && report.tags[.threadState] == "Blocked")
    let main = report.threads[0].frames
    #expect(main[0].function == "app.example.tern.Till.total")
    #expect(main[0].file == "Till.kt" && main[0].line == 58 && main[0].address == nil)
    #expect(main[6].function == "java.lang.reflect.Method.invoke" && main[6].file == nil)
    let native = report.threads[1].frames
    #expect(
      native.map(\.position) == [.exact, .adjusted, .adjusted] + native[3...].map(\.position))
    #expect(native[1].imageOffset == ImageOffset(0x5105) && native[1].function == nil)
    #expect(
      report.images.map(\.codeID?.description) == [
        "a87908b48b368e6282bcc9f34bcfc28c", "cc2d19272e32c23387437d85bce6e9088126e779",
      ])
  }

  @Test(
    "Names with quotes, threads that are not attached or still start",
    arguments: [
      ("\"a \"b\" c\" prio=5 tid=7 Native", "a \"b\" c", 7, nil as UInt64?),
      ("\"GC\" daemon prio=10 tid=8 Native (still starting up)", "GC", 8, nil),
      ("\"AudioThread\" prio=10 (not attached)", "AudioThread", 1, nil),
      ("\"Binder:9955_1\" sysTid=9973", "Binder:9955_1", 1, 9973),
    ])
  func threads(line: String, name: String, index: Int, id: UInt64?) throws {
    let text =
      "DALVIK THREADS (2):\n\"main\" prio=5 tid=1 Native\n  at a.b(C.java:1)\n\n\(line)\n  at c.d(E.kt)\n"
    let report = try #require(try LogReaderChecks.reports(text).first)
    let thread = try #require(report.threads.last)
    #expect(thread.name == name && thread.index == index && thread.id == id)
    #expect(thread.frames.count == 1 && thread.frames[0].file == "E.kt")
  }

  @Test("A dump of native stacks alone; the list of wait channels is not one")
  func nativeOnly() throws {
    let text = """

      ----- Waiting Channels: pid 9955 at 2023-07-04 14:51:13.302627725+0200 -----
      Cmd line: app.tern

      sysTid=9955      futex_wait_queue_me

      ----- end 9955 -----

      ----- pid 9955 at 2023-07-04 14:51:23.352279396+0200 -----
      Cmd line: app.tern
      ABI: 'arm64'

      "worker" sysTid=9960
          #00 pc 000000000004c35c  /apex/libc.so (syscall+28) (BuildId: ba48)
          kernel: futex_wait+0x10/0x20

      "app.tern" sysTid=9955
          #00 pc 000000000004c360  /apex/libc.so (poll+28) (BuildId: ba48)
          #01 pc 00000000000ec474  /apex/javalib/core-oj.jar

      ----- end 9955 -----
      """
    let reports = try LogReaderChecks.reports(text)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.threads.map(\.frames.count) == [2, 2] && report.crashedThread == 1)
    #expect(report.device.architecture == .arm64 && report.app.identifier == "app.tern")
    #expect(report.time == Timestamp("2023-07-04T12:51:23.352279396Z"))
  }

  @Test("A cycle of threads that wait for each other is a deadlock")
  func deadlock() throws {
    let text = """
      DALVIK THREADS (3):
      "main" prio=5 tid=1 Blocked
        at a.b(C.java:1)
        - waiting to lock <0x01> (a X) held by thread 4
      "two" prio=5 tid=4 Blocked
        at a.c(C.java:2)
        - waiting to lock <0x02> (a X) held by thread 5
      "three" prio=5 tid=5 Blocked
        at a.d(C.java:3)
        - waiting to lock <0x03> (a X) held by thread 1
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.reason.code == "deadlock" && report.tags[.lockHolder] == "2")
  }

  @Test("Processes in one file are separate reports")
  func severalProcesses() throws {
    let first = try sample()
    let second = first.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("Subject") }.joined(separator: "\n")
    let other = second.map { String($0) }.joined()
    let reports = try LogReaderChecks.reports(first + other)
    #expect(reports.map(\.threads.count) == [3, 3])
    #expect(reports[0].reason.message != nil && reports[1].reason.message == nil)
  }

  @Test("xCrash puts its header before the trace and the log after it")
  func xCrash() throws {
    let stars = String(repeating: "*** ", count: 15) + "***\n"
    let text =
      stars + """
        Tombstone maker: 'xCrash 2.4.6'
        Crash type: 'anr'
        Start time: '2019-10-12T03:25:02.029+0800'
        Crash time: '2019-10-12T03:25:25.645+0800'
        App ID: 'app.tern'
        App version: '1.2.3'
        Build fingerprint: 'google/sailfish/sailfish:10/QP1A/58:user/release-keys'
        ABI: 'arm64'
        pid: 21533  >>> app.tern <<<

        --- --- --- --- --- --- --- ---
        Cmd line: app.tern
        Mode: ART DumpForSigQuit
        DALVIK THREADS (1):
        "main" prio=5 tid=1 Sleeping
          | sysTid=21533 nice=-10 cgrp=default
          at java.lang.Thread.sleep(Native method)
          - sleeping on <0x005774e6> (a java.lang.Object)

        +++ +++ +++ +++ +++

        logcat:
        --------- tail end of log main (/system/bin/logcat)
        10-12 03:25:02.500 21533 21533 E DEBUG: Build fingerprint: 'a/b/c:1/2/3:4/5'
        10-12 03:25:02.500 21533 21533 E DEBUG: signal 6 (SIGABRT), code 1 (X), fault addr 0x0

        open files:
            fd 0: /dev/null

        """
    let reports = try LogReaderChecks.reports(text + text)
    #expect(reports.map(\.format.description) == ["android-anr", "android-anr"])
    let report = try #require(reports.last)
    #expect(report.app == AppIdentity(name: "app.tern", identifier: "app.tern", version: "1.2.3"))
    #expect(report.process.pid == 21533 && report.threads.map(\.frames.count) == [1])
    #expect(report.time == Timestamp("2019-10-11T19:25:25.645Z"))
  }

  @Test(
    "What the system prints to the log of an app that does not respond",
    arguments: [
      "11-20 09:44:18.220  1234  1250 E ActivityManager: ", "E/ActivityManager( 1234): ",
    ])
  func notice(prefix: String) throws {
    let log = [
      "ANR in app.tern (app.tern/.TillActivity)", "PID: 4711",
      "Reason: Input dispatching timed out (Waited 5001ms)", "ErrorId: 6c0f",
      "Load: 1.2 / 0.8 / 0.4",
    ].map { prefix + $0 + "\n" }.joined()
    let report = try #require(try LogReaderChecks.reports("noise\n" + log + "noise\n").first)
    #expect(report.kind == .hang && report.app.identifier == "app.tern")
    #expect(report.process.pid == 4711 && report.incident == "6c0f")
    #expect(report.reason.message == "Input dispatching timed out (Waited 5001ms)")
  }

  @Test("After a logger's prefix", arguments: ["05-01 10:11:12.013  1  2 I art     : ", "| "])
  func prefixed(prefix: String) throws {
    let lines = try sample().split(separator: "\n", omittingEmptySubsequences: false)
    let log = lines.map { prefix + $0 + "\n" }.joined()
    let reports = try LogReaderChecks.reports(log + log)
    #expect(reports.map { $0.threads.map(\.frames.count) } == [[8, 6, 1], [8, 6, 1]])
    #expect(reports.map(\.process.pid) == [4711, 4711])
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = Array(try sample().utf8)
    for count in bytes.indices {
      let reports = try LogReaderChecks.reports(String(decoding: bytes[..<count], as: UTF8.self))
      #expect(reports.count <= 1)
    }
    var mutator = Mutator(seed: 11)
    for _ in 0..<500 {
      for report in try FormatRegistry.builtIn.allReports(in: mutator.mutated(bytes)) {
        #expect(report.threads.count < 100)
      }
    }
  }
}
