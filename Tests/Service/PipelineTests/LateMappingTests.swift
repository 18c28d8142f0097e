import Bytes
import CrashModel
import CrashStore
import Crypto
import Grouping
import Identifiers
import Pipeline
import Scrubbing
import SymbolSources
import Symbolication
import TestSupport
import Testing
import TriageModel

@Suite("Late mappings") struct LateMappingTests {
  private static let received = Timestamp(seconds: 1_790_000_000)
  private static let mapping = """
    app.tern.Desk -> a.a:
        1:1:void app.tern.Till.take(int):31:31 -> a
        1:1:void pay():12 -> a
    app.tern.NoBoat -> a.x:

    """

  /// An event with the frames oldest first, each `module function file line`.
  private static func event(_ id: String, type: String, _ frames: [[String]]) -> String {
    let name = type.split(separator: ".").last ?? ""
    let list = frames.map {
      """
      {"module": "\($0[0])", "function": "\($0[1])", "filename": "\($0[2])", "lineno": \($0[3])}
      """
    }
    return """
      {"event_id": "\(id)", "timestamp": 1790000000, "platform": "java", "release": "app.tern@1.4.0+512",
       "contexts": {"os": {"name": "Android"}, "app": {"app_name": "Tern"}},
       "exception": {"values": [{"type": "\(name)", "module": "\(type.dropLast(name.count + 1))", "value": "lost",
         "mechanism": {"handled": false}, "stacktrace": {"frames": [\(list.joined(separator: ", "))]}}]}}
      """
  }

  private static let run = ["java.lang.Thread", "run", "Thread.java", "840"]
  private static let shortened = event(
    "11111111111111111111111111111111", type: "a.x", [run, ["a.a", "a", "SourceFile", "1"]])
  private static let plain = event(
    "22222222222222222222222222222222", type: "app.tern.NoBoat",
    [
      run, ["app.tern.Desk", "pay", "Desk.java", "12"],
      ["app.tern.Till", "take", "Till.java", "31"],
    ])

  private func ingest(_ texts: [String], into store: CrashStore, app: String = "Tern") throws {
    let folder = ScratchFolder()
    for (index, text) in texts.enumerated() { folder.write("event-\(index).json", text.utf8) }
    let symbolicators = try StoredSymbolicators(
      in: store, pool: SymbolCachePool(folder: store.caches))
    let processor = ReportProcessor(
      symbolicators: symbolicators.choice, signers: SignerChoice(Signer(rules: .standard)),
      scrubber: .standard, app: app
    )
    let result = try Ingest(
      into: store, processor: processor, arrivals: store.debugFiles.arrivals()
    )
    .run([folder.path], received: Self.received)
    #expect(result.reports == texts.count)
  }

  private func add(_ identity: MappingFile.Identity, to store: CrashStore) throws {
    let bytes = ByteView(Self.mapping.utf8)
    try store.debugFiles.add(
      bytes,
      records: [
        DebugFileRecord(
          debugID: identity.debugID, codeID: identity.codeID, architecture: .jvm,
          kind: MappingFile.Kind.r8.rawValue, name: "mapping.txt", digest: SHA256.hex(of: bytes),
          size: bytes.count, added: Self.received)
      ])
    try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
  }

  private func identity(_ app: String, build: String = "512") throws -> MappingFile.Identity {
    try #require(
      ReleaseIdentity.ofFile(app: app, release: Release(version: "1.4.0", build: build), .r8))
  }

  @Test(
    "Trap 28: a shortened report is provisional, and joins the group of the plain one when its mapping comes",
    arguments: ["512", ""])
  func merges(build: String) throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    try ingest([Self.shortened, Self.plain], into: store)
    let before = try store.reports.list().items
    #expect(Set(before.map(\.group)).count == 2)
    let signatures = try before.map { try store.groups.get($0.group).signature }
    #expect(signatures.map(\.isProvisional).filter { $0 }.count == 1)
    #expect(try store.debugFiles.missing().images.map(\.architecture) == [.jvm])
    // Another app's release with the same number is not this one.
    try add(try identity("Gull", build: build), to: store)
    #expect(Set(try store.reports.list().items.map(\.group)).count == 2)
    try add(try identity("Tern", build: build), to: store)
    let after = try store.reports.list().items
    #expect(after.count == 2 && Set(after.map(\.group)).count == 1)
    let signature = try store.groups.get(try #require(after.first).group).signature
    #expect(signature.text == "app.tern.NoBoat | app.tern.Till.take" && !signature.isProvisional)
    #expect(try store.debugFiles.missing().images.isEmpty)
  }

  /// Two releases whose short names belong to different classes.
  private static func crash(_ id: String, _ version: String, file: String = "SourceFile") -> String
  {
    event(id, type: "java.lang.IllegalStateException", [run, ["a.b", "c", file, "1"]])
      .replacing("1.4.0+512", with: "\(version)+\(version.filter { $0 != "." })")
  }

  @Test("Short names of two releases never merge before their mappings arrive")
  func releases() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let digits = ["3", "4", "5"].map { String(repeating: $0, count: 32) }
    try ingest(
      [Self.crash(digits[0], "3.0"), Self.crash(digits[1], "3.2"), Self.crash(digits[2], "3.2")],
      into: store)
    let groups = try store.groups.list().map(\.signature)
    #expect(
      Set(groups.map(\.text)) == [
        "java.lang.IllegalStateException | a.b.c [3.0 (30)]",
        "java.lang.IllegalStateException | a.b.c [3.2 (32)]",
      ])
    #expect(groups.allSatisfy { $0.isProvisional })
  }

  @Test("The id of the mapping that a build names identifies the build")
  func mapIDs() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let digits = ["3", "4", "5"].map { String(repeating: $0, count: 32) }
    try ingest(
      [
        Self.crash(digits[0], "3.0", file: "r8-map-id-1234567"),
        Self.crash(digits[1], "3.2", file: "r8-map-id-7654321"),
        // The same code under another number.
        Self.crash(digits[2], "3.3", file: "r8-map-id-7654321"),
      ], into: store)
    #expect(try store.groups.list().map(\.reports).sorted() == [1, 2])
  }

  @Test("A mapping that is there first has the same result as a late one")
  func order() throws {
    func documents(_ isFirst: Bool) throws -> [String] {
      let home = ScratchFolder()
      let store = try CrashStore(opening: home.path)
      if isFirst { try add(try identity("Tern"), to: store) }
      try ingest([Self.shortened, Self.plain], into: store)
      if !isFirst { try add(try identity("Tern"), to: store) }
      return try store.reports.list().items.map { try store.reports.get($0.id).document.text }
        .sorted()
    }
    #expect(try documents(true) == documents(false))
  }
}
