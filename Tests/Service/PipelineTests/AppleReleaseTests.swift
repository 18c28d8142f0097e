import Archives
import Bytes
import CrashModel
import CrashStore
import Glibc
import Grouping
import Identifiers
import JSON
import Pipeline
import Scrubbing
import SymbolSources
import Symbolication
import TestSupport
import Testing
import TriageModel

/// Handled errors name no build of the app, only its version and build number: of several dSYMs with the
/// app's name, the one of the release is used.
@Suite("dSYMs by release") struct AppleReleaseTests {
  private typealias Line = AppleHandledErrorTests.Line
  private static let received = Timestamp(seconds: 1_790_000_000)
  /// Result of llvm-symbolizer for an address of the program, in the dSYMs of two releases.
  private static let files = [
    "1.0.0": "4c4c446b-5555-3144-a142-79c47c75be14",
    "1.1.0": "4c4c44b7-5555-3144-a18a-59939281a181",
  ]

  private static func dSYM(_ version: String) throws -> ByteView {
    try ByteView(
      mapping: Samples.debugFile(
        "apple/\(version)/ios/Tern.app.dSYM/Contents/Resources/DWARF/Tern"))
  }

  /// A location in the code, and the functions there, innermost first.
  private static func place(_ version: String) throws -> (offset: UInt64, functions: [String]) {
    let name = try #require(files[version])
    let text = try ByteView(mapping: Samples.debugFile("expected/\(name).jsonl")).text
    let line = try #require(text.split(separator: "\n").dropFirst().first)
    let value = try JSONDocument.parse(ByteView(line.utf8)).value
    let address = try #require(
      value["Address"]?.string.flatMap { UInt64($0.dropFirst(2), radix: 16) })
    let functions = (value["Symbol"]?.array ?? []).compactMap { $0["FunctionName"]?.string }
    // The address is that of the call; the program starts at 4 GiB.
    return (address - 0x1_0000_0000 + 1, functions)
  }

  private static func log(_ version: String, _ build: String, at offset: UInt64) -> String {
    AppleHandledErrorTests.log(
      [Line("Tern", 0x1_04a3_4000 + offset, "Tern + \(offset)")] + AppleHandledErrorTests.below(0),
      version: version, build: build
    ).replacing("com.example.heron", with: "com.example.tern")
  }

  private static func list(_ version: String, _ build: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    \t<key>CFBundleShortVersionString</key>
    \t<string>\(version)</string>
    \t<key>CFBundleVersion</key>
    \t<string>\(build)</string>
    </dict></plist>
    """
  }

  /// The bundles of two releases, in folders of their own.
  private static func bundles() throws -> ScratchFolder {
    let folder = ScratchFolder()
    for (version, build) in [("1.0.0", "100"), ("1.1.0", "110")] {
      let bundle = "\(version)/Tern.app.dSYM/Contents"
      folder.write("\(bundle)/Info.plist", list(version, build).utf8)
      folder.write("\(bundle)/Resources/DWARF/Tern", try dSYM(version).array)
    }
    return folder
  }

  private func names(_ log: String, _ scan: DebugFileScan) throws -> [String] {
    let report = try AppleHandledErrorTests.report(log)
    let found = try Symbolicator(sources: [DebugFileIndex(scan)], pool: SymbolCachePool())
      .symbolicate(report, of: "Tern")
    let frames = try #require(found.reason.exception).frames
    return frames.filter { $0.image.map { found.images[$0].name } == "Tern" }
      .compactMap { $0.symbol ?? $0.function }
  }

  @Test("The bundle of the release gives the names", arguments: ["1.0.0", "1.1.0"])
  func bundles(version: String) throws {
    let folder = try Self.bundles()
    let scan = DebugFileScanner().scan([folder.path])
    #expect(
      scan.files.map(\.release) == [
        Release(version: "1.0.0", build: "100"), Release(version: "1.1.0", build: "110"),
      ])
    let (offset, functions) = try Self.place(version)
    let build = version == "1.0.0" ? "100" : "110"
    #expect(!functions.isEmpty)
    #expect(try names(Self.log(version, build, at: offset), scan) == functions)
    // Another build may have other code there.
    #expect(try names(Self.log(version, "7", at: offset), scan) == [])
    #expect(try names(Self.log("2.0.0", build, at: offset), scan) == [])
  }

  @Test("A bundle in an archive names its release too, whichever member comes first")
  func archive() throws {
    UnpackProgram.path = BuiltProgram.mayday
    var zip = ZipBuilder()
    zip.add("Tern.app.dSYM/Contents/Resources/DWARF/Tern".utf8, try Self.dSYM("1.0.0").array)
    zip.add("Tern.app.dSYM/Contents/Info.plist".utf8, Array(Self.list("1.0.0", "100").utf8))
    zip.add("b/Tern.app.dSYM/Contents/Info.plist".utf8, Array(Self.list("1.1.0", "110").utf8))
    zip.add("b/Tern.app.dSYM/Contents/Resources/DWARF/Tern".utf8, try Self.dSYM("1.1.0").array)
    let folder = ScratchFolder()
    folder.write("dSYMs.zip", zip.bytes)
    let scan = DebugFileScanner().scan([folder.path("dSYMs.zip")])
    #expect(scan.files.map(\.release?.name) == ["1.0.0 (100)", "1.1.0 (110)"])
    let (offset, functions) = try Self.place("1.1.0")
    #expect(try names(Self.log("1.1.0", "110", at: offset), scan) == functions)
  }

  @Test("dsymutil's output for a program without a list does not name the release")
  func unknown() throws {
    let path = Samples.debugFile("apple/1.1.0/ios/Tern.app.dSYM")
    let scan = DebugFileScanner().scan([path])
    #expect(scan.files.map(\.release) == [nil])
    let (offset, functions) = try Self.place("1.1.0")
    // The only file of the name is taken, as for any image without a build id.
    #expect(try names(Self.log("9.9", "1", at: offset), scan) == functions)
  }

  // MARK: In a store

  private func add(
    _ version: String, release: (app: String, release: Release)?, bundle: Release?,
    to store: CrashStore
  ) throws {
    let path = Samples.debugFile(
      "apple/\(version)/ios/Tern.app.dSYM/Contents/Resources/DWARF/Tern")
    let file = try #require(DebugFileScanner().scan([path]).files.first)
    try store.add(file, release: release, bundle: bundle)
    try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
  }

  private func ingest(_ logs: [String], into store: CrashStore) throws {
    let folder = ScratchFolder()
    for (index, text) in logs.enumerated() { folder.write("log-\(index).json", text.utf8) }
    let symbolicators = try StoredSymbolicators(
      in: store, pool: SymbolCachePool(folder: store.caches))
    let processor = ReportProcessor(
      symbolicators: symbolicators.choice, signers: SignerChoice(Signer(rules: .standard)),
      scrubber: .standard, app: "Tern")
    let result = try Ingest(
      into: store, processor: processor, app: "Tern", arrivals: store.debugFiles.arrivals()
    ).run([folder.path], received: Self.received)
    #expect(result.reports == logs.count)
  }

  @Test(
    "A dSYM that comes late names the errors of its release, by its bundle or by who adds it",
    arguments: [true, false])
  func late(isBundle: Bool) throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let (offset, functions) = try Self.place("1.1.0")
    let other = Self.log("1.0.0", "100", at: offset).replacing("1b9e0a15", with: "1b9e0a16")
    try ingest([Self.log("1.1.0", "110", at: offset), other], into: store)
    #expect(try store.reports.list().items.count == 2)
    #expect(try Set(store.reports.list().items.map(\.group)).count == 2)
    for (version, build) in [("1.0.0", "100"), ("1.1.0", "110")] {
      let release = Release(version: version, build: build)
      try add(
        version, release: isBundle ? nil : (app: "Tern", release: release),
        bundle: isBundle ? release : nil, to: store)
    }
    #expect(try store.groups.list().allSatisfy { !$0.signature.isProvisional })
    let records = try store.reports.list().items
    let documents = try records.map { try store.reports.get($0.id).document.text }
    for function in functions {
      #expect(documents.contains { $0.contains(function) }, "\(documents)")
    }
  }
}
