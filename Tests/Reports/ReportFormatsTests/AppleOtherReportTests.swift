import Bytes
import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

@Suite("Apple text reports without a crash")
struct AppleOtherReportTests {
  private static let resource = """
    Date/Time:        2020-10-19 23:46:29.268 +0100
    OS Version:       iPhone OS 14.2 (Build 18B5072f)
    Architecture:     arm64e
    Report Version:   32
    Incident Identifier: AAAAAAAA-0000-0000-0000-000000000003

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

    """

  /// Apple's header begins with any of its keys: `{"share_with_app_devs":1,…`.
  @Test("The header's keys in any order", arguments: 0..<9)
  func headerKeys(first: Int) throws {
    let members = AppleSamples.header.dropFirst().dropLast().split(separator: ",")
    let header = "{" + (members[first...] + members[..<first]).joined(separator: ",") + "}\n"
    for (body, name) in [
      (Self.resource, "nestd"), (AppleSamples.iOSText, "Tern"), (AppleSamples.body, "Tern"),
    ] {
      let report = header + body
      for (text, count) in [(report, 1), (report + "\n" + report, 2), ("Hello,\n" + report, 1)] {
        let reports = try FormatRegistry.builtIn.allReports(in: Array(text.utf8))
        #expect(reports.map(\.process.name) == Array(repeating: name, count: count))
      }
    }
  }

  @Test("A resource limit was exceeded: the heaviest stack, youngest first")
  func resource() throws {
    let report = try AppleCrashReaderTests.report(AppleSamples.header + "\n" + Self.resource)
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

  @Test("The register bytes of macOS 12 are not a thread")
  func instructionStream() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Process:               tern [7]
      Exception Type:        EXC_BAD_INSTRUCTION (SIGILL)
      Crashed Thread:        0

      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   tern                          \t0x0000000100001234 lay + 4 (nest.c:9)

      Thread 0 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000001  rbx: 0x0000000000000002

      Logical CPU:     2
      Trap Number:     6

      Thread 0 instruction stream:
        fe fe fe 00 b9 20 00 00-00 45 85 c0 74 07 41 0f  ..... ...E..t.A.
        00 00 00 00 00 0f 1f 44-00 00 55 48 89 e5 41 57  .......D..UH..AW
       [0f]0b 0f 1f 80 00 00 00-00 55 48 89 e5 31 c0 5d  .........UH..1.]\t<==
        56 41 55 41 54 53 50 4d-89 cc 45 89 c6 49 89 cf  VAUATSPM..E..I..

      Thread 0 last branch register state not available.

      Binary Images:
             0x100001000 -        0x100001fff +tern (1) <11111111-2222-3333-4444-555555555555> /a/tern
      """)
    #expect(report.threads.count == 1)
    #expect(report.threads[0].frames.map(\.function) == ["lay"])
    #expect(report.threads[0].registers.map(\.name) == ["rax", "rbx"])
    #expect(report.images.map(\.name) == ["tern"])
    #expect(report.notes.isEmpty)
  }

  static let spindump = """
    Date/Time:        2024-03-20 14:29:46.123 +0000
    End time:         2024-03-20 14:29:56.140 +0000
    OS Version:       macOS 14.4 (Build 23E214)
    Architecture:     arm64e
    Report Version:   35.1

    Data Source:      Stackshots
    Duration:         10.02s
    Steps:            11 (10ms sampling interval)
    Hardware model:   MacBookPro18,1

    --------------------------------------------------
    Heavy format: stacks are sorted by count
    --------------------------------------------------

    Process:          Tern [350]
    UUID:             11111111-2222-3333-4444-555555555555
    Path:             /Applications/Tern.app/Contents/MacOS/Tern
    Parent:           launchd [1]
    Num samples:      11 (1-11)

      Thread 0x1c4    Thread name "egg counter"    11 samples (1-11)    priority 46 (base 46)
      11  thread_start + 8 (libsystem_pthread.dylib + 7168) [0x180300000]
        11  count + 4 (Tern + 8192) [0x100002000]

