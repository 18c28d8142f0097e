import Bytes
import CrashModel
import Identifiers
import ReportFormats
import Testing

/// Backtraces of an invented program, in the formats that the backtracer prints.
@Suite struct SwiftBacktraceTests {
  static let images = """


    Images (3 omitted):

    0x0000558000000000–0x0000558000008000 00112233445566778899aabbccddeeff01020304 boat         /opt/my boats/boat
    0x00007f0000000000–0x00007f0000100000 aabbccddeeff00112233445566778899aabbccdd libcore.so   /usr/lib/swift/libcore.so
    0x00007f0000200000–0x00007f0000300000 <no build ID>                            [vdso]       [vdso]

    Backtrace took 0.02s

    """

  static let full =
    """
    rowing
    boat/row.swift:11: Fatal error: the oar
    is broken

    *** Signal 4: Backtracing from 0x7f0000001000... done ***

    *** Program crashed: Illegal instruction at 0x00007f0000001000 ***

    Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))

    Thread 0 "boat":

      0  0x00007f0000002000 wait@@GLIBC_2.17 + 101 in libcore.so
    ...

    Thread 1 "oot.default-qos" crashed:

      0 [inlined]        0x00007f0000001000 first(in: at:) in libcore.so
      1                  0x00007f0000001000 fail(_:file:) + 623 in libcore.so
      2 [ra]             0x0000558000001010 row(_:) + 16 in boat at /src/my boats/row.swift:11:19
      3 [ra] [inlined]   0x0000558000001020 half + whole(_:) in boat at /src/row.swift:12
      4 [ra]             0x0000558000001020 closure #1 in trip() + 32 in boat at /src/row.swift:13:2
      5 [async]          0x0000558000001030 tour() in boat at /src/row.swift:14
      6 [async] [thunk]  0x0000558000001040 thunk for () -> () in boat at //<compiler-generated>
      7 [ra] [system]    0x0000558000001050 main + 100 in boat at /src/row.swift
      8 [ra]             0x0000558000001060 <unknown> in boat
    ...
    8990 [ra]            0x0000000000001234 gone + 1 in away.so


    Registers:

    rax 0x0000000000000001  1
     r8 0x00000000000000ff  00 3e b0 3b fd 7f 00 00 00 00 00 00 00 00 00 00  ·>°;ý·····/·x···
    rip 0x00007f0000001000  0f 0b

    rflags 0x0000000000010206  PF

    cs 0x0033  fs 0x0000  gs 0x0000

    """ + images

  static func reports(_ text: String) throws -> [CrashReport] {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  static func crashed(_ text: String) throws -> CrashThread {
    let report = try #require(try reports(text).first)
    return report.threads[try #require(report.crashedThread)]
  }

  @Test("A whole report")
  func whole() throws {
    let reports = try Self.reports(Self.full)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format == .swiftBacktrace)
    #expect(report.reason.type == "Illegal instruction")
    #expect(report.reason.signal == "SIGILL")
    #expect(report.reason.address == Address(0x7f00_0000_1000))
    #expect(report.reason.message == "boat/row.swift:11: Fatal error: the oar\nis broken")
    #expect(report.os == OperatingSystem(name: "Linux", version: "Debian GNU/Linux 12 (bookworm)"))
    #expect(report.device.architecture == .x86_64)
    #expect(report.process.name == "boat")
    #expect(report.process.path == "/opt/my boats/boat")
    #expect(report.crashedThread == 1)
    #expect(report.threads.map(\.name) == ["boat", "oot.default-qos"])
    #expect(report.threads.map(\.frames.count) == [1, 10])
    #expect(
      report.threads[1].registers.map(\.name) == [
        "rax", "r8", "rip", "rflags", "cs", "fs", "gs",
      ])
    #expect(report.threads[1].registers[4].value == 0x33)
    #expect(report.images.map(\.name) == ["boat", "libcore.so", "[vdso]", "away.so"])
    #expect(report.images[0].size == 0x8000)
    #expect(report.images[0].codeID == CodeID("00112233445566778899aabbccddeeff01020304"))
    #expect(report.images[0].debugID == DebugID("33221100-5544-7766-8899-aabbccddeeff"))
    #expect(report.images[2].codeID == nil)
    #expect(report.notes.isEmpty)
  }

