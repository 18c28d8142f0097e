import Bytes
import CrashModel
import ObjectFormats
import Pipeline
import ReportFormats
import SymbolSources
import Symbolication
import TestSupport
import Testing

/// Samples of programs as users have them: code and debug information in one file, or the program beside its
/// debug file, so that the addresses of the report are compared with the code. `Symbols/recipes/whole.sh` and
/// `whole-systems.sh` build them; the functions and lines are those that gdb and llvm-symbolizer print.
@Suite("Programs with their code") struct WholeProgramTests {
  private static let folder = Samples.debugFile("whole")

  @Test("The programs of Linux have code, debug information and no build id")
  func files() throws {
    let files = DebugFileScanner().scan([Self.folder]).files.filter {
      $0.object.container == .elf
    }
    #expect(
      files.map(\.name).sorted() == [
        "libskiff.so", "skiff-asan", "skiff-core", "skiff-fixed", "skiff-pie",
      ])
    for file in files {
      #expect(file.object.sections.contains { $0.name == ".text" && $0.hasContents })
      #expect(file.object.sections.contains { $0.name.contains("debug_info") })
      #expect(file.object.codeID == nil)
    }
  }

  private func symbolicated(_ sample: String, with paths: [String]) throws -> CrashReport {
    let report = try #require(
      try FormatRegistry.builtIn.reports(in: Samples.view(sample)).first)
    let sources = [DebugFileIndex(DebugFileScanner().scan(paths).files)]
    return try Symbolicator(sources: sources, pool: SymbolCachePool()).symbolicate(report)
  }

  /// The frames of the crashed thread from the failing one on, which begins its function.
  private func failed(_ report: CrashReport) throws -> ArraySlice<Frame> {
    let frames = report.threads[try #require(report.crashedThread)].frames
    let start = try #require(
      frames.firstIndex { $0.function?.hasPrefix("priceOf") == true }, "\(frames)")
    #expect(frames[start].position == .exact)
    return frames[start...]
  }

  @Test(
    "A fault in the first instruction of a function has that function's name, below a handler, too",
    arguments: [
      "sanitizer/null-read-asan-whole.txt", "native-log/null-read-whole-pie.txt",
      "native-log/null-read-whole-fixed.txt", "systemd-coredump/handler-abort-whole.txt",
      "elf-core/null-read-whole.core", "minidump/null-read-whole.dmp",
      "abrt/null-read-whole.json", "abrt/handler-abort-whole.json",
      "debugger/handler-abort-whole-gdb.txt",
    ])
  func names(sample: String) throws {
    let done = try symbolicated(sample, with: [Self.folder])
    let frames = try failed(done)
    // The sanitizer's check of the address comes first: 20 bytes by objdump.
    #expect(frames.first?.symbolOffset == (sample.hasPrefix("sanitizer") ? 20 : 0))
    #expect(
      frames.prefix(3).map(\.function) == ["priceOf(Item const*)", "total(Item**, int)", "main"])
    #expect(frames.prefix(3).map(\.line) == [10, 13, 30])
    #expect(done.images.contains { $0.symbols?.match == .name && $0.symbols?.verdict == .found })
  }

  @Test("A dump of a handler is walked past the stacks that the handler printed")
  func handler() throws {
    // The rules of the C library are with other dumps.
    let done = try symbolicated(
      "minidump/handler-abort-whole.dmp", with: [Self.folder, Samples.debugFile("dumps")])
    #expect(try failed(done).prefix(3).map(\.line) == [10, 13, 30])
    let frames = done.threads[try #require(done.crashedThread)].frames
    let handler = try #require(frames.firstIndex { $0.function == "onSignal(int)" })
    #expect(frames[handler].line == 22)
    #expect(frames.prefix(handler + 6).allSatisfy { $0.trust != .scan })
  }

  @Test(
    "Rules of another build of the name are not used for a dump without build ids",
    arguments: ["skiff-core", "skiff-pie"])
  func otherBuild(program: String) throws {
    let folder = ScratchFolder()
    var bytes = try ByteView(reading: Self.folder + "/" + program, limit: 1 << 20).array
    // The other program has another length; in the same one, no instruction is a call any more.
    if program == "skiff-core" {
      for index in 0x1000..<0x11d2 where bytes[index] == 0xe8 || bytes[index] == 0xff {
        bytes[index] = 0x90
      }
    }
    folder.write("skiff-core", bytes)
    let done = try symbolicated("minidump/null-read-whole.dmp", with: [folder.path])
    let frames = done.threads[try #require(done.crashedThread)].frames
    #expect(!frames.contains { $0.trust == .callFrameInformation })
  }

  /// Reports about the programs for Android, iOS and Windows.
  static let others: [(sample: String, file: String, isStripped: Bool)] = [
    ("android-tombstone/null-read-whole.txt", "libskiff.so", false),
    ("android-tombstone/handler-abort-whole.txt", "libskiff.so", false),
    ("apple-whole/null-read-ios-arm64.ips", "apple", false),
    ("apple-whole/handler-abort-ios-arm64.ips", "apple", false),
    ("apple-whole/null-read-ios-arm64.crash", "apple", false),
    ("apple-whole/handler-abort-ios-arm64.crash", "apple", false),
    ("kscrash/null-read-whole-ios-arm64.json", "apple", false),
    ("kscrash/handler-abort-whole-ios-arm64.json", "apple", false),
    ("plcrash/null-read-whole-ios-arm64.plcrash", "apple", false),
    ("plcrash/handler-abort-whole-ios-arm64.plcrash", "apple", false),
    ("apple-whole/handler-abort-ios-arm64.ips", "apple/Skiff", true),
    ("plcrash/handler-abort-whole-ios-arm64.plcrash", "apple/Skiff", true),
    ("minidump/null-read-whole-pdb.dmp", "", false),
    ("minidump/null-read-whole-mingw.dmp", "skiff-mingw.exe", false),
    ("windows-debugger/null-read-whole-pdb.txt", "", false),
    ("windows-debugger/null-read-whole-pdb.txt", "skiff-pdb.pdb", false),
    ("windows-debugger/null-read-whole-mingw.txt", "skiff-mingw.exe", false),
  ]

  @Test("The same in programs for Android, iOS and Windows", arguments: others)
  func names(sample: String, file: String, isStripped: Bool) throws {
    let done = try symbolicated(sample, with: [Self.folder + "/" + file])
    let frames = try failed(done)
    #expect(frames.first?.symbolOffset == 0)
    let names = frames.prefix(3).map { $0.function?.prefix { $0 != "(" } }
    #expect(names == ["priceOf", "total", "sell"])
    #expect(frames.prefix(3).map(\.line) == (isStripped ? [nil, nil, nil] : [5, 8, 14]))
    if !sample.hasPrefix("android") {
      let main = try #require(frames.dropFirst(3).first)
      #expect(main.function == "main" && main.line == (isStripped ? nil : 2))
    }
    // The call that never returns is the last instruction of the handler: another function follows.
    if sample.contains("handler") {
      let all = done.threads[try #require(done.crashedThread)].frames
      let handler = try #require(all.firstIndex { $0.function?.hasPrefix("onSignal") == true })
      #expect(all[handler].position != .exact && all[handler].line == (isStripped ? nil : 11))
      #expect(handler + 2 == frames.startIndex)
    }
  }

  @Test(
    "The code of a program beside its debug information shows where a signal's handler was called",
    arguments: ["apple", "apple/Skiff"])
  func trampoline(file: String) throws {
    let done = try symbolicated(
      "plcrash/handler-abort-whole-ios-arm64.plcrash", with: [Self.folder + "/" + file])
    let frames = try failed(done)
    let all = done.threads[try #require(done.crashedThread)].frames
    #expect(all[frames.startIndex - 1].function == "<signal handler called>")
  }
}
