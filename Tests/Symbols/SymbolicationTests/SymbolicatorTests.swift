import Bytes
import CrashModel
import Identifiers
import ObjectFormats
import SymbolSources
import Symbolication
import Synchronization
import TestSupport
import Testing

@Suite struct SymbolicatorTests {
  private static let files = DebugFileScanner()
    .scan([Samples.universal]).files
  private static let symbolicator = Symbolicator(
    sources: [DebugFileIndex(files)], pool: SymbolCachePool())
  private static let base: UInt64 = 0x1_0400_0000

  /// A report with one thread in the arm64 program.
  private func report(_ frames: [Frame]) throws -> CrashReport {
    let file = try #require(Self.files.first { $0.architecture == .arm64 })
    var report = CrashReport(format: .appleIPS)
    report.images = [
      LoadedImage(
        name: "Tern", architecture: .arm64, debugID: file.debugID, base: Address(Self.base),
        size: 0x10000),
      LoadedImage(name: "libother.dylib", base: Address(Self.base + 0x10000)),
    ]
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    return report
  }

  @Test("The available file names the package of an image", arguments: [true, false])
  func package(hasBuildID: Bool) throws {
    let folder = ScratchFolder()
    var file = ObjectBuilderELF(is64: true)
    let id = [UInt8](repeating: 5, count: 20)
    file.segments = [.init(type: 1, flags: 5, address: 0)]
    file.sections = [
      .init(".text", flags: 6, address: 0x1000, contents: Array(repeating: 0x90, count: 0x100)),
      .init(".note.gnu.build-id", type: 7, flags: 2, contents: file.buildIDNote(id)),
      .init(
        ".note.package", type: 7, flags: 2,
        contents: file.packageNote(#"{"type":"rpm","name":"gull","version":"2"}"#)),
    ]
    folder.write("gull", file.build())
    let symbolicator = Symbolicator(
      sources: [DebugFileIndex(DebugFileScanner().scan([folder.path]).files)],
      pool: SymbolCachePool())
    var report = CrashReport(format: ReportFormat("elf-core"))
    report.images = [
      LoadedImage(
        name: "gull", architecture: .x86_64, debugID: hasBuildID ? DebugID(buildID: id) : nil,
        base: Address(0x1_0000), size: 0x2000)
    ]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [Frame(address: Address(0x1_1010), position: .exact)])
    ]
    let image = try symbolicator.symbolicate(report).images[0]
    #expect(image.symbols?.verdict != .unneeded)
    // A file with the same name may be of another version.
    #expect(
      image.package
        == (hasBuildID ? ImagePackage(type: "rpm", name: "gull", version: "2") : nil))
  }

  private func symbolicated(_ frames: [Frame]) throws -> CrashReport {
    try Self.symbolicator.symbolicate(try report(frames))
  }

  @Test(
    "A return address and the address inside its call give one answer, a program counter another")
  func positions() throws {
    // The first offset at which the answer changes: a return address there belongs to the line before.
    var previous: Frame?
    var edges = 0
    for offset in stride(from: UInt64(0x400), to: 0x2000, by: 4) {
      func frame(_ position: CodePosition, _ offset: UInt64) throws -> Frame? {
        try symbolicated([
          Frame(position: position, image: 0, imageOffset: ImageOffset(offset))
        ]).threads[0].frames.last
      }
      let exact = try frame(.exact, offset)
      if let previous, let exact, previous.line != nil, exact.line != nil,
        previous.line != exact.line
      {
        #expect(try frame(.returnAddress, offset)?.line == previous.line)
        #expect(try frame(.adjusted, offset)?.line == exact.line)
        edges += 1
      }
      previous = exact
    }
    #expect(edges > 10)
  }

  @Test("An address alone finds its image; one past every image finds none")
  func images() throws {
    let report = try symbolicated([
      Frame(address: Address(Self.base + 0x800), position: .exact),
      Frame(address: Address(Self.base + 0x10000), position: .returnAddress),
      Frame(address: Address(Self.base + 0x10000), position: .exact),
      Frame(address: Address(0x10), position: .exact),
      Frame(address: Address(Self.base + (2 << 30)), position: .exact),
    ])
    let outermost = report.threads[0].frames.filter { !$0.inlined }
    #expect(outermost.map(\.image) == [0, 0, 1, nil, nil])
    #expect(outermost[1].imageOffset == ImageOffset(0x10000))
  }

  @Test("Images record the result of their search")
  func verdicts() throws {
    var report = try report([
      Frame(address: Address(Self.base + 0x800), position: .exact),
      Frame(address: Address(Self.base + 0x10020), position: .exact),
    ])
    report.images.append(LoadedImage(name: "idle", base: Address(1)))
    let result = try Self.symbolicator.symbolicate(report)
    #expect(result.images.map { $0.symbols?.verdict } == [.found, .missing, .unneeded])
    #expect(result.engine?.debugFiles.count == 1)
  }

  @Test("Frames that came with inlined calls are looked up once, and not expanded again")
  func expandedAlready() throws {
    let plain = try symbolicated([
      Frame(address: Address(Self.base + 0x800), position: .exact)
    ]).threads[0].frames
    let again = try Self.symbolicator.symbolicate(try report(plain)).threads[0].frames
    #expect(plain == again)
  }

  @Test("A frame without an explanation keeps its name, demangled")
  func keptNames() throws {
    let frames = try symbolicated([
      Frame(address: Address(2), position: .exact, function: "_ZN4tern4walkEv"),
      Frame(address: Address(2), position: .exact, function: "plain", file: "a.c", line: 3),
    ]).threads[0].frames
    #expect(frames[0].function == "tern::walk()" && frames[0].symbol == "_ZN4tern4walkEv")
    #expect(frames[1].function == "plain" && frames[1].symbol == nil && frames[1].line == 3)
  }

  @Test("Damage in a debug file is noted in the report, from a stored cache, too")
  func damage() throws {
    let whole = try ByteView(reading: Samples.tern, limit: 1 << 24)
    let object = try ObjectFile.objects(in: whole)[0]
    let abbreviations = try #require(object.section(named: "debug_abbrev"))
    var bytes = whole.array
    for index in 0..<Int(abbreviations.fileSize) {
      bytes[Int(abbreviations.fileOffset) + index] = 0xff
    }
    let scan = DebugFileScanner().scan(ByteView(bytes), named: "plain")
    let folder = ScratchFolder()
    var report = CrashReport(format: .swiftBacktrace)
    report.images = [LoadedImage(name: "plain", debugID: object.debugID, codeID: object.codeID)]
    let code = try #require(object.executableRanges.first).lowerBound - object.imageBase
    let frame = Frame(position: .exact, image: 0, imageOffset: ImageOffset(code))
    report.threads = [CrashThread(index: 0, crashed: true, frames: [frame])]
    let results = try (0..<2).map { _ in
      try Symbolicator(
        sources: [DebugFileIndex(scan.files)], pool: SymbolCachePool(folder: folder.path)
      ).symbolicate(report)
    }
    #expect(results[0].notes.contains { $0.hasPrefix("plain: debug info") })
    #expect(results[0] == results[1])
  }
  @Test("A source's failure is thrown, and the source is asked again: it is not cached as missing")
  func failingSource() throws {
    let source = FailingSource(Self.files)
    let symbolicator = Symbolicator(sources: [source], pool: SymbolCachePool())
    let report = try report([Frame(position: .exact, image: 0, imageOffset: ImageOffset(0x1000))])
    #expect(throws: FailingSource.Failure.self) { try symbolicator.symbolicate(report) }
    source.isWorking.store(true, ordering: .relaxed)
    let after = try symbolicator.symbolicate(report)
    #expect(after.images[0].symbols?.verdict == .found)
  }
}

/// A source that fails until it is repaired.
private final class FailingSource: SymbolSource {
  struct Failure: Error {}
  let isWorking = Atomic<Bool>(false)
  private let index: DebugFileIndex

  init(_ files: [DebugFile]) { index = DebugFileIndex(files) }

  func candidates(for image: LoadedImage) throws -> [DebugFile] {
    guard isWorking.load(ordering: .relaxed) else { throw Failure() }
    return index.candidates(for: image)
  }
}
