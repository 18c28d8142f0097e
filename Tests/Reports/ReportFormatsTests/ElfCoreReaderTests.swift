import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("ELF cores")
struct ElfCoreReaderTests {
  private func read(_ bytes: [UInt8]) throws -> CrashReport {
    let reports = try FormatRegistry.builtIn.reports(in: ByteView(bytes))
    #expect(reports.count == 1)
    return try #require(reports.first)
  }

  private static let buildID = Array(UInt8(1)...20)

  /// A crash of one of two threads on x86-64, with a program, a library, a file of data and the vDSO.
  private func crash() -> CoreBuilder {
    var core = CoreBuilder()
    core.thread(id: 78, signal: 11, rip: 0x5500_1500, rsp: 0x7ffe_0000, rbp: 0x7ffe_0010)
    core.signal(11, code: 1, address: 0x18)
    core.process(name: "tern-with-a-long-name", id: 77)
    core.auxiliaryVector([(3, 0x5500_0040), (9, 0x5500_1000), (33, 0x7fff_0000)])
    core.files([
      (0x5500_0000, 0x5500_1000, 0, "/opt/tern/tern-with-a-long-name"),
      (0x5500_1000, 0x5500_3000, 1, "/opt/tern/tern-with-a-long-name"),
      (0x7f00_0000, 0x7f00_1000, 0, "/usr/lib/locale.data"),
      (0x7f10_0000, 0x7f10_1000, 0, "/usr/lib/libgull.so.1 (deleted)"),
      (0x7f10_1000, 0x7f10_2000, 1, "/usr/lib/libgull.so.1 (deleted)"),
    ])
    core.thread(id: 77, rip: 0x7f10_1100, rsp: 0x7ffd_0000, rbp: 0)
    core.memory(
      at: 0x5500_0000, core.firstPage(size: 0x2800, buildID: Self.buildID), flags: 4)
    core.memory(at: 0x5500_1000, [], memorySize: 0x2000, flags: 5)
    core.memory(at: 0x7f10_0000, [], memorySize: 0x1000, flags: 4)
    core.memory(at: 0x7f10_1000, [], memorySize: 0x1000, flags: 5)
    core.memory(at: 0x7ffe_0000, core.words([4, 5, 6]))
    core.memory(
      at: 0x7fff_0000,
      core.firstPage(size: 0x800, buildID: Array(UInt8(21)...40)), flags: 5)
    return core
  }