      Thread 0x1c5    DispatchQueue "com.apple.main-thread"(1)    11 samples (1-11)    priority 46
      <process frontmost, thread QoS user interactive>
      11  start + 2360 (dyld + 21530) [0x180000100]
        2   idle + 4 (Tern + 4096) [0x100001000] 1-2
        6   lay + 4 (Tern + 4660) [0x100001234] 3-8
          4   ??? (libz.1.dylib + 16) [0x190000010]
            *4   ??? (kernel + 16) [0xfffffe0007000010]
          2   other + 4 (Tern + 4096) [0x100001000]
        3   idle + 4 (Tern + 4096) [0x100001000] 9-11

      Binary Images:
             0x100000000 -                ???  Tern 2.0 (7)  <11111111-2222-3333-4444-555555555555>  /Applications/Tern.app/Contents/MacOS/Tern
       *0xfffffe0007000000 - 0xfffffe00070fffff  kernel (10063.101.15)  <21111111-2222-3333-4444-555555555555>  /System/Library/Kernels/kernel


    Process:          gull [351]
    Path:             /usr/libexec/gull
    Architecture:     x86_64

      Thread 0x2eb9    11 samples (1-11)    priority 31 (base 31)
      11  gullMain + 4 (gull + 16) [0x200000010]

      Binary Images:
             0x200000000 -                ???  gull  <31111111-2222-3333-4444-555555555555>  /usr/libexec/gull

