import Bytes
import CrashModel
import Pipeline
import ReportFormats
import SymbolSources
import Symbolication
import TestSupport
import Testing

/// A core without the first pages of its programs, as a small `coredump_filter` leaves it: nothing identifies
/// the builds.
@Suite("Cores without build ids")
struct NamelessCoreTests {
  private let folder = ScratchFolder()

  /// How the frames of the program were found, with a file of its name available.
  ///
  /// - Parameter hasHeaders: Whether the core contains the first pages nevertheless.
  private func trusts(with file: String, hasHeaders: Bool) throws -> [FrameTrust] {
    folder.write("tern", try ByteView(reading: Samples.debugFile(file), limit: 1 << 24).array)
    var report = try #require(
      try FormatRegistry.builtIn.reports(in: Samples.view("elf-core/null-read-1.1.0-gcc-O2.core"))
        .first)
    for index in report.images.indices {
      report.images[index].debugID = nil
      report.images[index].codeID = nil
    }
    let memory = try #require(report.memory)
    let rest = memory.regions.filter {
      hasHeaders || !$0.bytes.array.starts(with: [0x7f, 0x45, 0x4c])
    }
    #expect(hasHeaders == (rest.count == memory.regions.count))
    report.memory = ProcessMemory(
      rest, addressSize: memory.addressSize, endianness: memory.endianness)
    let files = DebugFileScanner().scan([folder.path("tern")]).files
    let symbolicator = Symbolicator(sources: [DebugFileIndex(files)], pool: SymbolCachePool())
    let thread = try #require(try symbolicator.symbolicate(report).threads.first)
    return thread.frames.filter { !$0.inlined }.map(\.trust)
  }

  @Test(
    "A file with the name of the program gives its rules if the core holds its headers or dynamic section",
    arguments: [true, false])
  func rules(hasHeaders: Bool) throws {
    let own = try trusts(with: "dumps/tern-1.1.0-gcc-O2", hasHeaders: hasHeaders)
    #expect(own.prefix(3) == [.context, .callFrameInformation, .callFrameInformation])
    // Another build of the program has the name, too.
    let other = try trusts(with: "dumps/tern-1.0.0-clang-O2", hasHeaders: hasHeaders)
    #expect(!other.contains(.callFrameInformation))
  }
}
