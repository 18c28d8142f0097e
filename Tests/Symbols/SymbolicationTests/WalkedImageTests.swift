import Bytes
import CrashModel
import Identifiers
import SymbolSources
import Symbolication
import TestSupport
import Testing

@Suite("Rules of images for walking their stacks")
struct WalkedImageTests {
  /// A program without a build id: code at 0x1000 whose callers are 8 bytes above the stack pointer.
  private static let program: [UInt8] = {
    var builder = ObjectBuilderELF(is64: true)
    let entry: [UInt8] =
      [20, 0, 0, 0, 0, 0, 0, 0, 1, 0x7a, 0x52, 0, 1, 0x78, 16, 1, 0]
      + [0x0c, 7, 16, 0x90, 1, 0, 0]
    let function: [UInt8] =
      [28, 0, 0, 0, 28, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]
      + Array(repeating: 0, count: 8)
    builder.segments = [.init(type: 1, flags: 5, address: 0)]
    builder.sections = [
      .init(".text", flags: 6, address: 0x1000, contents: Array(repeating: 0x90, count: 0x1000)),
      .init(".eh_frame", flags: 2, address: 0x3000, contents: entry + function),
    ]
    return builder.build()
  }()

  /// A report about one thread of the program, which lies at 0x40_0000.
  private static func report(_ format: String, sp: UInt64, _ more: [Register] = []) -> CrashReport {
    var report = CrashReport(format: ReportFormat(format))
    report.device.architecture = .x86_64
    report.images = [
      LoadedImage(
        name: "prog", path: "/opt/prog", architecture: .x86_64, base: Address(0x40_0000),
        size: 0x10000)
    ]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        registers: [Register("rip", 0x40_1500), Register("rsp", sp), Register("rbp", 0)] + more)
    ]
    return report
  }

  private static func bytes(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  @Test(
    "A file of an image without a build id is used where its headers are in the memory",
    arguments: [(nil, "cfi"), (40, "scan")] as [(Int?, String)])
  func withoutID(_ changed: Int?, _ trust: String) throws {
    let folder = ScratchFolder()
    folder.write("prog", Self.program)
    var headers = Array(Self.program.prefix(1024))
    if let changed { headers[changed] ^= 1 }
    let words: [UInt64] = [0x40_1700, 0x40_1800, 0]
    var report = Self.report("minidump", sp: 0x7fff_0000)
    report.memory = ProcessMemory(
      [
        .init(start: 0x40_0000, bytes: ByteView(headers)),
        .init(start: 0x7fff_0000, bytes: ByteView(Self.bytes(words))),
      ], addressSize: 8, endianness: .little)
    let files = DebugFileScanner().scan([folder.path]).files
    #expect(files.count == 1)
    let symbolicator = Symbolicator(sources: [DebugFileIndex(files)], pool: SymbolCachePool())
    let frames = try symbolicator.symbolicate(report).threads[0].frames
    #expect(frames.dropFirst().first?.trust.rawValue == trust)
    #expect(frames.dropFirst().first?.address == Address(trust == "cfi" ? 0x40_1800 : 0x40_1700))
  }

  @Test(
    "A program of Go without a build id leads from its thread's stack to its goroutine's",
    arguments: [("runtime.systemstack.abi0", 0x40_1900), ("runtime.mstart1", nil)]
      as [(String, UInt64?)])
  func goroutine(_ name: String, _ caller: UInt64?) throws {
    var builder = ObjectBuilderELF(is64: true)
    builder.segments = [.init(type: 1, flags: 5, address: 0)]
    builder.sections = [
      .init(".text", flags: 6, address: 0x1000, contents: Array(repeating: 0x90, count: 0x1000)),
      .init(".go.buildinfo", flags: 3, address: 0x3000, contents: [0]),
    ]
    builder.add(symbols: [
      .init(name, 0x1400, size: 0x200), .init("main.main", 0x1600, size: 0xa00),
    ])
    let program = builder.build()
    let folder = ScratchFolder()
    folder.write("prog", program)
    // The thread's stack, the records g0, m and g, and the goroutine's stack.
    let start: UInt64 = 0x7fff_0000
    let g0 = start + 32
    let m = g0 + 128
    let g = m + 16
    let stack = g + 128
    var words: [UInt64] = [0x40_1700, 0, 0, 0]
    for (record, low, pc) in [(g0, start, 0x40_1700), (g, stack, 0x40_1900)]
      as [(UInt64, UInt64, UInt64)]
    {
      words += [low, low + 32, 0, 0, 0, 0, m, low, pc, record]
      words += Array(repeating: 0, count: 6)
      if record == g0 { words += [g0, g] }
    }
    words += [0, 0, 0, 0]
    var report = Self.report("elf-core", sp: start, [Register("r14", g0)])
    report.os.name = "Linux"
    report.memory = ProcessMemory(
      [
        .init(start: 0x40_0000, bytes: ByteView(Array(program.prefix(1024)))),
        .init(start: start, bytes: ByteView(Self.bytes(words))),
      ], addressSize: 8, endianness: .little)
    let files = DebugFileScanner().scan([folder.path]).files
    let symbolicator = Symbolicator(sources: [DebugFileIndex(files)], pool: SymbolCachePool())
    let frames = try symbolicator.symbolicate(report).threads[0].frames
    #expect(frames.dropFirst().first?.address?.value == caller)
  }

  /// A 32-bit Arm file with a build id: code from 0x1000 on, and what else its sections hold.
  private static func arm(_ sections: [ObjectBuilderELF.Section]) -> [UInt8] {
    var builder = ObjectBuilderELF(is64: false)
    builder.machine = 40
    builder.segments = [.init(type: 1, flags: 5, address: 0)]
    builder.sections = [
      .init(".note.gnu.build-id", type: 7, flags: 2, contents: builder.buildIDNote(buildID)),
      .init(".text", flags: 6, address: 0x1000, contents: Array(repeating: 0, count: 0x1000)),
    ]
    builder.sections += sections
    return builder.build()
  }

  private static let buildID = [UInt8](1...20)

  @Test(
    "Rules of a debug file for every instruction come before the exception index of the program",
    arguments: [true, false])
  func indexLast(hasDebugFile: Bool) throws {
    let folder = ScratchFolder()
    // pop r4, r14
    let index: [UInt8] = [0, 0xf0, 0xff, 0x7f, 0xb0, 0xb0, 0xa8, 0x80]
    folder.write(
      "a-prog", Self.arm([.init(".ARM.exidx", flags: 2, address: 0x2000, contents: index)]))
    if hasDebugFile {
      // CFA = sp + 4, r14 at CFA - 4
      let common: [UInt8] =
        [16, 0, 0, 0, 255, 255, 255, 255, 1, 0, 1, 0x7c, 14, 0x0c, 13, 4, 0x8e, 1, 0, 0]
      let function: [UInt8] = [12, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x10, 0, 0]
      folder.write("prog.debug", Self.arm([.init(".debug_frame", contents: common + function)]))
    }
    let words: [UInt32] = [0x40_1701, 0x40_1801, 0]
    let stack = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    var report = CrashReport(format: ReportFormat("minidump"))
    report.device.architecture = .arm
    report.images = [
      LoadedImage(
        name: "prog", path: "/opt/prog", architecture: .arm,
        debugID: DebugID(buildID: Self.buildID),
        codeID: CodeID(Self.buildID), base: Address(0x40_0000), size: 0x10000)
    ]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        registers: [Register("pc", 0x40_1500), Register("sp", 0x7fff_0000)])
    ]
    report.memory = ProcessMemory(
      [.init(start: 0x7fff_0000, bytes: ByteView(stack))], addressSize: 4, endianness: .little)
    let files = DebugFileScanner().scan([folder.path]).files
    #expect(files.count == (hasDebugFile ? 2 : 1))
    let symbolicator = Symbolicator(sources: [DebugFileIndex(files)], pool: SymbolCachePool())
    let caller = try #require(
      try symbolicator.symbolicate(report).threads[0].frames.dropFirst().first)
    #expect(caller.trust == .callFrameInformation)
    #expect(caller.address == Address(hasDebugFile ? 0x40_1700 : 0x40_1800))
  }

  /// The parts of a program of 4 MiB that a dump may hold: its headers and its rules, whose callers are 8 bytes
  /// above the stack pointer.
  private static func parts(at base: UInt64) -> [ProcessMemory.Region] {
    func bytes(_ numbers: [(UInt64, Int)]) -> [UInt8] {
      numbers.flatMap { number, size in
        (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
      }
    }
    func header(_ type: UInt64, _ address: UInt64, _ size: UInt64) -> [(UInt64, Int)] {
      [(type, 4), (4, 4), (address, 8), (address, 8), (address, 8), (size, 8), (size, 8), (8, 8)]
    }
    var head: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    head += bytes([
      (3, 2), (62, 2), (1, 4), (0, 8), (64, 8), (0, 8), (0, 4), (64, 2), (56, 2), (2, 2), (0, 6),
    ])
    head += bytes(header(1, 0, 0x40_0000) + header(0x6474_e550, 0x20_0000, 20))
    // The index; then a common entry with addresses as distances, and one function at 0x1000.
    let index = bytes([
      (0x3b03_1b01, 4), (0xffc, 4), (1, 4), (0xffe0_1000, 4), (0x1018, 4),
    ])
    let rules: [UInt8] =
      [20, 0, 0, 0, 0, 0, 0, 0, 1, 0x7a, 0x52, 0, 1, 0x78, 16, 1, 0x1b]
      + [0x0c, 7, 16, 0x90, 1, 0, 0]
      + bytes([(16, 4), (28, 4), (0xffdf_ffe0, 4), (0x1000, 4), (0, 4), (0, 4)])
    return [
      .init(start: base, bytes: ByteView(head)),
      .init(start: base + 0x20_0000, bytes: ByteView(index)),
      .init(start: base + 0x20_1000, bytes: ByteView(rules)),
    ]
  }

  @Test("Without a file, rules come from the memory of a dump that holds them and lacks the rest")
  func fromMemory() throws {
    let base: UInt64 = 0x40_0000
    let words: [UInt64] = [base + 0x1700, base + 0x1800, 0]
    let stack = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    for isWhole in [true, false] {
      var report = CrashReport(format: ReportFormat("elf-core"))
      report.device.architecture = .x86_64
      report.images = [
        LoadedImage(
          name: "prog", path: "/opt/prog", architecture: .x86_64,
          debugID: DebugID(buildID: Self.buildID), codeID: CodeID(Self.buildID),
          base: Address(base), size: 0x40_0000)
      ]
      report.threads = [
        CrashThread(
          index: 0, crashed: true,
          registers: [
            Register("rip", base + 0x1500), Register("rsp", 0x7fff_0000), Register("rbp", 0),
          ])
      ]
      let parts = Self.parts(at: base)
      report.memory = ProcessMemory(
        (isWhole ? parts : Array(parts.prefix(2)))
          + [.init(start: 0x7fff_0000, bytes: ByteView(stack))],
        addressSize: 8, endianness: .little)
      let symbolicator = Symbolicator(sources: [], pool: SymbolCachePool())
      let caller = try #require(
        try symbolicator.symbolicate(report).threads[0].frames.dropFirst().first)
      #expect(caller.trust == (isWhole ? .callFrameInformation : .scan))
      #expect(caller.address == Address(isWhole ? base + 0x1800 : base + 0x1700))
    }
  }
}
