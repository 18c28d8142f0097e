import Bytes
import CrashModel
import CrashStore
import Grouping
import Identifiers
import ObjectFormats
import Pipeline
import ReportFormats
import Scrubbing
import SymbolSources
import Symbolication
import TestSupport
import Testing

/// Reports without build ids, such as those of sanitizers linked by gcc: their debug files can only be found
/// by name, which proves nothing.
@Suite("Images without a build id") struct NameOnlyImageTests {
  private static let name = "tern-1.1.0-gcc-address-O2"
  private static let sample = Samples.path("sanitizer/null-read-asan-1.1.0-gcc-O2.txt")
  private static let received = Timestamp(seconds: 1_790_000_000)

  private static func file(_ build: String) throws -> DebugFile {
    let path = Samples.debugFile("gcc/\(build).debug")
    return try #require(DebugFileScanner().scan([path]).files.first)
  }

  /// A debug file under another name, as if it were another image's.
  private static func renamed(_ build: String) throws -> DebugFile {
    let bytes = try file(build).fileBytes
    return try #require(DebugFileScanner().scan(bytes, named: "\(name).debug").files.first)
  }

  private static func symbolicated(
    _ report: CrashReport, by files: [DebugFile]
  ) throws -> CrashReport {
    try Symbolicator(sources: [DebugFileIndex(files)], pool: SymbolCachePool()).symbolicate(report)
  }

  private static func report() throws -> CrashReport {
    let bytes = try ByteView(reading: sample, limit: 1 << 20)
    return try #require(FormatRegistry.builtIn.reports(in: bytes).first)
  }

  @Test("A debug file found by name is marked as such, in the image and in a note")
  func saysSo() throws {
    let file = try Self.file(Self.name)
    let report = try Self.symbolicated(try Self.report(), by: [file])
    let symbols = try #require(report.images.first { $0.name == Self.name }?.symbols)
    #expect(symbols.verdict == .found && symbols.match == .name)
    #expect(symbols.assumedID == file.debugID)
    #expect(report.notes.contains { $0.contains("names no build id") })
    #expect(report.threads[0].frames.contains { $0.function == "main" && $0.line != nil })
  }

  @Test("Names and lines that came with the report are never replaced by a file found by name")
  func keepsNames() throws {
    var report = try Self.report()
    report.threads[0].frames[0].function = "its_own_name"
    report.threads[0].frames[1].file = "own.cpp"
    report.threads[0].frames[1].line = 7
    let frames = try Self.symbolicated(report, by: [try Self.file(Self.name)]).threads[0].frames
    #expect(frames[0].function == "its_own_name" && frames[0].line == nil)
    #expect(frames[1].function == nil && frames[1].file == "own.cpp" && frames[1].line == 7)
    #expect(frames[2].function == "main")
  }

  @Test("With an id, the debug file overrides the report, as before")
  func replacesNames() throws {
    let file = try Self.file(Self.name)
    var report = try Self.report()
    report.images[0].debugID = file.debugID
    report.threads[0].frames[0].function = "its_own_name"
    let symbolicated = try Self.symbolicated(report, by: [file])
    #expect(symbolicated.images[0].symbols?.match == .id)
    #expect(symbolicated.threads[0].frames[0].function != "its_own_name")
  }

  @Test("Two builds with one name are ambiguous, and neither is used")
  func ambiguous() throws {
    let files = [try Self.file(Self.name), try Self.renamed("tern-1.0.0-gcc-address-O0")]
    let report = try Self.symbolicated(try Self.report(), by: files)
    let symbols = try #require(report.images[0].symbols)
    #expect(symbols.verdict == .missing && symbols.tried.map(\.verdict) == [.ambiguous])
    #expect(report.threads[0].frames.allSatisfy { $0.function == nil })
  }

