import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// Reports of invented programs in the formats that the runtimes print.
@Suite struct SanitizerReaderTests {
  static let asan = """
    starting the boat
    =================================================================
    ==71==ERROR: AddressSanitizer: heap-use-after-free on address 0x6010 at pc 0x5580a001339 bp 0x7f00 sp 0x7e00
    WRITE of size 8 at 0x6010 thread T2 (rower one)
        #0 0x5580a001338  (/opt/boat+0x1338) (BuildId: 0102030405060708090a0b0c0d0e0f1011121314)
        #1 0x5580a001a6d  (/opt/boat+0x1a6d) (BuildId: 0102030405060708090a0b0c0d0e0f1011121314)
        #2 0x7f3300027249  (/lib/libc.so.6+0x27249)

    0x6010 is located 0 bytes inside of 12-byte region [0x6010,0x601c)
    freed by thread T0 here:
        #0 0x5580a001b32 in operator delete(void*) /src/new.cpp:190:3

    previously allocated by thread T0 here:
        #0 0x5580a001f2d in operator new(unsigned long) /src/new.cpp:109:35

    Thread T2 (rower one) created by T0 here:
        #0 0x5580a00aaaa in pthread_create /src/create.cpp:1

    ==71==Register values:
    rax = 0x0000000000000001  rbx = 0x0000000000000002
     r8 = 0x0000000000000003   r9 = 0xffffffffffffffff
    SUMMARY: AddressSanitizer: heap-use-after-free (/opt/boat+0x1338)
    Shadow bytes around the buggy address:
      0x0f00: fa fa fa
    ==71==ABORTING

    """

