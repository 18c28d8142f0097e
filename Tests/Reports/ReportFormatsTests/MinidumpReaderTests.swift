import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Minidumps")
struct MinidumpReaderTests {
  private func read(_ bytes: [UInt8]) throws -> CrashReport {
    let reports = try FormatRegistry.builtIn.reports(in: ByteView(bytes))
    #expect(reports.count == 1)
    return try #require(reports.first)
  }

  /// A crash of one of two threads on Linux.
  private func crash(isBigEndian: Bool = false) -> MinidumpBuilder {
    var dump = MinidumpBuilder(isBigEndian: isBigEndian)
    dump.system()
    let context = dump.context(rip: 0x40_1500, rsp: 0x7ffe_0000, rbp: 0x7ffe_0010)
    let handler = dump.context(rip: 0x7f00_0000, rsp: 0x7ffe_0000, rbp: 0)
    let threads = [
      dump.thread(id: 77, stack: (0x7ffd_0000, [1, 2, 3]), context: context),
      dump.thread(id: 78, stack: (0x7ffe_0000, [4, 5, 6]), context: handler),
    ]
    dump.list(3, threads)
    let modules = [
      dump.module(
        base: 0x40_0000, size: 0x1_0000, name: "/opt/tern/tern", buildID: Array(1...20))
    ]
    dump.list(4, modules)
    dump.exception(thread: 78, code: 11, flags: 1, address: 0x18, context: context)
    return dump
  }