  @Test("Addresses outside the code reject a file found by name, with the reason")
  func outsideCode() throws {
    var report = try Self.report()
    report.threads[0].frames[1].imageOffset = ImageOffset(0xffe_0000)
    report.threads[0].frames[2].imageOffset = ImageOffset(0xfff_0000)
    let symbolicated = try Self.symbolicated(report, by: [try Self.file(Self.name)])
    let symbols = try #require(symbolicated.images[0].symbols)
    #expect(symbols.verdict == .missing && symbols.tried.map(\.verdict) == [.wrongCode])
    let detail = try #require(symbols.tried.first?.detail)
    #expect(
      detail.hasPrefix("0xffe0000 is outside its code, 0xfff0000 is outside its code (2 of 3 "))
    #expect(symbolicated.threads[0].frames.allSatisfy { $0.function == nil })
  }

  @Test("One address outside the code does not reject a file, and is named in the note")
  func oneOutsideCode() throws {
    var report = try Self.report()
    report.threads[0].frames[2].imageOffset = ImageOffset(0xfff_0000)
    let symbolicated = try Self.symbolicated(report, by: [try Self.file(Self.name)])
    #expect(symbolicated.images[0].symbols?.verdict == .found)
    #expect(
      symbolicated.notes.contains {
        $0.contains("may be another build's; 0xfff0000 is outside its code (1 of 3 addresses)")
      })
    let frames = symbolicated.threads[0].frames
    #expect(frames[0].function != nil)
    #expect(frames.filter { $0.imageOffset == ImageOffset(0xfff_0000) }.map(\.function) == [nil])
  }

  @Test("The faulting frame is not evidence against a file, wherever the program jumped")
  func faulted() throws {
    let file = try Self.file(Self.name)
    for position in CodePosition.allCases {
      var report = try Self.report()
      report.threads[0].frames[0].imageOffset = ImageOffset(0xfff_0000)
      report.threads[0].frames[0].position = position
      // A signal interrupted a call into data, too.
      report.threads[0].frames.insert(
        Frame(position: .exact, image: 0, imageOffset: ImageOffset(0xffe_0000)), at: 2)
      let symbolicated = try Self.symbolicated(report, by: [file])
      #expect(symbolicated.images[0].symbols?.verdict == .found)
      #expect(symbolicated.notes.contains { $0.hasSuffix("may be another build's") })
    }
  }

  @Test("A word that a scan took for a return address is not evidence against a file")
  func scanned() throws {
    var report = try Self.report()
    report.threads[0].frames.append(
      Frame(position: .returnAddress, image: 0, imageOffset: ImageOffset(0xfff_0000), trust: .scan))
    let symbolicated = try Self.symbolicated(report, by: [try Self.file(Self.name)])
    #expect(symbolicated.images[0].symbols?.verdict == .found)
    #expect(symbolicated.threads[0].frames.contains { $0.function == "main" })
  }

  @Test("Return addresses that mostly follow no call reject a file found by name")
  func notAfterCall() throws {
    // A whole program, so that its code is there; its build id is removed only from the report.
    let path = Samples.debugFile("variants/dwarf5-clang")
    let file = try #require(DebugFileScanner().scan([path]).files.first)
    let object = file.object
    let section = try #require(object.sections.first { $0.isExecutable && $0.name == ".text" })
    let code = try object.contents(of: section)
    // Only the simplest form of a call: `E8` and a displacement that leads into the code.
    let returns = (0..<(code.count - 5)).filter { offset in
      guard code[offset] == 0xe8 else { return false }
      let displacement = (1...4).reduce(UInt32(0)) {
        $0 | UInt32(code[offset + $1]) << (8 * UInt32($1 - 1))
      }
      let target = Int64(offset + 5) + Int64(Int32(bitPattern: displacement))
      return (0..<Int64(code.count)).contains(target)
    }.map { section.address - object.imageBase + UInt64($0) + 5 }
    let call = try #require(returns.first)
    func verdict(
      _ offsets: [UInt64], _ position: CodePosition
    ) throws -> SymbolStatus.Verdict? {
      var report = CrashReport(format: .sanitizer)
      report.images = [LoadedImage(name: "dwarf5-clang", base: Address(0x40_0000))]
      report.threads = [
        CrashThread(
          index: 0, crashed: true,
          frames: offsets.map { Frame(position: position, image: 0, imageOffset: ImageOffset($0)) })
      ]
      return try Self.symbolicated(report, by: [file]).images[0].symbols?.verdict
    }
    #expect(try verdict(returns, .returnAddress) == .found)
    #expect(try verdict(returns.map { $0 - 1 }, .adjusted) == .found)
    // The start of a call follows no call here; the first frame is where the program stopped.
    let starts = returns.filter { !returns.contains($0 - 5) }.map { $0 - 5 }
    try #require(starts.count > 3 && returns.count > 3)
    #expect(try verdict(Array(starts.prefix(3)), .returnAddress) == .missing)
    #expect(try verdict(Array(starts.prefix(2)), .returnAddress) == .found)
    #expect(try verdict([call] + starts.prefix(2) + [returns[1]], .returnAddress) == .missing)
    // Half is not a majority, and an address counts once.
    #expect(try verdict([call] + starts.prefix(2) + returns[1...2], .returnAddress) == .found)
    #expect(
      try verdict([call, starts[0], starts[0], starts[0], returns[1]], .returnAddress) == .found)
    #expect(try verdict([call], .exact) == .found)
    #expect(try verdict(Array(starts.prefix(3)), .exact) == .found)
  }

  // MARK: In a store

  private static func ingest(into store: CrashStore) throws {
    let arrivals = try store.debugFiles.arrivals()
    let symbolicator = Symbolicator(
      sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches))
    let processor = ReportProcessor(
      symbolicator: symbolicator, signer: Signer(rules: .standard), scrubber: .standard)
    let result = try Ingest(into: store, processor: processor, arrivals: arrivals)
      .run([sample], received: received)
    #expect(result.reports == 1)
  }

  private static func add(_ file: DebugFile, to store: CrashStore) throws {
    try store.add(file)
    try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
  }

  private enum Step { case ingest, right, other }

  /// The stored document after some steps.
  private static func document(after steps: [Step]) throws -> String {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    for step in steps {
      switch step {
      case .ingest: try ingest(into: store)
      case .right: try add(try file(name), to: store)
      case .other: try add(try renamed("tern-1.0.0-gcc-address-O0"), to: store)
      }
    }
    #expect(try store.reports.waitingCount() == 0)
    return try store.reports.get(try #require(store.reports.list().items.first).id).document.text
  }

  @Test("A store finds debug files by name as triage does, before and after the report arrives")
  func store() throws {
    let first = try Self.document(after: [.right, .ingest])
    #expect(first.contains("\"match\":\"name\""))
    #expect(try Self.document(after: [.ingest, .right]) == first)
  }

  @Test("A second build with the name removes the symbols, in any order of arrival")
  func order() throws {
    let first = try Self.document(after: [.right, .other, .ingest])
    #expect(first.contains("\"ambiguous\"") && !first.contains("\"match\""))
    #expect(try Self.document(after: [.right, .ingest, .other]) == first)
    #expect(try Self.document(after: [.ingest, .right, .other]) == first)
    #expect(try Self.document(after: [.ingest, .other, .right]) == first)
  }

  @Test("An image without a build id is among the missing until a file of its name comes")
  func missing() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    try Self.ingest(into: store)
    let before = try store.debugFiles.missing().images
    let image = try #require(before.first { $0.name == Self.name })
    #expect(image.debugID == nil && image.reports == 1 && !image.hasDebugFile)
    try Self.add(try Self.file(Self.name), to: store)
    #expect(try !store.debugFiles.missing().images.contains { $0.name == Self.name })
    // A file used by name is not removed.
    #expect(try store.debugFiles.uses().first?.reports == 1)
    try Self.add(try Self.renamed("tern-1.0.0-gcc-address-O0"), to: store)
    let after = try #require(store.debugFiles.missing().images.first { $0.name == Self.name })
    #expect(after.hasDebugFile)
  }
}