    """

  @Test("A spindump without a heaviest stack: the first process's threads, and what is left out")
  func spindump() throws {
    let report = try AppleCrashReaderTests.report(Self.spindump)
    #expect(report.kind == .hang)
    #expect(report.reason.type == "spindump")
    #expect(report.process.name == "Tern" && report.process.pid == 350)
    #expect(report.process.path == "/Applications/Tern.app/Contents/MacOS/Tern")
    #expect(report.device.model == "MacBookPro18,1" && report.device.architecture == .arm64e)
    #expect(report.threads.map(\.id) == [0x1c4, 0x1c5])
    #expect(report.threads.map(\.name) == ["egg counter", "com.apple.main-thread"])
    #expect(report.crashedThread == 1)
    // The heaviest path, although a lighter one comes first.
    #expect(
      report.threads[1].frames.map(\.address) == [
        Address(0xffff_fe00_0700_0010), Address(0x1_9000_0010), Address(0x1_0000_1234),
        Address(0x1_8000_0100),
      ])
    #expect(report.threads[1].frames.map(\.function) == [nil, nil, "lay", "start"])
    #expect(
      report.images.filter { $0.debugID != nil }.map(\.name) == ["Tern", "kernel"])
    #expect(report.notes == ["The stacks of another process are not read."])
  }

  @Test("A spindump of one process keeps to that process, wherever it is")
  func spindumpOfOne() throws {
    let report = try AppleCrashReaderTests.report(
      Self.spindump.replacing(
        "Data Source:", with: "Command:          gull\nPID:              351\n\nData Source:"))
    #expect(report.process.name == "gull" && report.process.path == "/usr/libexec/gull")
    #expect(report.device.architecture == .arm64e)
    #expect(report.threads.map(\.frames.count) == [1])
    #expect(report.threads[0].frames[0].function == "gullMain")
  }

  @Test("Samples of several places in a function, and of libraries without symbols")
  func sampledPlaces() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Analysis of sampling Tern (pid 2252) every 1 millisecond
      Process:         Tern [2252]
      Date/Time:       2021-07-22 14:04:41.982 -0700
      Analysis Tool:   /usr/bin/sample

      Call graph:
          9 Thread_1
            9 ???  (in libz.dylib)  load address 0x7ff802b35000 + 0x8635  [0x7ff802b3d635]
              5 lay  (in Tern) + 312,292,...  [0x101ba63fc,0x101ba63e8,...]
              4 lay  (in Tern) + 8  [0x101ba6000]
      """)
    let frames = report.threads[0].frames
    #expect(frames.map(\.address) == [Address(0x1_01ba_63fc), Address(0x7ff8_02b3_d635)])
    #expect(frames.map(\.symbolOffset) == [312, nil])
    #expect(frames[1].imageOffset == ImageOffset(0x8635))
  }

  @Test("Leaks without stacks are leaks, with their number")
  func leaksWithoutStacks() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Process:         Tern [34308]
      Date/Time:       2020-11-03 18:37:43.321 +0100
      Analysis Tool:   /usr/bin/leaks
      ----

      leaks Report Version: 4.0
      Process 34308: 577 nodes malloced for 213 KB
      Process 34308: 21 leaks for 157136 total leaked bytes.

          21 (153K) << TOTAL >>
            1 (44.0K) ROOT LEAK: 0x10f3b5000 [45056]
      """)
    #expect(report.kind == .other)
    #expect(report.reason.type == "leaks")
    #expect(report.reason.message == "21 leaks for 157136 total leaked bytes.")
    #expect(report.notes == ["The report has no stack."])
  }

  @Test(
    "KSCrash's codes: a number, and an address where one says something",
    arguments: [
      ("EXC_CRASH (SIGABRT)", "0x00000000 at 0x3618da1c", nil, 0x3618_da1c),
      ("EXC_CRASH (SIGABRT)", "0x00000000 at 0x00000000", nil, nil),
      ("EXC_BAD_ACCESS (SIGBUS)", "0x00000002 at 0x00000000", "KERN_PROTECTION_FAILURE", 0),
      ("EXC_BAD_ACCESS (SIGSEGV)", "KERN_INVALID_ADDRESS at 0x8", "KERN_INVALID_ADDRESS", 8),
    ] as [(String, String, String?, UInt64?)])
  func codes(type: String, codes: String, code: String?, address: UInt64?) throws {
    let report = try AppleCrashReaderTests.report(
      """
      Process: tern [7]
      Exception Type:  \(type)
      Exception Codes: \(codes)
      Crashed Thread:  0

      Thread 0 Crashed:
      0   tern   0x000668a8 0x5f000 + 30888 (lay + 8)
      """)
    #expect(report.reason.code == code)
    #expect(report.reason.address == address.map { Address($0) })
  }

  @Test("KSCrash's deadlock is a hang without an exception")
  func deadlock() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Process: tern [7]
      Exception Type:  0 (0)
      Exception Codes: 0x00000000 at 0x00000000
      Crashed Thread:  0

      Application main thread deadlocked

      Thread 0 Crashed:
      0   tern   0x000668a8 0x5f000 + 30888 (lay + 8)
      """)
    #expect(report.kind == .hang)
    #expect(report.reason.type == nil && report.reason.signal == nil)
    #expect(report.reason.message == "Application main thread deadlocked")
  }

  @Test("Threads and images that were copied without the header")
  func headless() throws {
    let text = """
      Thread 0 Crashed:
      0   tern                          \t0x0000000100001234 0x100000000 + 4660
      1   libdyld.dylib                 \t0x0000000180000004 start + 4

      Thread 1:
      0   libdyld.dylib                 \t0x0000000180000104 wait + 4

      Binary Images:
      0x100000000 - 0x100003fff tern arm64  <11111111222233334444555555555555> /var/containers/Tern.app/tern
      0x180000000 - 0x180003fff libdyld.dylib arm64  <21111111222233334444555555555555> /usr/lib/system/libdyld.dylib
      """
    #expect(AppleCrashReader.recognises(ByteView(Array(text.utf8))))
    let report = try AppleCrashReaderTests.report(text)
    #expect(report.kind == .crash && report.crashedThread == 0)
    #expect(report.threads.map(\.frames.count) == [2, 1])
    #expect(report.images.map(\.name) == ["tern", "libdyld.dylib"])
    #expect(report.process.name == "tern" && report.app.name == "tern")
  }

  @Test("A report truncated before its stacks has a note that it has none")
  func noStack() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Process: tern [7]
      Exception Type:  EXC_CRASH (SIGABRT)
      """)
    #expect(report.notes == ["The report has no stack."])
  }
}
