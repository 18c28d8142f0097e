import Bytes
import CrashModel
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

  @Test(
    "A file of an image without a build id is used where its headers are in the memory",
    arguments: [(nil, "cfi"), (40, "scan")] as [(Int?, String)])
  func withoutID(_ changed: Int?, _ trust: String) throws {
    let folder = ScratchFolder()
    folder.write("prog", Self.program)
    var headers = Array(Self.program.prefix(1024))
    if let changed { headers[changed] ^= 1 }
    let words: [UInt64] = [0x40_1700, 0x40_1800, 0]
    let stack = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    var report = CrashReport(format: ReportFormat("minidump"))
    report.device.architecture = .x86_64
    report.images = [
      LoadedImage(
        name: "prog", path: "/opt/prog", architecture: .x86_64, base: Address(0x40_0000),
        size: 0x10000)
    ]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        registers: [
          Register("rip", 0x40_1500), Register("rsp", 0x7fff_0000), Register("rbp", 0),
        ])
    ]
    report.memory = ProcessMemory(
      [
        .init(start: 0x40_0000, bytes: ByteView(headers)),
        .init(start: 0x7fff_0000, bytes: ByteView(stack)),
      ], addressSize: 8, endianness: .little)
    let files = DebugFileScanner().scan([folder.path]).files
    #expect(files.count == 1)
    let symbolicator = Symbolicator(sources: [DebugFileIndex(files)], pool: SymbolCachePool())
    let frames = try symbolicator.symbolicate(report).threads[0].frames
    #expect(frames.dropFirst().first?.trust.rawValue == trust)
    #expect(frames.dropFirst().first?.address == Address(trust == "cfi" ? 0x40_1800 : 0x40_1700))
  }
}