  static func reports(_ text: String) throws -> [CrashReport] {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  @Test("A report of AddressSanitizer, part by part")
  func address() throws {
    let reports = try Self.reports(Self.asan)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format == .sanitizer)
    #expect(report.kind == .crash)
    #expect(report.reason.type == "heap-use-after-free")
    #expect(report.reason.address == Address(0x6010))
    #expect(report.reason.signal == nil)
    #expect(report.tags == [.sanitizer: "AddressSanitizer", .access: "WRITE of size 8"])
    #expect(report.process.pid == 71)
    #expect(report.process.name == "boat")
    #expect(report.process.path == "/opt/boat")
    #expect(report.crashedThread == 0)
    let thread = try #require(report.threads.first)
    #expect(thread.index == 2)
    #expect(thread.name == "rower one")
    #expect(thread.crashed)
    #expect(thread.frames.count == 3)
    #expect(
      thread.registers == [
        Register("rax", 1), Register("rbx", 2), Register("r8", 3), Register("r9", .max),
      ])
    #expect(
      report.otherStacks.map(\.title) == [
        "freed by thread T0 here:", "previously allocated by thread T0 here:",
        "Thread T2 (rower one) created by T0 here:",
      ])
    #expect(report.otherStacks.map(\.frames.count) == [1, 1, 1])
    #expect(report.notes.isEmpty)
  }

  @Test("Offsets are as printed, and images have their ids and bases")
  func images() throws {
    let report = try #require(try Self.reports(Self.asan).first)
    #expect(report.images.map(\.path) == ["/opt/boat", "/lib/libc.so.6"])
    let boat = report.images[0]
    #expect(boat.base == Address(0x5580_a000_000))
    #expect(boat.codeID == CodeID("0102030405060708090a0b0c0d0e0f1011121314"))
    #expect(boat.debugID == DebugID("04030201-0605-0807-090a-0b0c0d0e0f10"))
    let frame = report.threads[0].frames[0]
    #expect(frame.image == 0)
    #expect(frame.imageOffset == ImageOffset(0x1338))
    #expect(report.images[1].codeID == nil)
  }

  @Test("No address is adjusted again: the runtimes print them inside the call")
  func positions() throws {
    for text in [Self.asan, Self.tsan, Self.ubsan, Self.leaks] {
      for report in try Self.reports(text) {
        let frames = report.threads.flatMap(\.frames) + report.otherStacks.flatMap(\.frames)
        #expect(!frames.isEmpty)
        for frame in frames {
          let isFault = report.reason.signal != nil && frame == report.threads[0].frames[0]
          #expect(frame.position == (isFault ? .exact : .adjusted))
          if let offset = frame.imageOffset { #expect(frame.position.lookUp(offset) == offset) }
        }
      }
    }
  }

  static let tsan = """
    ==================
    WARNING: ThreadSanitizer: data race (pid=90)
      Read of size 4 at 0x7b00 by thread T2 (mutexes: write M1):
        #0 boat::bump() /src/boat.cpp:19 (boat+0x2337)
        #1 call(void (*)()) /usr/include/invoke.h:61 (boat+0x2e58)
        #2 run() /usr/include/thread.h:9 (boat+0x2e58)
        #3 <null> <null> (libx.so.6+0xd44a2)

      Previous write of size 4 at 0x7b00 by main thread:
        #0 main /src/boat.cpp:20 (boat+0x235b)

      Thread T2 (tid=93, running) created by main thread at:
        #0 pthread_create <null> (libtsan.so.2+0x5e686)

    SUMMARY: ThreadSanitizer: data race /src/boat.cpp:19 in boat::bump()
    ==================
    ==================
    WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=90)
      Mutex M1 acquired here while holding mutex M0 in main thread:
        #0 lock /src/lock.cpp:1 (boat+0x10)
    SUMMARY: ThreadSanitizer: lock-order-inversion (potential deadlock) /src/lock.cpp:1 in lock
    ==================

    """

  @Test("Races, several in one output")
  func races() throws {
    let reports = try Self.reports(Self.tsan)
    #expect(reports.map(\.reason.type) == ["data race", "lock-order-inversion"])
    #expect(reports.map(\.process.pid) == [90, 90])
    let race = reports[0]
    #expect(race.reason.address == Address(0x7b00))
    #expect(race.tags[.access] == "READ of size 4")
    #expect(race.threads[0].index == 2)
    #expect(
      race.otherStacks.map(\.title) == [
        "Previous write of size 4 at 0x7b00 by main thread:",
        "Thread T2 (tid=93, running) created by main thread at:",
      ])
    #expect(race.threads[0].frames.map(\.inlined) == [false, true, false, false])
    #expect(race.images.map(\.base) == [nil, nil, nil])
  }

  static let ubsan = """
    boat.cpp:4:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'
        #0 0x5000 in row(int) /src/boat.cpp:4:9
        #1 0x5010 in main /src/boat.cpp:9

    SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior boat.cpp:4:9
    boat.cpp:7:1: runtime error: load of misaligned address 0x6001 for type 'int', which requires 4 byte alignment
    0x6001: note: pointer points here
     00 00 00 00
                 ^
    UndefinedBehaviorSanitizer:DEADLYSIGNAL
    ==5==ERROR: UndefinedBehaviorSanitizer: SEGV on unknown address 0x000000000010 (pc 0x5020 bp 0x1 sp 0x2 T5)
    ==5==The signal is caused by a READ memory access.
    ==5==Hint: address points to the zero page.
        #0 0x5020 in load(int*) /src/boat.cpp:23:53
    UndefinedBehaviorSanitizer can not provide additional info.
    SUMMARY: UndefinedBehaviorSanitizer: SEGV /src/boat.cpp:23:53 in load(int*)
    ==5==ABORTING

    """

  @Test("Undefined behaviour continues, so there are several reports")
  func undefinedBehaviour() throws {
    let reports = try Self.reports(Self.ubsan)
    #expect(
      reports.map(\.reason.type) == [
        "signed integer overflow", "load of misaligned address", "SEGV",
      ])
    #expect(reports.map(\.reason.signal) == [nil, nil, "SIGSEGV"])
    #expect(reports.map(\.reason.address?.value) == [nil, 0x6001, 0x10])
    #expect(reports.map { $0.threads[0].frames.count } == [2, 1, 1])
    #expect(
      reports[0].reason.message
        == "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'")
    let place = reports[1].threads[0].frames[0]
    #expect(place.file == "boat.cpp")
    #expect(place.line == 7)
    #expect(place.column == 1)
    #expect(place.address == nil)
    #expect(reports[2].tags[.access] == "READ")
    #expect(reports[2].threads[0].id == 5)
  }

  @Test(
    "The kind of undefined behaviour has no values in it",
    arguments: zip(
      [
        "index 5 out of bounds for type 'int [4]'", "division by zero",
        "shift exponent 33 is too large for 32-bit type 'int'",
        "left shift of 1 by 31 places cannot be represented in type 'int'",
        "load of value 161, which is not a valid value for type 'bool'",
        "member access within null pointer of type 'struct boat'",
        "null pointer passed as argument 1, which is declared to never be null",
        "3e+38 is outside the range of representable values of type 'int'",
        "control flow integrity check for type 'B' failed during cast (vtable address 0x4)",
        "execution reached an unreachable program point",
      ],
      [
        "index out of bounds", "division by zero", "shift exponent out of range",
        "left shift out of range", "load of invalid value", "member access within null pointer",
        "null pointer passed as argument", "float cast overflow", "control flow integrity check",
        "execution reached an unreachable program point",
      ]))
  func categories(text: String, category: String) throws {
    let reports = try Self.reports("a.c:1:2: runtime error: \(text)\n")
    #expect(reports.map(\.reason.type) == [category])
  }

  static let leaks = """
    ==9==ERROR: LeakSanitizer: detected memory leaks

    Direct leak of 37 byte(s) in 1 object(s) allocated from:
        #0 0x7000 in malloc (/lib/libasan.so.8+0xb9628)
        #1 0x5500 in build /src/boat.c:3

    Indirect leak of 8 byte(s) in 1 object(s) allocated from:
        #0 0x7000 in malloc (/lib/libasan.so.8+0xb9628)

    SUMMARY: AddressSanitizer: 45 byte(s) leaked in 2 allocation(s).

    """

  @Test("Leaks")
  func leaks() throws {
    let report = try #require(try Self.reports(Self.leaks).first)
    #expect(report.reason.type == "detected memory leaks")
    #expect(report.reason.message == "45 byte(s) leaked in 2 allocation(s).")
    #expect(report.tags[.leak] == "Direct leak of 37 byte(s) in 1 object(s)")
    #expect(report.threads[0].frames.count == 2)
    #expect(
      report.otherStacks.map(\.title) == [
        "Indirect leak of 8 byte(s) in 1 object(s) allocated from:"
      ])
  }

  @Test("A program at a fixed address has base 0; a Mach-O module its UUID")
  func bases() throws {
    let report = try #require(
      try Self.reports(
        """
        ==1==ERROR: AddressSanitizer: SEGV on unknown address 0x1 (pc 0x1 bp 0x2 sp 0x3 T0)
            #0 0x402000 (/opt/fixed+0x402000)
            #1 0x104002b40 in f (/opt/Boat:arm64e+0x2b40) (BuildId: 00112233445566778899aabbccddeeff32000000200000000100000000000b00)

        """
      ).first)
    #expect(report.images[0].base == Address(0))
    #expect(report.images[1].base == Address(0x1_0400_0000))
    #expect(report.images[1].architecture == .arm64e)
    #expect(report.images[1].codeID == CodeID("00112233445566778899aabbccddeeff"))
    #expect(report.images[1].debugID == DebugID("00112233-4455-6677-8899-aabbccddeeff"))
  }

  @Test("Recursion is not inlining")
  func recursion() throws {
    let report = try #require(
      try Self.reports(
        """
        ==1==ERROR: AddressSanitizer: stack-overflow on address 0x63 (pc 0x1 bp 0x2 sp 0x3 T0)
            #0 0x10 in leaf /a.c:1
            #1 0x20 in inner /a.c:2
            #2 0x20 in outer /a.c:3
            #3 0x20 in inner /a.c:2
            #4 0x20 in outer /a.c:3
            #5 0x30 in again /a.c:4
            #6 0x30 in again /a.c:4

        """
      ).first)
    #expect(
      report.threads[0].frames.map(\.inlined) == [
        false, true, false, true, false, false, false,
      ])
  }

  @Test("Interleaved lines of two containers")
  func interleaved() throws {
    let reports = try Self.reports(
      """
      web-1  | 2024-05-01T10:00:00Z ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2
      db-1   | 2024-05-01T10:00:01Z ==8==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x3 at pc 0x4
      web-1  | 2024-05-01T10:00:02Z     #0 0x10 in web() /w.c:1
      db-1   | 2024-05-01T10:00:03Z     #0 0x20 in db() /d.c:1
      web-1  | 2024-05-01T10:00:04Z     #1 0x11 in main /w.c:2
      db-1   | 2024-05-01T10:00:05Z SUMMARY: AddressSanitizer: stack-buffer-overflow /d.c:1 in db()
      web-1  | 2024-05-01T10:00:06Z SUMMARY: AddressSanitizer: heap-buffer-overflow /w.c:1 in web()

      """)
    #expect(reports.map(\.reason.type) == ["heap-buffer-overflow", "stack-buffer-overflow"])
    #expect(
      reports.map { $0.threads[0].frames.map(\.function) } == [["web()", "main"], ["db()"]])
  }

  @Test("Another report's stack is not taken for undefined behaviour's")
  func noStack() throws {
    let reports = try Self.reports(
      "a.c:1:2: runtime error: division by zero\n" + String(repeating: "log\n", count: 20)
        + "    #0 0x10 in other /b.c:1\n")
    #expect(reports.map { $0.threads[0].frames.map(\.file) } == [["a.c"]])
  }

  @Test("Other languages' messages are not a sanitizer's")
  func others() throws {
    for text in [
      "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n",
      "==================\nWARNING: DATA RACE\nWrite at 0x00c0 by goroutine 7:\n",
    ] {
      #expect(try Self.reports(text).map(\.format.description) == ["go-panic"])
    }
    for text in [
      "==3==WARNING: AddressSanitizer failed to allocate 0xffffffff bytes\n",
      "AddressSanitizer can not provide additional info.\n",
      "ERROR: Sanitizer\nERROR: : \nERROR: x: y\n: runtime error: \n5: runtime error: x",
    ] {
      #expect(throws: ParseError.self) { try Self.reports(text) }
    }
  }

  @Test("Frames that were wrapped at a space are joined")
  func wrapped() throws {
    let report = try #require(
      Self.reports(
        """
        ==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2 bp 0x3 sp 0x4 T0)
            #0 0x1001 in
            boat::row(boat::Oar*, int)
            ../../boat/row.cc:12:3
            #1 0x1002 in boat::Driver(int*, int (*)(unsigned
            char const*, unsigned long)) ../../boat/drive.cc:223:3
            #2 0x1003 in main
            ../../boat/main.cc:82:2
            #3 0x1004 in gsignal

        AddressSanitizer can not provide additional info.
        """
      ).first)
    let frames = report.threads[0].frames
    #expect(
      frames.map(\.function) == [
        "boat::row(boat::Oar*, int)",
        "boat::Driver(int*, int (*)(unsigned char const*, unsigned long))", "main", "gsignal",
      ])
    #expect(frames.map(\.line) == [12, 223, 82, nil])
  }
}