  @Test("System, modules, threads, reason and registers", arguments: [false, true])
  func whole(isBigEndian: Bool) throws {
    let report = try read(crash(isBigEndian: isBigEndian).bytes())
    #expect(report.format.description == "minidump")
    #expect(
      report.os
        == OperatingSystem(name: "Linux", version: "6.1.0", build: "Linux 6.1.0 #1 SMP x86_64"))
    #expect(report.device.architecture == .x86_64)
    #expect(report.time == Timestamp(seconds: 1_800_000_000))
    #expect(report.process.path == "/opt/tern/tern")
    #expect(
      report.reason == CrashReason(signal: "SIGSEGV", code: "SEGV_MAPERR", address: Address(0x18)))
    #expect(report.threads.map(\.id) == [77, 78])
    #expect(report.crashedThread == 1)
    // The exception's registers, not those of the handler that wrote the dump.
    #expect(report.threads[1].registers.first { $0.name == "rip" }?.value == 0x40_1500)
    let image = try #require(report.images.first)
    #expect(image.codeID?.description == "0102030405060708090a0b0c0d0e0f1011121314")
    let buildID = DebugID(uuid: Array(UInt8(1)...16))
    #expect(image.debugID == (isBigEndian ? buildID : buildID.turned))
    #expect(report.memory?.word(at: 0x7ffe_0008) == 5)
    #expect(report.notes == [])
  }

  /// A dump of a signal whose code shows that it was sent, or not.
  private func sent(
    _ code: Int32, address: UInt64, isCrashpad: Bool, status: String? = nil
  ) throws -> CrashReport {
    var dump = MinidumpBuilder()
    dump.system()
    let context = dump.context(rip: 0x40_1500, rsp: 0x7ffe_0000, rbp: 0)
    dump.list(3, [dump.thread(id: 78, stack: (0x7ffe_0000, [4, 5, 6]), context: context)])
    dump.exception(
      thread: 78, code: 11, flags: UInt64(UInt32(bitPattern: code)), address: address,
      context: context)
    if isCrashpad { dump.stream(0x4350_0001, [UInt8](repeating: 0, count: 52)) }
    if let status { dump.stream(0x4767_0004, Array(status.utf8)) }
    return try read(dump.bytes())
  }

  @Test("A sent signal has its sender, and no address")
  func sent() throws {
    for (code, name) in [(0, "SI_USER"), (-6, "SI_TKILL")] as [(Int32, String)] {
      let report = try sent(code, address: 1000 << 32 | 812, isCrashpad: true)
      #expect(report.reason == CrashReason(signal: "SIGSEGV", code: name))
      #expect(report.tags[.signalSender] == "pid 812, uid 1000")
    }
    #expect(try sent(0, address: 812, isCrashpad: true).tags[.signalSender] == "pid 812, uid 0")
    #expect(try sent(-6, address: 812, isCrashpad: false).reason.address == nil)
  }

  @Test(
    "Where a writer leaves out the code, an address is a sender's only if it can be nothing else")
  func uncoded() throws {
    func address(_ value: UInt64, _ status: String?) throws -> UInt64? {
      try sent(0, address: value, isCrashpad: false, status: status).reason.address?.value
    }
    let own = "Name:\ttern\nPid:\t812\nUid:\t1000\t1000\t1000\t1000\n"
    #expect(try address(1000 << 32 | 812, own) == nil)
    #expect(try address(1000 << 32 | 4711, own) == nil)
    #expect(try address(1001 << 32 | 4711, own) == 1001 << 32 | 4711)
    #expect(try address(1000 << 32 | 0x7f00_0000, own) == 1000 << 32 | 0x7f00_0000)
    #expect(try address(0x32c, own) == 0x32c)
    #expect(try address(812, nil) == 812)
    let root = "Pid:\t812\nUid:\t0\t0\t0\t0\n"
    #expect(try address(812, root) == nil)
    #expect(try address(813, root) == 813)
  }

  @Test("Windows: the accessed address, and why a program ended itself")
  func windows() throws {
    for (code, parameters, type, detail, address) in [
      (
        0xc000_0005, [UInt64(1), 0x45], "EXCEPTION_ACCESS_VIOLATION_WRITE", String?.none,
        UInt64(0x45)
      ),
      (
        0xc000_0409, [7], "EXCEPTION_STACK_BUFFER_OVERRUN", "FAST_FAIL_FATAL_APP_EXIT",
        0x40_1500
      ),
      (0xe06d_7363, [], "Unhandled C++ Exception", nil, 0x40_1500),
      (0x1234_5678, [], "0x12345678", nil, 0x40_1500),
    ] as [(UInt64, [UInt64], String, String?, UInt64)] {
      var dump = MinidumpBuilder()
      dump.system(platform: 2, version: (10, 0, 19041), text: "")
      let context = dump.context(rip: 0x40_1500, rsp: 0, rbp: 0)
      dump.exception(
        thread: 1, code: code, flags: 0, address: 0x40_1500, parameters: parameters,
        context: context)
      let report = try read(dump.bytes())
      #expect(report.os == OperatingSystem(name: "Windows", version: "10.0.19041"))
      #expect(report.reason == CrashReason(type: type, code: detail, address: Address(address)))
      // Its thread is in no list, but its registers are known.
      #expect(report.threads.count == 1)
      #expect(report.threads.first?.crashed == true)
    }
  }

  @Test("Crashpad's annotations name app, version and installation")
  func annotations() throws {
    var dump = crash()
    func pair(_ name: String, _ value: String) -> [UInt8] {
      let key = dump.add(crashpadText: name)
      let text = dump.add(crashpadText: value)
      return dump.numbers((key, 4), (text, 4))
    }
    let entries = pair("prod", "Electron") + pair("_productName", "Tern") + pair("ver", "1.2.0")
    let place = dump.add(dump.numbers((3, 4)) + entries)
    let client = Array(UInt8(1)...16)
    dump.stream(
      0x4350_0001,
      dump.numbers((1, 4)) + [UInt8](repeating: 0, count: 16) + client
        + dump.numbers((UInt64(entries.count + 4), 4), (place, 4), (0, 8), (0, 4)))
    let report = try read(dump.bytes())
    #expect(report.app.name == "Tern")
    #expect(report.app.version == "1.2.0")
    #expect(report.properties["prod"] == "Electron")
    #expect(report.install == "04030201-0605-0807-090a-0b0c0d0e0f10")
  }

  /// A dump whose process has annotations.
  private func annotated(_ pairs: [(name: UInt64, value: UInt64)], _ dump: MinidumpBuilder)
    -> [UInt8]
  {
    var dump = dump
    let entries = pairs.flatMap { dump.numbers(($0.name, 4), ($0.value, 4)) }
    let place = dump.add(dump.numbers((UInt64(pairs.count), 4)) + entries)
    dump.stream(
      0x4350_0001,
      dump.numbers((1, 4)) + [UInt8](repeating: 0, count: 32)
        + dump.numbers((UInt64(entries.count + 4), 4), (place, 4), (0, 8), (0, 4)))
    return dump.bytes()
  }

  @Test("The text of a failed check is the message")
  func failedCheck() throws {
    var dump = crash()
    let name = dump.add(crashpadText: "LOG_FATAL")
    let value = dump.add(crashpadText: "row.cc:51: Check failed: oars > 0.")
    let report = try read(annotated([(name, value)], dump))
    #expect(report.reason.message == "row.cc:51: Check failed: oars > 0.")
  }

  @Test("One long text with thousands of annotations costs its bytes a few times")
  func repeatedText() throws {
    var dump = crash()
    let long = dump.add(crashpadText: String(repeating: "a", count: 16_000))
    let pairs = (0..<4000).map { index in
      (name: dump.add(crashpadText: "row \(index)"), value: long)
    }
    let report = try read(annotated(pairs, dump))
    #expect(report.properties.values.reduce(0) { $0 + $1.utf8.count } < 5 << 20)
    #expect(report.notes.contains("the minidump has more annotations than are read"))
  }

  @Test(
    "Crashpad marks the bits of a pointer that are not an address, or those that are",
    arguments: [0xffff_8000_0000_0000, 0x7fff_ffff_ffff] as [UInt64])
  func addressMask(_ mask: UInt64) throws {
    var dump = crash()
    dump.stream(
      0x4350_0001,
      dump.numbers((1, 4)) + [UInt8](repeating: 0, count: 52) + dump.numbers((mask, 8)))
    #expect(try read(dump.bytes()).memory?.addressMask == 0x7fff_ffff_ffff)
  }

  @Test("Counts of billions, nested lists and truncated files cost what they touch")
  func damage() throws {
    var dump = crash()
    dump.list(3, [], claims: 0xffff_ffff)
    let report = try read(dump.bytes())
    #expect(report.notes.contains { $0.contains("4294967295 threads") })
    #expect(report.threads.count == 1)
    // The directory is at the end: streams that it lost are missing, and noted.
    let whole = crash().bytes()
    var read = 0
    for end in stride(from: 0, to: whole.count, by: 7) {
      guard let reports = try? FormatRegistry.builtIn.reports(in: ByteView(whole[..<end])) else {
        continue
      }
      read += reports.count
      #expect(reports.allSatisfy { !$0.notes.isEmpty })
    }
    #expect((1...8).contains(read))
    #expect(throws: ParseError.self) {
      try FormatRegistry.builtIn.reports(in: ByteView(Array("MDMP".utf8)))
    }
  }

  @Test("Changed bytes cause no crash", arguments: [1, 2, 3] as [UInt64])
  func mutated(seed: UInt64) {
    let whole = crash().bytes()
    var read = 0
    for bytes in Mutator.binary(whole, count: 500, seed: seed) {
      if let reports = try? FormatRegistry.builtIn.reports(in: ByteView(bytes)) {
        read += reports.count
      }
    }
    #expect(read > 100)
  }
}
