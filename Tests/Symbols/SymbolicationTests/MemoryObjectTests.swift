import Bytes
import CrashModel
import Files
import Identifiers
import SymbolSources
import Symbolication
import Testing

/// The vDSO, which is in no file: a dump contains all of it.
@Suite("Images that are completely in memory")
struct MemoryObjectTests {
  /// This process's own vDSO: its address, and its bytes.
  private static let vDSO: (base: UInt64, bytes: [UInt8])? = {
    guard let maps = try? ByteView(descriptorOf: "/proc/self/maps").text,
      let line = maps.split(separator: "\n").first(where: { $0.hasSuffix("[vdso]") })
    else { return nil }
    let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
    guard ends.count == 2, let pointer = UnsafeRawPointer(bitPattern: UInt(ends[0])) else {
      return nil
    }
    let count = Int(ends[1] - ends[0])
    return (ends[0], Array(UnsafeRawBufferPointer(start: pointer, count: count)))
  }()

  @Test(
    "Frames in the vDSO get names, and callers by its rules",
    .enabled(if: vDSO != nil, "the kernel maps no vDSO"))
  func frames() throws {
    let (base, bytes) = try #require(Self.vDSO)
    var report = CrashReport(format: ReportFormat("elf-core"))
    #if arch(arm64)
      report.device.architecture = .arm64
      let names = ("pc", "sp")
    #else
      report.device.architecture = .x86_64
      let names = ("rip", "rsp")
    #endif
    report.images = [
      LoadedImage(
        name: "linux-vdso.so.1", architecture: report.device.architecture,
        debugID: DebugID(buildID: Array(1...20)), codeID: CodeID(Array(UInt8(1)...20)),
        base: Address(base), size: UInt64(bytes.count))
    ]
    let stack: UInt64 = 0x7fff_0000
    report.memory = ProcessMemory(
      [
        .init(start: base, bytes: ByteView(bytes)),
        .init(start: stack, bytes: ByteView([UInt8](repeating: 0, count: 64))),
      ], addressSize: 8, endianness: .little)
    // A thread at every sixteenth place of it.
    report.threads = stride(from: 0, to: bytes.count, by: 16).map { offset in
      CrashThread(
        index: offset / 16,
        registers: [Register(names.0, base + UInt64(offset)), Register(names.1, stack)])
    }
    let symbolicator = Symbolicator(sources: [], pool: SymbolCachePool())
    let done = try symbolicator.symbolicate(report)
    let functions = done.threads.compactMap { $0.frames.first?.function }
    #expect(functions.contains { $0.contains("clock_gettime") })
    #expect(done.images[0].symbols?.verdict == .found)
    #expect(done.images[0].symbols?.file == "linux-vdso.so.1")
    // Without its memory nothing is known of it.
    report.memory = ProcessMemory([], addressSize: 8, endianness: .little)
    #expect(try symbolicator.symbolicate(report).images[0].symbols?.verdict == .missing)
  }
}

extension ByteView {
  /// A file of the kernel, which reports a size of 0.
  fileprivate init(descriptorOf path: String) throws {
    let file = try OpenFile.opening(Array(path.utf8), name: path)
    try self.init(descriptor: file.number, name: path, limit: 1 << 20)
  }
}
