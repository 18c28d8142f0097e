import Bytes
import CrashModel
import Testing

@testable import ReportFormats

@Suite("Apple text reports of no crash")
struct AppleOtherReportTests {
  @Test("A resource was used up: the heaviest stack, youngest first")
  func resource() throws {
    let report = try AppleCrashReaderTests.report(
      AppleSamples.header + "\n" + """
        Date/Time:        2020-10-19 23:46:29.268 +0100
        OS Version:       iPhone OS 14.2 (Build 18B5072f)
        Architecture:     arm64e
        Report Version:   32

        Command:          nestd
        Path:             /usr/libexec/nestd
        Version:          ??? (???)
        PID:              7877

        Event:            cpu usage
        Action taken:     none
        CPU:              90 seconds cpu time over 150 seconds
        Steps:            23
        Hardware model:   iPhone12,1

        Heaviest stack for the target process:
          18  start + 4 (libdyld.dylib + 256) [0x180000100]
          18  ??? (nestd + 4660) [0x100001234]
          2   ??? (libz.1.dylib + 16) [0x190000010]


        Powerstats for:   nestd [7877]
        UUID:             11111111-2222-3333-4444-555555555555
          18  ??? (nestd + 1) [0x100000001]

          Binary Images:
                   0x100000000 -                ???  nestd          <11111111-2222-3333-4444-555555555555>  /usr/libexec/nestd
                   0x180000000 -        0x180000fff  libdyld.dylib  <21111111-2222-3333-4444-555555555555>  /usr/lib/system/libdyld.dylib

        """)
    #expect(report.kind == .other)
    #expect(report.reason.type == "cpu usage")
    #expect(report.reason.message == "90 seconds cpu time over 150 seconds")
    #expect(report.process.name == "nestd" && report.process.pid == 7877)
    #expect(report.os.build == "18B5072f" && report.device.model == "iPhone12,1")
    #expect(report.crashedThread == 0)
    let frames = report.threads[0].frames
    #expect(frames.map(\.function) == [nil, nil, "start"])
    #expect(frames.map(\.position) == [.exact, .returnAddress, .returnAddress])
    #expect(
      frames.map { frame in frame.image.map { report.images[$0].name } } == [
        "libz.1.dylib", "nestd", "libdyld.dylib",
      ])
    #expect(frames[1].imageOffset == ImageOffset(4660))
    #expect(frames[2].symbolOffset == 4)
  }

  @Test("Without a heaviest stack, the first path of the first tree")
  func tree() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Date/Time:       2018-09-22 08:58:50.113113 -0500
      Command:         nestd
      Event:           hang
      Steps:           15

        11 ??? (libdyld.dylib + 4032) [0x1839a9fc0]
          11 ??? (nestd + 16) [0x100000010]
            6  leaf + 1 (nestd + 32) [0x100000020]
            5  ??? (nestd + 48) [0x100000030]
              5  ??? (nestd + 64) [0x100000040]
      """)
    #expect(report.kind == .hang)
    #expect(
      report.threads[0].frames.map(\.address) == [
        Address(0x1_0000_0020), Address(0x1_0000_0010), Address(0x1_839a_9fc0),
      ])
  }

  @Test("A sample: a stack for each thread")
  func sample() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Analysis of sampling Tern (pid 2252) every 1 millisecond
      Process:         Tern [2252]
      Date/Time:       2021-07-22 14:04:41.982 -0700
      Analysis Tool:   /usr/bin/sample
      ----

      Call graph:
          2433 Thread_13078   DispatchQueue_1: com.apple.main-thread  (serial)
          + 2433 start  (in libdyld.dylib) + 1  [0x7fff73618cc9]
          +   2433 main  (in Tern Viewer) + 294  [0x1000017e6]  main.cc:276
          +     2400 a  (in Tern Viewer) + 4  [0x100001900]
          +     ! 2400 b  (in Tern Viewer) + 5  [0x100001a00]
          +     33 c  (in Tern Viewer) + 4  [0x100001b00]
          2433 Thread_13376: egg counter
            2433 thread_start  (in libsystem_pthread.dylib) + 15  [0x7fff73810000]

      Total number in stack (recursive counted multiple, when >=5):
              9       a  (in Tern Viewer) + 4  [0x100001900]

      Binary Images:
             0x100001000 -        0x100001fff +org.example.viewer (1.0 - 1) <11111111-2222-3333-4444-555555555555> /a/Tern Viewer
      """)
    #expect(report.kind == .hang)
    #expect(report.threads.map(\.id) == [13078, 13376])
    #expect(report.threads.map(\.name) == ["com.apple.main-thread", "egg counter"])
    let frames = report.threads[0].frames
    #expect(frames.map(\.function) == ["b", "a", "main", "start"])
    #expect(frames.map(\.symbolOffset) == [5, 4, 294, 1])
    #expect(frames[2].file == "main.cc" && frames[2].line == 276)
    #expect(frames[2].imageOffset == ImageOffset(0x7e6) && frames[2].image == 0)
    #expect(report.threads[1].frames.count == 1)
  }

  @Test("Leaks: a stack for each kind, youngest first")
  func leaks() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Process:         Tern [6258]
      Date/Time:       2022-08-01 17:14:48.402 +0400
      Analysis Tool:   leaks

      leaks Report Version: 4.0, multi-line stacks
      STACK OF 3 INSTANCES OF 'ROOT LEAK: <Egg>':
      2   dyld                                  0x107bb851e start + 462
      1   org.example.tern                      0x102d6026e lay + 14  nest.c:29
      0   libsystem_malloc.dylib                0x104b4dd91 _malloc_zone_malloc + 241
      ====
          3 (96 bytes) << TOTAL >>
            1 (32 bytes) ROOT LEAK: <Egg 0x6000000317e0> [32]

      STACK OF 1 INSTANCE OF 'ROOT CYCLE: <Feather>':
      1   dyld                                  0x107bb851e start + 462
      0   libsystem_malloc.dylib                0x104b4dd91 _malloc_zone_malloc + 241
      ====
      """)
    #expect(report.kind == .other)
    #expect(report.threads.map(\.name) == ["STACK OF 3 INSTANCES OF 'ROOT LEAK: <Egg>'"])
    #expect(report.threads[0].frames.map(\.function) == ["_malloc_zone_malloc", "lay", "start"])
    #expect(report.threads[0].frames[1].file == "nest.c")
    #expect(report.otherStacks.map(\.title) == ["STACK OF 1 INSTANCE OF 'ROOT CYCLE: <Feather>'"])
    #expect(report.otherStacks[0].frames.map(\.function) == ["_malloc_zone_malloc", "start"])
  }

  @Test("A stackshot of iOS 7")
  func stackshot() throws {
    let report = try AppleCrashReaderTests.report(
      #"{"os_version":"iPhone OS 7.1.2 (11D257)","bug_type":"188"}"# + "\n" + """
        Incident Identifier: D2
        Hardware Model:      iPhone3,1
        Date:                2016-05-12 14:57:08 -0500
        Exception Code:      0xbaaaaaad
        Reason:              asked for

        Process 1 binary images:
         0x2bec4000 <651a31c39f71311f965f8ac44de02c88>

        Process 1 launchd threads:
        thread 0x14b TH_WAIT 0
        \tkernel cont: 0x800b0e89
        \tuser: 0x3964aa58 0x3964a859
        thread 0x174 TH_WAIT 0
        """)
    #expect(report.kind == .hang)
    #expect(report.reason.message == "asked for")
    #expect(report.threads.map(\.id) == [0x14b, 0x174])
    #expect(
      report.threads[0].frames.map(\.address) == [Address(0x3964_aa58), Address(0x3964_a859)])
    #expect(report.threads[0].frames.map(\.position) == [.exact, .returnAddress])
    #expect(report.images.count == 1)
  }

  @Test("A kernel panic as text")
  func panic() throws {
    let report = try AppleCrashReaderTests.report(
      """
      panic(cpu 1 caller 0xffffff8003814e17): "nest timed out"@/a/nest.cpp:5
      Backtrace (CPU 1), Frame : Return Address
      0xffffff81e7debb40 : 0xffffff800311a65d 
      0xffffff81e7debb90 : 0xffffff8003254a75 

      Kernel UUID: 05D51A3D-3A87-3FF0-98C3-9CF3827A3EDD
      Kernel text base: 0xffffff8003000000
      """)
    #expect(report.kind == .other)
    #expect(report.reason.message == "\"nest timed out\"@/a/nest.cpp:5")
    #expect(report.threads[0].frames.count == 2)
    #expect(report.images[0].debugID == DebugID("05d51a3d-3a87-3ff0-98c3-9cf3827a3edd"))
  }
}
