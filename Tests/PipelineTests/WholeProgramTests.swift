import Bytes
import CrashModel
import ObjectFormats
import Pipeline
import ReportFormats
import SymbolSources
import Symbolication
import TestSupport
import Testing

/// Samples of programs as users have them: code and debug information in one file, found by its name, so that
/// the addresses of the report are compared with the code. `Symbols/recipes/whole.sh` makes them; the functions
/// and lines are those that gdb prints.
@Suite("Programs with their code") struct WholeProgramTests {
  private static let folder = Samples.debugFile("whole")

  @Test("The programs have code, debug information and no build id")
  func files() throws {
    let files = DebugFileScanner().scan([Self.folder]).files
    #expect(files.map(\.name).sorted() == ["skiff-asan", "skiff-core", "skiff-fixed", "skiff-pie"])
    for file in files {
      #expect(file.object.sections.contains { $0.name == ".text" && $0.hasContents })
      #expect(file.object.sections.contains { $0.name.contains("debug_info") })
      #expect(file.object.codeID == nil)
    }
  }

  @Test(
    "A fault in the first instruction of a function has that function's name, below a handler, too",
    arguments: [
      "sanitizer/null-read-asan-whole.txt", "native-log/null-read-whole-pie.txt",
      "native-log/null-read-whole-fixed.txt", "systemd-coredump/handler-abort-whole.txt",
      "elf-core/null-read-whole.core",
    ])
  func names(sample: String) throws {
    let report = try #require(
      try FormatRegistry.builtIn.reports(in: Samples.view(sample)).first)
    let sources = [DebugFileIndex(DebugFileScanner().scan([Self.folder]).files)]
    let done = try Symbolicator(sources: sources, pool: SymbolCachePool()).symbolicate(report)
    let crashed = try #require(done.crashedThread)
    let frames = done.threads[crashed].frames
    let start = try #require(frames.firstIndex { $0.function == "priceOf(Item const*)" })
    #expect(frames[start].position == .exact && frames[start].line == 10)
    // The sanitizer's check of the address comes first: 20 bytes by objdump.
    #expect(frames[start].symbolOffset == (sample.hasPrefix("sanitizer") ? 20 : 0))
    #expect(
      frames[start...].prefix(3).map(\.function) == [
        "priceOf(Item const*)", "total(Item**, int)", "main",
      ])
    #expect(frames[start...].prefix(3).map(\.line) == [10, 13, 30])
    #expect(done.images.contains { $0.symbols?.match == .name && $0.symbols?.verdict == .found })
  }
}