  @Test("Flags show what an address points at")
  func positions() throws {
    let frames = try Self.crashed(Self.full).frames
    #expect(
      frames.map(\.position) == [
        .exact, .exact, .returnAddress, .returnAddress, .returnAddress, .exact, .exact,
        .returnAddress, .returnAddress, .returnAddress,
      ])
    #expect(
      frames.map(\.inlined) == [true, false, false, true] + [Bool](repeating: false, count: 6))
    #expect(frames[2].imageOffset == ImageOffset(0x1010))
    #expect(frames[2].position.lookUp(ImageOffset(0x1010)) == ImageOffset(0x100f))
  }

  @Test("Symbols may contain the words between the parts of a frame")
  func symbols() throws {
    let frames = try Self.crashed(Self.full).frames
    #expect(
      frames.map(\.function) == [
        "first(in: at:)", "fail(_:file:)", "row(_:)", "half + whole(_:)", "closure #1 in trip()",
        "tour()", "thunk for () -> ()", "main", nil, "gone",
      ])
    #expect(frames.map(\.symbolOffset) == [nil, 623, 16, nil, 32, nil, nil, 100, nil, 1])
    #expect(frames[2].file == "/src/my boats/row.swift")
    #expect(frames[2].line == 11)
    #expect(frames[2].column == 19)
    #expect(frames[5].line == 14)
    #expect(frames[6].file == nil)
    #expect(frames[7].file == "/src/row.swift")
    #expect(frames[7].line == nil)
    #expect(frames[8].image == 0)
  }

  @Test("The friendly preset has sources between the frames and no flags")
  func friendly() throws {
    let thread = try Self.crashed(
      """
      *** Program crashed: Bad pointer dereference at 0x0000000000000010 ***

      Thread 0 "boat" crashed:

      0 0x00007f0000001000 read(_:) + 5 in libcore.so
      1 0x00007f0000001010 again(_:) + 7 in libcore.so
      2 row(_:) + 53 in boat at /src/row.swift:3:56

            2| import Dispatch
        *   3| func row(_ a: [Int]) -> Int { return a[a.count + 4] in it }
             |                                                        ^
            4│ func trip() -> Int in 5
             │                                                        ▲

      3 trip() in boat at /src/row.swift:5

      ...
      """ + Self.images)
    #expect(thread.frames.map(\.function) == ["read(_:)", "again(_:)", "row(_:)", "trip()"])
    #expect(
      thread.frames.map(\.position) == [.exact, .returnAddress, .returnAddress, .returnAddress])
    #expect(thread.frames.map(\.line) == [nil, nil, 3, 5])
    #expect(thread.frames[2].address == nil)
  }

  @Test("Colours, and an overwritten first line")
  func colours() throws {
    let report = try #require(
      try Self.reports(
        "\u{1f4a3} \u{1b}[91mProgram crashed: Signal 11: Backtracing from 0x1...\u{1b}[0m\r\u{1b}[0K"
          + "\u{1f4a3} \u{1b}[91mProgram crashed: Bad pointer dereference at 0x10\u{1b}[39m\n\n"
          + "Platform: \u{1b}[37marm64\u{1b}[39m \u{1b}[37mmacOS 14.0 (23A344)\u{1b}[39m\n\n"
          + "Thread 0 crashed:\n\n"
          + "  \u{1b}[90m0\u{1b}[39m \u{1b}[34m[ra]\u{1b}[39m \u{1b}[32m0x20\u{1b}[39m "
          + "\u{1b}[96mf()\u{1b}[39m\u{1b}[37m + 6\u{1b}[39m in \u{1b}[36mboat\u{1b}[39m\n"
      ).first)
    #expect(report.reason.signal == "SIGSEGV")
    #expect(report.reason.address == Address(0x10))
    #expect(report.os == OperatingSystem(name: "macOS", version: "14.0", build: "23A344"))
    #expect(report.threads[0].frames.map(\.function) == ["f()"])
    #expect(report.threads[0].frames.map(\.position) == [.returnAddress])
  }

  @Test("Only addresses: the image is found by them")
  func addressesOnly() throws {
    let frames = try Self.crashed(
      """
      *** Program crashed: Trap at 0x0000558000001000 ***

      Thread 0 crashed:

      0      0x0000558000001000
      1 [ra] 0x00007f0000000010
      2 [ra] 0x0000000000000020
      3      ...
      """ + Self.images
    ).frames
    #expect(frames.map(\.image) == [0, 1, nil])
    #expect(frames.map(\.imageOffset?.value) == [0x1000, 0x10, nil])
    #expect(frames.map(\.position) == [.exact, .returnAddress, .returnAddress])
  }

  @Test("Linker names are kept separately")
  func mangled() throws {
    let frames = try Self.crashed(
      """
      *** Program crashed: Trap at 0x1 ***
      Thread 0 crashed:
      0 0x0000558000001000 $s4boat3rowyyF + 12 in boat
      """
    ).frames
    #expect(frames.map(\.symbol) == ["$s4boat3rowyyF"])
    #expect(frames.map(\.function) == [nil])
  }

  @Test("A failure of the optimised runtime, and registers of each thread")
  func runtimeFailure() throws {
    let report = try #require(
      try Self.reports(
        """
        *** Signal 4: Backtracing from 0x558000001000... done ***

        *** Swift runtime failure: arithmetic overflow ***

        Thread 0 "boat" crashed:

        rax 0x0000000000000001  1
        rip 0x0000558000001000  0f 0b

          0 [inlined] [system] 0x0000558000001000 Swift runtime failure: arithmetic overflow in boat at //<compiler-generated>
          1                    0x0000558000001000 row(_:) + 450 in boat at /src/row.swift:11:19
        """ + Self.images
      ).first)
    #expect(report.reason.type == "Swift runtime failure")
    #expect(report.reason.message == "arithmetic overflow")
    #expect(report.reason.signal == "SIGILL")
    #expect(report.reason.address == Address(0x5580_0000_1000))
    #expect(report.threads[0].registers == [Register("rax", 1), Register("rip", 0x5580_0000_1000)])
    #expect(
      report.threads[0].frames.map(\.function) == [
        "Swift runtime failure: arithmetic overflow", "row(_:)",
      ])
  }

  @Test("For an abort, the number in place of an address is the sender")
  func abort() throws {
    let report = try #require(
      try Self.reports("*** Program crashed: Aborted at 0x000000000000431d ***\n").first)
    #expect(report.reason.signal == "SIGABRT")
    #expect(report.reason.address == nil)
    #expect(report.notes == ["the report has no thread"])
  }

  @Test("The stack that older runtimes print")
  func older() throws {
    let report = try #require(
      try Self.reports(
        """
        Fatal error: Index out of range: file boat/row.swift, line 3
        Current stack trace:
        0    libswiftCore.so                    0x00007f0000002342 _swift_report + 50
        1    my boat                            0x0000558000002017 <unavailable> + 4119
        2    my boat                            0x0000558000001fff $s4boat3rowyyF + 8
        Illegal instruction (core dumped)
        1 file(s) left 0x00 in the boat + 3
        """
      ).first)
    #expect(report.reason.type == "Fatal error")
    #expect(
      report.reason.message == "Fatal error: Index out of range: file boat/row.swift, line 3")
    #expect(report.reason.signal == "SIGILL")
    let frames = report.threads[0].frames
    #expect(frames.map(\.position) == [.returnAddress, .returnAddress, .returnAddress])
    #expect(frames.map(\.function) == ["_swift_report", nil, nil])
    #expect(frames.map(\.symbol) == [nil, nil, "$s4boat3rowyyF"])
    #expect(frames.map(\.imageOffset?.value) == [nil, 4119, 4095])
    #expect(report.images.map(\.base?.value) == [nil, 0x5580_0000_1000])
  }

  @Test("Several crashes in one log, each with its own message")
  func several() throws {
    let crash = """
      boat/row.swift:3: Fatal error: first

      *** Signal 4: Backtracing from 0x1... done ***

      *** Program crashed: Illegal instruction at 0x1 ***

      Thread 0 crashed:

        0 0x1 one() + 1 in boat

      Backtrace took 0.1s

      restarting
      boat/row.swift:4: Precondition failed: second

      *** Signal 5: Backtracing from 0x2... done ***

      *** Program crashed: Trap at 0x2 ***

      Thread 0 crashed:

        0 0x2 two() + 1 in boat

      """
    let reports = try Self.reports(crash)
    #expect(
      reports.map(\.reason.message) == [
        "boat/row.swift:3: Fatal error: first", "boat/row.swift:4: Precondition failed: second",
      ])
    #expect(reports.map(\.reason.signal) == ["SIGILL", "SIGTRAP"])
    #expect(reports.map { $0.threads[0].frames.map(\.function) } == [["one()"], ["two()"]])
  }
}
