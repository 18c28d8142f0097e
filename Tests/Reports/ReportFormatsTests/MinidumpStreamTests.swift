import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Streams of minidumps")
struct MinidumpStreamTests {
  private func read(_ dump: MinidumpBuilder, time: UInt32 = 1_800_000_000) throws -> CrashReport {
    let reports = try FormatRegistry.builtIn.reports(in: ByteView(dump.bytes(time: time)))
    return try #require(reports.first)
  }

  /// A dump of Windows whose two threads have blocks of the system in memory.
  private func windows() -> MinidumpBuilder {
    var dump = MinidumpBuilder()
    dump.system(platform: 2, version: (10, 0, 19041), text: "")
    let context = dump.context(rip: 0x40_1500, rsp: 0x7000, rbp: 0)
    dump.list(
      3,
      [
        dump.thread(id: 7, block: 0x9000, stack: (0x7000, [1]), context: context),
        dump.thread(id: 8, block: 0xa000, stack: (0x8000, [2]), context: context),
      ])
    return dump
  }

  @Test("Unloaded modules are images of their own, with the id of their file")
  func unloaded() throws {
    var dump = windows()
    let name = dump.add(text: "gone.dll")
    func entry(_ base: UInt64, _ size: UInt64, _ time: UInt64, _ name: UInt64) -> [UInt8] {
      dump.numbers((base, 8), (size, 4), (0, 4), (time, 4), (name, 4))
    }
    let entries = [entry(0x1000_0000, 0x2000, 0x5f00_0001, name), entry(0x1000_1000, 0x10, 0, 0)]
    dump.stream(14, dump.numbers((12, 4), (24, 4), (2, 4)) + entries.flatMap { $0 })
    let report = try read(dump)
    #expect(report.unloadedImages.map(\.name) == ["gone.dll", "unnamed"])
    #expect(
      report.unloadedImages.first?.codeID == CodeID(timestamp: 0x5f00_0001, imageSize: 0x2000))
    #expect(report.unloadedImages.first?.base == Address(0x1000_0000))
  }

  @Test("Windows stores the last error of each thread in its block")
  func lastError() throws {
    var dump = windows()
    let block = dump.add([UInt8](repeating: 0, count: 0x68) + dump.numbers((2, 4), (0, 4)))
    dump.list(5, [dump.numbers((0x9000, 8), (0x70, 4), (block, 4))])
    let report = try read(dump)
    #expect(report.threads.map(\.lastError) == ["ERROR_FILE_NOT_FOUND", nil])
  }

  @Test("The thread that wrote the dump is treated like any other")
  func dumpingThread() throws {
    for (dumping, requesting, crashed) in [(8, 7, 0), (7, 8, 1), (7, 7, 0)]
      as [(UInt64, UInt64, Int)]
    {
      var dump = windows()
      dump.stream(0x4767_0001, dump.numbers((3, 4), (dumping, 4), (requesting, 4)))
      let report = try read(dump)
      #expect(report.threads.compactMap(\.id) == [7, 8])
      #expect(report.crashedThread == crashed)
      #expect(report.notes == [])
    }
  }

  @Test("Process times, integrity and build of the system are read as far as the stream reaches")
  func miscInfo() throws {
    var info = MinidumpBuilder().numbers(
      (0, 4), (0x113, 4), (4711, 4), (1_799_999_990, 4), (3, 4), (1, 4))
    info += [UInt8](repeating: 0, count: 44 - info.count) + MinidumpBuilder().numbers((0x3000, 4))
    info += [UInt8](repeating: 0, count: 232 - info.count)
    info += Array("19041.vb".utf8).flatMap { [$0, 0] }
    info += [UInt8](repeating: 0, count: 832 - info.count)
    for (size, text) in [(24, nil), (44, nil), (832, "19041.vb")] as [(Int, String?)] {
      var dump = windows()
      dump.stream(15, Array(info.prefix(size)))
      let report = try read(dump)
      #expect(report.process.pid == 4711)
      #expect(report.process.uptime == 10)
      #expect(report.tags[.processorTime] == "3 s, 1 s in the system")
      #expect(report.tags[.osBuildText] == text)
      #expect(report.tags[.processIntegrity] == (size > 44 ? "high" : nil))
    }
  }

  @Test(
    "Linux's texts give process, distribution and microcode; environment and command line stay out")
  func linuxTexts() throws {
    var dump = MinidumpBuilder()
    dump.system()
    dump.stream(0x4767_0004, Array("Name:\ttern\nPid:\t99\n".utf8))
    dump.stream(0x4767_0005, Array("ID=debian\nPRETTY_NAME=\"Debian 12\"\n".utf8))
    dump.stream(0x4767_0003, Array("processor\t: 0\nmicrocode\t: 0xb4\nprocessor\t: 1\n".utf8))
    dump.stream(0x4767_0006, Array("tern\0--token=hush\0".utf8))
    dump.stream(0x4767_0007, Array("SECRET=hush\0".utf8))
    let report = try read(dump)
    #expect(report.process.pid == 99)
    #expect(report.tags[.distribution] == "Debian 12")
    #expect(report.tags[.cpuMicrocode] == "0xb4")
    #expect(!"\(report)".contains("hush"))
  }

  @Test("Messages of Apple's libraries, assertions and comments are shown")
  func messages() throws {
    var dump = MinidumpBuilder()
    dump.system(processor: 12, platform: 0x8101, text: "23A1")
    let texts = ["/usr/lib/libc.dylib", "abort() called", "", "", "second"]
    let record =
      dump.add([UInt8](repeating: 1, count: 40) + texts.flatMap { Array($0.utf8) + [0] })
    dump.stream(
      0x4d7a_0001, dump.numbers((0x4d7a_0001, 4), (1, 4), (40, 4), (84, 4), (record, 4)))
    dump.stream(11, Array("written by hand".utf16).flatMap { dump.numbers((UInt64($0), 2)) })
    let arguments = dump.add(text: "-v")
    dump.stream(0x4d7a_0002, dump.numbers((0x4d7a_0002, 4), (arguments, 8)))
    let report = try read(dump)
    #expect(report.reason.message == "abort() called\nsecond")
    #expect(report.tags[.comment] == "written by hand")
    #expect(report.tags[.bootArguments] == "-v")

    var other = windows()
    func wide(_ text: String) -> [UInt8] {
      let bytes = text.utf16.flatMap { other.numbers((UInt64($0), 2)) }
      return bytes + [UInt8](repeating: 0, count: 256 - bytes.count)
    }
    let assertion =
      wide("count > 0") + wide("pour") + wide("tern.c") + other.numbers((12, 4), (1, 4))
    other.stream(0x4767_0002, assertion)
    #expect(
      try read(other).reason.message == "invalid parameter: count > 0 in pour (tern.c:12)")
  }

  @Test("An empty assertion stream is not an assertion, whatever its type")
  func emptyAssertion() throws {
    var dump = windows()
    dump.stream(0x4767_0002, [UInt8](repeating: 0, count: 776))
    #expect(try read(dump).reason.message == nil)
    var typed = windows()
    typed.stream(0x4767_0002, [UInt8](repeating: 0, count: 772) + typed.numbers((2, 4)))
    #expect(try read(typed).reason.message == "pure virtual function call")
    var placed = windows()
    placed.stream(
      0x4767_0002, [UInt8](repeating: 0, count: 768) + placed.numbers((12, 4), (0, 4)))
    #expect(try read(placed).reason.message == "assertion")
  }

  @Test("Handles are counted")
  func handles() throws {
    var dump = windows()
    dump.stream(
      12, dump.numbers((16, 4), (32, 4), (3, 4), (0, 4)) + [UInt8](repeating: 0, count: 96))
    #expect(try read(dump).tags[.processHandles] == "3")
  }

  @Test("Contexts of processors whose stacks are not walked keep their registers")
  func contexts() throws {
    for (processor, size, bigEndian, place, width, name) in [
      (1, 600, true, 312, 8, "pc"), (0x8004, 600, true, 312, 8, "pc"),
      (3, 1000, true, 4, 4, "srr0"),
      (0x8002, 1200, true, 8, 8, "srr0"), (0x8001, 600, true, 272, 8, "pc"),
      (0x8005, 300, false, 8, 4, "pc"), (0x8006, 600, false, 8, 8, "pc"),
    ] as [(UInt64, Int, Bool, Int, Int, String)] {
      var dump = MinidumpBuilder(isBigEndian: bigEndian)
      dump.system(processor: processor)
      var context = [UInt8](repeating: 0, count: size)
      if processor == 0x8005 { context.replaceSubrange(4..<8, with: dump.numbers((1, 4))) }
      context.replaceSubrange(place..<(place + width), with: dump.numbers((0x12_3456, width)))
      dump.list(3, [dump.thread(id: 1, stack: (0x1000, [0]), context: context)])
      let registers = try #require(try read(dump).threads.first).registers
      #expect(registers.first { $0.name == name }?.value == 0x12_3456, "processor \(processor)")
      #expect(registers.count >= 32)
    }
  }

  @Test("A context longer than its registers is read, one that is too short is noted")
  func contextSizes() throws {
    for (size, count) in [(1232, 18), (4096, 18), (200, 0)] {
      var dump = MinidumpBuilder()
      dump.system()
      let whole = dump.context(rip: 1, rsp: 2, rbp: 3) + [UInt8](repeating: 0, count: 4096)
      dump.list(
        3, [dump.thread(id: 1, stack: (0x1000, [0]), context: Array(whole.prefix(size)))])
      let report = try read(dump)
      #expect(report.threads.first?.registers.count == count)
      #expect(report.notes.isEmpty == (count > 0))
    }
  }

  @Test("Of 100,000 threads, the crashed one is read, however late it comes")
  func manyThreads() throws {
    var dump = MinidumpBuilder()
    dump.system()
    let context = dump.context(rip: 0x40_1500, rsp: 0x7000, rbp: 0)
    let thread = dump.thread(id: 0, stack: (0x7000, [1]), context: context)
    let threads = (0..<100_000).map { dump.numbers((UInt64($0), 4)) + thread.dropFirst(4) }
    dump.list(3, threads)
    dump.exception(thread: 99_998, code: 11, flags: 1, address: 0, context: context)
    let report = try read(dump)
    #expect(report.threads.count == MinidumpFile.Limits.threads + 1)
    #expect(report.crashedThread.map { report.threads[$0].id } == 99_998)
    #expect(report.notes.contains { $0.contains("100000 threads") })
  }

  @Test("Reasons of macOS: resources, guards, signals of a crash and exceptions of Objective-C")
  func macReasons() throws {
    for (code, flags, parameters, type, detail, signal) in [
      (
        11, 0x2400_0000, [11, 1 << 61 | 1 << 58 | 180 << 7 | 50, 97],
        "EXC_RESOURCE", "RESOURCE_TYPE_CPU, FLAVOR_CPU_MONITOR", nil
      ),
      (
        12, 0x4000_0001, [12, 2 << 61 | 1 << 32 | 3, 0], "EXC_GUARD",
        "GUARD_TYPE_FD, GUARD_EXC_CLOSE", nil
      ),
      (12, 0x4000_0002, [], "EXC_GUARD", "GUARD_TYPE_FD, GUARD_EXC_DUP", nil),
      (10, 6 << 24, [], "EXC_CRASH", "0x6000000", "SIGABRT"),
      (5, 0x1_0002, [], "EXC_SOFTWARE", "SIGABRT", "SIGABRT"),
      (0x4350_6e78, 0, [], "UNCAUGHT_NS_EXCEPTION", "0x0", nil),
    ] as [(UInt64, UInt64, [UInt64], String, String, String?)] {
      var dump = MinidumpBuilder()
      dump.system(processor: 12, platform: 0x8101, version: (14, 0, 0), text: "23A1")
      dump.exception(
        thread: 1, code: code, flags: flags, address: 0x10, parameters: parameters, context: [])
      let reason = try read(dump).reason
      #expect(reason.type == type)
      #expect(reason.code == detail)
      #expect(reason.signal == signal)
      if code == 11 {
        #expect(reason.message == "97 % of a processor over 180 s; 50 % are allowed")
      }
    }
  }

  @Test("Errors of Windows have their names")
  func windowsNames() {
    #expect(WindowsException.name(0xc000_001e, parameters: []) == "STATUS_INVALID_LOCK_SEQUENCE")
    #expect(
      WindowsException.detail(0xc000_0006, parameters: [0, 0x10, 0xc000_0185])
        == "STATUS_IO_DEVICE_ERROR")
    #expect(WindowsError.name(0x8007_0091) == "FACILITY_WIN32 / ERROR_DIR_NOT_EMPTY")
    #expect(WindowsError.name(0x8007_0005) == "E_ACCESSDENIED")
    #expect(WindowsError.lastError(258) == "WAIT_TIMEOUT")
    #expect(WindowsError.lastError(0x1234_0000) == "0x12340000")
  }

  @Test("A Linux fault at address 0 keeps it if the writer knew no codes")
  func uncoded() throws {
    for (hasCrashpad, address) in [(false, Address(0)), (true, nil)] as [(Bool, Address?)] {
      var dump = MinidumpBuilder()
      dump.system()
      if hasCrashpad { dump.stream(0x4350_0001, [UInt8](repeating: 0, count: 52)) }
      dump.exception(thread: 1, code: 11, flags: 0, address: 0, context: [])
      #expect(try read(dump).reason.address == address)
    }
  }
}