  @Test("Threads, registers, reason, modules and memory")
  func whole() throws {
    let report = try read(crash().bytes())
    #expect(report.format.description == "elf-core")
    #expect(report.os.name == "Linux")
    #expect(report.device.architecture == .x86_64)
    #expect(report.process.pid == 77)
    #expect(report.process.name == "tern-with-a-long-name")
    #expect(report.process.path == "/opt/tern/tern-with-a-long-name")
    #expect(
      report.reason == CrashReason(signal: "SIGSEGV", code: "SEGV_MAPERR", address: Address(0x18)))
    #expect(report.threads.map(\.id) == [78, 77])
    #expect(report.crashedThread == 0)
    #expect(report.threads[0].registers.first { $0.name == "rip" }?.value == 0x5500_1500)
    #expect(
      report.images.map(\.name) == ["tern-with-a-long-name", "libgull.so.1", "linux-vdso.so.1"])
    #expect(report.images[0].codeID == CodeID(Self.buildID))
    #expect(report.images[0].debugID == DebugID(buildID: Self.buildID))
    #expect(report.images[0].size == 0x3000)
    // The core contains no page of it, but its memory is executable.
    #expect(report.images[1].path == "/usr/lib/libgull.so.1")
    #expect(report.images[1].base == Address(0x7f10_0000))
    #expect(report.images[1].size == 0x2000)
    #expect(report.images[1].codeID == nil)
    #expect(report.images[2].hasBuildID)
    #expect(report.memory?.word(at: 0x7ffe_0008) == 5)
    #expect(report.notes == [])
    // Arguments may hold secrets.
    #expect(!"\(report)".contains("secret"))
  }

  @Test(
    "Registers of each processor, in either order of bytes",
    arguments: [
      (62, 8, false, 16, "rip", Architecture.x86_64), (3, 4, false, 12, "eip", .i386),
      (183, 8, false, 32, "pc", .arm64), (183, 8, true, 32, "pc", .arm64),
      (40, 4, false, 15, "pc", .arm), (40, 4, true, 15, "pc", .arm),
      (243, 8, false, 0, "pc", .riscv64), (21, 8, false, 32, "pc", .ppc64le),
      (20, 4, true, 32, "pc", .ppc), (22, 8, true, 1, "pc", .s390x),
      (8, 8, false, 34, "pc", .mips64), (8, 4, true, 40, "pc", .mips),
    ])
  func registers(
    machine: UInt64, wordSize: Int, isBigEndian: Bool, index: Int, name: String,
    architecture: Architecture
  ) throws {
    var core = CoreBuilder(machine: machine, wordSize: wordSize, isBigEndian: isBigEndian)
    core.thread(id: 5, signal: 11, registers: (0..<48).map { 0x1000 + UInt64($0) })
    core.signal(11, code: 2, address: 0x1234)
    core.process(name: "tern", id: 4)
    let report = try read(core.bytes())
    #expect(report.device.architecture == architecture)
    #expect(report.threads.map(\.id) == [5])
    #expect(report.process.pid == 4)
    #expect(report.process.name == "tern")
    let register = try #require(report.threads[0].registers.first { $0.name == name })
    #expect(register.value == 0x1000 + UInt64(index))
    #expect(
      report.reason
        == CrashReason(signal: "SIGSEGV", code: "SEGV_ACCERR", address: Address(0x1234)))
    #expect(report.memory?.addressSize == wordSize)
  }

  @Test("A core written by a debugger for a running process is not a crash")
  func requested() throws {
    var core = CoreBuilder()
    core.thread(id: 5, signal: 19, rip: 0x1000, rsp: 0x2000, rbp: 0)
    let report = try read(core.bytes())
    #expect(report.kind == .other)
    #expect(report.reason.type == "DUMP_REQUESTED")
    #expect(report.crashedThread == nil)
  }

  @Test(
    "A core with the signal by which a debugger stopped the process is not a crash",
    arguments: [2, 17, 18, 19, 20, 21, 22, 23, 28] as [UInt64])
  func stopped(signal: UInt64) throws {
    for thread: UInt64 in [0, signal] {
      var core = CoreBuilder()
      core.thread(id: 5, signal: thread, rip: 0x1000, rsp: 0x2000, rbp: 0)
      core.signal(signal, code: 0x80, address: 0)
      let report = try read(core.bytes())
      #expect(report.kind == .other)
      #expect(report.reason == CrashReason(type: "DUMP_REQUESTED"))
      #expect(report.crashedThread == nil)
    }
  }

  @Test(
    "A signal that was sent has its sender, and no address",
    arguments: [4, 5, 6, 7, 8, 11] as [UInt64], [4, 8])
  func sent(signal: UInt64, wordSize: Int) throws {
    for (code, name) in [(0, "SI_USER"), (-1, "SI_QUEUE"), (-6, "SI_TKILL")] as [(Int32, String)] {
      var core = CoreBuilder(machine: wordSize == 8 ? 62 : 3, wordSize: wordSize)
      core.thread(id: 5, signal: signal, registers: [UInt64](repeating: 1, count: 27))
      core.sentSignal(signal, code: code, from: 812, user: 1000)
      core.process(name: "tern", id: 5)
      let report = try read(core.bytes())
      #expect(report.kind == .crash)
      #expect(report.reason.code == name)
      #expect(report.reason.address == nil)
      #expect(report.tags[.signalSender] == "pid 812, uid 1000")
      #expect(report.signalSenderSentence == "The signal was sent by process 812 (user 1000)")
    }
  }

  @Test("Codes of timers and queues name no process")
  func timer() throws {
    var core = CoreBuilder()
    core.thread(id: 5, signal: 11, rip: 0x1000, rsp: 0x2000, rbp: 0)
    core.sentSignal(11, code: -2, from: 3, user: 1)
    let report = try read(core.bytes())
    #expect(report.reason == CrashReason(signal: "SIGSEGV", code: "SI_TIMER"))
    #expect(report.tags[.signalSender] == nil)
  }

  @Test("A program that sends itself a signal is named as the sender, except for abort's")
  func ownSignal() throws {
    for (signal, sentence) in [
      (11, "The signal was sent by process 5 (user 0), the program itself"), (6, nil),
    ] as [(UInt64, String?)] {
      var core = CoreBuilder()
      core.thread(id: 5, signal: signal, rip: 0x1000, rsp: 0x2000, rbp: 0)
      core.sentSignal(signal, code: -6, from: 5, user: 0)
      core.process(name: "tern", id: 5)
      #expect(try read(core.bytes()).signalSenderSentence == sentence)
    }
  }

  @Test("More segments than the header can count", arguments: [4, 8])
  func manySegments(wordSize: Int) throws {
    var core = CoreBuilder(machine: wordSize == 8 ? 62 : 3, wordSize: wordSize)
    core.thread(id: 5, signal: 6, registers: [UInt64](repeating: 1, count: 27))
    for index in 0..<UInt64(66_000) {
      core.memory(at: 0x10_0000 + index * 64, core.words([index, 0]))
    }
    let whole = core.bytes(isExtended: true)
    let report = try read(whole)
    #expect(report.memory?.regions.count == 66_000)
    #expect(report.memory?.word(at: 0x10_0000 + 65_999 * 64) == 65_999)
    #expect(report.notes == [])
    // The section that contains the number is lost first.
    let cut = try read(Array(whole.dropLast(wordSize == 8 ? 64 : 40)))
    #expect((cut.memory?.regions.count ?? 0) >= 65_999)
  }

  @Test("Without mapped files the loader's list names the modules", arguments: [false, true])
  func loaderList(hasHeaders: Bool) throws {
    var core = CoreBuilder(machine: 183)
    core.thread(id: 5, signal: 11, registers: [UInt64](repeating: 0, count: 34))
    core.auxiliaryVector([
      (3, 0x55_0000_0040), (4, 56), (5, 2), (9, 0x55_0000_0800), (31, 0x7f_0000_0000),
    ])
    let path: (String) -> [UInt8] = { Array($0.utf8) + [0] }
    core.memory(at: 0x7f_0000_0000, path("/opt/tern/tern"))
    core.memory(at: 0x7f_0000_1000, path("/lib/libgull.so.1") + path(""))
    // Bias, name, dynamic section, next, previous.
    core.memory(
      at: 0x7f_0000_2000,
      core.words([
        7, 0x55_0000_0000, 0x7f_0000_1012, 0x55_0000_2000, 0x7f_0000_2040, 0, 9, 9,
        0x60_0000_0000, 0x7f_0000_1000, 0x60_0000_2000, 0, 0x7f_0000_2008,
      ]))
    if hasHeaders {
      var page = core.firstPage(size: 0x3000, buildID: Self.buildID)
      // The note becomes the dynamic section, which points to the list.
      page.replaceSubrange(64 + 56..<64 + 60, with: core.numbers((2, 4)))
      page.replaceSubrange(
        64 + 112..<64 + 112 + 32, with: core.words([21, 0x7f_0000_3000, 0, 0]))
      core.memory(at: 0x55_0000_0000, page, flags: 4)
      core.memory(at: 0x7f_0000_3000, core.words([1, 0x7f_0000_2008]))
    }
    let report = try read(core.bytes())
    #expect(report.images.map(\.path) == ["/opt/tern/tern", "/lib/libgull.so.1"])
    #expect(report.images.map(\.base) == [Address(0x55_0000_0000), Address(0x60_0000_0000)])
    #expect(report.process.path == "/opt/tern/tern")
  }

  @Test("Modules without headers in the core are as large as their memory")
  func measuredModules() throws {
    var core = CoreBuilder(machine: 183)
    core.thread(id: 5, signal: 11, registers: [UInt64](repeating: 0, count: 34))
    core.auxiliaryVector([(3, 0x55_0000_0040), (4, 56), (5, 2), (9, 0x55_0000_0800)])
    core.memory(at: 0x55_0000_1000, [UInt8](repeating: 0, count: 0x1000))
    core.memory(at: 0x55_0000_2000, [UInt8](repeating: 0, count: 0x800))
    core.memory(at: 0x55_0000_3000, [UInt8](repeating: 0, count: 0x1000))
    // The page of the program's code is not written.
    var bytes = core.bytes()
    #expect(try read(bytes).images.map(\.size) == [nil])
    core.memory(at: 0x55_0000_0000, [UInt8](repeating: 0, count: 0x1000))
    bytes = core.bytes()
    let report = try read(bytes)
    #expect(report.images.map(\.base) == [Address(0x55_0000_0000)])
    #expect(report.images.map(\.size) == [0x2800])
  }

  @Test("A circular list of modules ends")
  func loop() throws {
    var core = CoreBuilder()
    core.thread(id: 5, signal: 11, rip: 0, rsp: 0, rbp: 0)
    core.auxiliaryVector([(3, 0x40_0040)])
    core.memory(at: 0x1_0000, Array("/lib/libgull.so\0\0".utf8))
    core.memory(
      at: 0x2_0000,
      core.words([
        0, 0x1_0010, 0x40_2000, 0x2_0028, 0, 0x50_0000, 0x1_0000, 0x50_2000, 0x2_0028, 0x2_0000,
      ]))
    let report = try read(core.bytes())
    #expect(report.images.map(\.name) == ["program", "libgull.so"])
    #expect(report.notes.contains("the loader's list of modules does not end"))
  }

  @Test("The threads of BSD systems")
  func otherSystems() throws {
    var free = CoreBuilder()
    var status = free.numbers((1, 4), (0, 4)) + free.words([0, 0, 0])
    status += free.numbers((1_300_000, 4), (10, 4), (100_077, 4), (0, 4))
    status += free.words((0..<22).map { 0x100 + $0 })
    free.add(free.note("FreeBSD", 1, status))
    free.add(free.note("FreeBSD", 7, Array("worker\0".utf8) + [UInt8](repeating: 0, count: 17)))
    let first = try read(free.bytes())
    #expect(first.os.name == "FreeBSD")
    #expect(first.reason.signal == "SIGBUS")
    #expect(first.threads.map(\.name) == ["worker"])
    #expect(first.threads[0].registers.first { $0.name == "rip" }?.value == 0x111)

    var net = CoreBuilder(machine: 183)
    var process = [UInt8](repeating: 0, count: 160)
    process.replaceSubrange(8..<16, with: net.numbers((11, 4), (1, 4)))
    process.replaceSubrange(80..<84, with: net.numbers((9, 4)))
    process.replaceSubrange(124..<128, with: Array("tern".utf8))
    process.replaceSubrange(156..<160, with: net.numbers((2, 4)))
    net.add(net.note("NetBSD-CORE", 1, process))
    for id in [1, 2] {
      net.add(net.note("NetBSD-CORE@\(id)", 32, net.words((0..<35).map { 0x200 + $0 })))
    }
    let second = try read(net.bytes())
    #expect(second.os.name == "NetBSD")
    #expect(second.crashedThread == 1)
    #expect(second.process == ProcessDetails(name: "tern", pid: 9))
    #expect(second.threads[1].registers.first { $0.name == "pc" }?.value == 0x220)

    var open = CoreBuilder()
    open.add(open.note("OpenBSD", 10, Array(process[..<80])))
    open.add(open.note("OpenBSD@42", 20, open.words((0..<24).map { 0x300 + $0 })))
    let third = try read(open.bytes())
    #expect(third.os.name == "OpenBSD")
    #expect(third.threads.map(\.id) == [42])
    #expect(third.threads[0].registers.first { $0.name == "rsp" }?.value == 0x30f)
  }

  private static let packageNote = """
    {"type":"rpm","os":"fedora","osVersion":"40","name":"tern","version":"1.2-3.fc40",\
    "architecture":"x86_64","osCpe":"cpe:/o:fedoraproject:fedora:40",\
    "debugInfoUrl":"https://debuginfod.fedoraproject.org/"}
    """

  @Test("The package that a module names in its first page", arguments: [false, true])
  func package(isBigEndian: Bool) throws {
    var core = CoreBuilder(machine: isBigEndian ? 22 : 62, isBigEndian: isBigEndian)
    core.thread(id: 5, signal: 11, registers: [UInt64](repeating: 0, count: 27))
    core.files([(0x1_0000, 0x1_1000, 0, "/usr/bin/tern")])
    core.memory(
      at: 0x1_0000,
      core.firstPage(size: 0x1000, buildID: Self.buildID, package: Self.packageNote), flags: 5)
    let image = try #require(try read(core.bytes()).images.first)
    #expect(image.codeID == CodeID(Self.buildID))
    #expect(
      image.package
        == ImagePackage(
          type: "rpm", name: "tern", version: "1.2-3.fc40", architecture: "x86_64",
          os: "fedora 40", osCPE: "cpe:/o:fedoraproject:fedora:40",
          debugInfoURL: "https://debuginfod.fedoraproject.org/"))
  }

  @Test(
    "A note that is not about a package names none, and costs the module nothing",
    arguments: [
      "", "{", "[]", "17", "{\"name\":17}", "{\"name\":\"\"}", "{\"version\":\"1\"}",
      String(Self.packageNote.dropLast()), String(repeating: "[", count: 2000),
      "{\"name\":\"\(String(repeating: "x", count: 2000))\"}",
      "{\"name\":\"x\",\"more\":[\(String(repeating: "0,", count: 1000))0]}",
    ])
  func damagedPackage(text: String) throws {
    var core = CoreBuilder()
    core.thread(id: 5, signal: 11, rip: 0x1_0010, rsp: 0, rbp: 0)
    core.files([(0x1_0000, 0x1_1000, 0, "/usr/bin/tern")])
    core.memory(
      at: 0x1_0000, core.firstPage(size: 0x1000, buildID: Self.buildID, package: text), flags: 5)
    let image = try #require(try read(core.bytes()).images.first)
    #expect(image.codeID == CodeID(Self.buildID))
    #expect(image.package == nil)
  }

  @Test("Notes of four billion bytes, offsets of 2^63 and overlapping memory cost what they touch")
  func damage() throws {
    var core = crash()
    core.memory(at: 0x7ffe_0008, core.words([50, 60, 70]))
    core.memory(at: UInt64.max - 4, core.words([1]), memorySize: .max)
    core.add(core.note("CORE", 6, core.words([3, 4]), claims: 0xffff_fff0))
    let report = try read(core.bytes())
    #expect(report.threads.count == 2)
    #expect(report.images.count >= 3)
    #expect(report.memory?.word(at: 0x7ffe_0008) == 5)
    #expect(report.memory?.word(at: 0x7ffe_0018) == 70)
    #expect(report.notes.contains("the notes of the core are cut off"))
    var listing = CoreBuilder()
    listing.thread(id: 5, signal: 11, rip: 0x1000, rsp: 0x2000, rbp: 0)
    listing.files([(0x1000, 0x2000, .max, "/x")], claims: 1 << 62)
    let listed = try read(listing.bytes())
    #expect(listed.notes.contains { $0.contains("4611686018427387904 mappings") })
  }

  @Test("The list of mapped files is read once, and file headers up to a limit")
  func manyFiles() throws {
    var core = CoreBuilder()
    core.thread(id: 5, signal: 11, rip: 0x1000, rsp: 0x2000, rbp: 0)
    // Each names the same page as its beginning, which claims 256 parts.
    var files: [(start: UInt64, end: UInt64, pages: UInt64, path: String)] = []
    for index in 0..<UInt64(3000) {
      let start = 0x10_0000 + index * 0x1000
      files.append((start, start + 0x1000, index, "/lib/\(index)"))
    }
    core.files(files)
    core.files(files.map { ($0.start, $0.end, $0.pages, $0.path + "-again") })
    var page = core.firstPage(size: 0x1000, buildID: Self.buildID)
    page.replaceSubrange(56..<58, with: core.numbers((256, 2)))
    core.memory(at: 0x10_0000, page + [UInt8](repeating: 0, count: 0x8000), flags: 4)
    let report = try read(core.bytes())
    #expect(report.images.count == CoreFile.Limits.allModuleSegments / 256)
    #expect(report.images.allSatisfy { $0.name.allSatisfy(\.isNumber) && $0.hasBuildID })
  }

  @Test("Of too many mapped files, the first have their names")
  func tooManyFiles() throws {
    var core = CoreBuilder()
    core.thread(id: 5, signal: 11, rip: 0x1000, rsp: 0x2000, rbp: 0)
    let count = CoreFile.Limits.mappings + 10
    var files: [(start: UInt64, end: UInt64, pages: UInt64, path: String)] = []
    files.reserveCapacity(count)
    for index in 0..<UInt64(count) {
      files.append(
        (0x10_0000 + index * 16, 0x10_0010 + index * 16, index, index == 0 ? "/lib/a" : "b"))
    }
    core.files(files)
    core.memory(at: 0x10_0000, [], memorySize: 16, flags: 5)
    let report = try read(core.bytes())
    #expect(report.images.map(\.path) == ["/lib/a"])
    #expect(
      report.notes == [
        "the core names \(count) mappings of files; \(count - 10) of them were read"
      ])
  }

  @Test("Truncated threads are noted once")
  func cutThreads() throws {
    var core = CoreBuilder()
    core.thread(id: 5, signal: 11, rip: 0x1000, rsp: 0x2000, rbp: 0)
    for _ in 0..<100 { core.add(core.note("CORE", 1, [1, 2, 3])) }
    #expect(try read(core.bytes()).notes == ["a thread of the core is cut off"])
  }

  @Test("A truncated core gives the available data, with a note")
  func cut() throws {
    let whole = crash().bytes()
    var read = 0
    for end in stride(from: 0, to: whole.count, by: 13) {
      guard let reports = try? FormatRegistry.builtIn.reports(in: ByteView(whole[..<end])) else {
        #expect(end < 200)
        continue
      }
      read += reports.count
      #expect(reports.allSatisfy { !$0.notes.isEmpty })
    }
    #expect(read > 100)
  }

  @Test("100,000 threads are counted, and as many read as the limit allows")
  func manyThreads() throws {
    var core = CoreBuilder()
    let status = [UInt8](repeating: 0, count: 112 + 27 * 8)
    let note = core.note("CORE", 1, status)
    core.thread(id: 5, signal: 11, rip: 0x1000, rsp: 0x2000, rbp: 0)
    core.add((0..<99_999).flatMap { _ in note })
    let report = try read(core.bytes())
    #expect(report.threads.count == FormatLimits.stacks)
    #expect(report.threads[0].crashed)
    #expect(report.notes == ["the core names 100000 threads; 4096 of them were read"])
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
