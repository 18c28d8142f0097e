import Bytes
import CrashModel
import CrashStore
import Grouping
import Pipeline
import Scrubbing
import SymbolSources
import Symbolication
import TestSupport
import Testing

@Suite("Late symbols of samples") struct LateSymbolsTests {
  private static let received = Timestamp(seconds: 1_790_000_000)
  /// Of a build for iOS the program and what explains it more, and the same for macOS.
  private static let debugFiles = [
    "1.1.0/ios/Tern", "1.1.0/ios/Tern.app.dSYM", "1.1.0/macos/Tern", "1.1.0/macos/Tern.app.dSYM",
  ]
  private static let reports = [
    "apple-ips/null-read-1.1.0-ios-arm64.ips", "apple-ips/null-read-1.1.0-macos-arm64.ips",
    "apple-ips/split-null-read-1.1.0-ios-arm64.ips", "apple-ips/worker-null-1.1.0-ios-arm64.ips",
    "apple-ips/worker-null-1.1.0-macos-arm64.ips", "apple-ips/stack-overflow-1.1.0-ios-arm64.ips",
    "apple-ips/trap-1.1.0-macos-arm64.ips", "apple-ips/raised-exception-1.1.0-ios-arm64.ips",
    "apple-crash/null-read-1.1.0-macos-x86_64.crash",
    "apple-crash/split-null-read-1.1.0-macos-x86_64.crash",
    "apple-ips/use-after-free-1.0.0-ios-arm64.ips",
  ].map { Samples.path($0) }

  /// What is known of each report, and who is with whom.
  private struct Picture: Equatable {
    var documents: [String: String] = [:]
    var partition: Set<Set<String>> = []
    var titles: Set<String> = []

    init(_ store: CrashStore) throws {
      let reports = try store.reports.list().items
      for report in reports {
        documents[report.id] = try store.reports.get(report.id).document.text
        titles.insert(try store.groups.get(report.group).signature.text)
      }
      partition = Set(
        Dictionary(grouping: reports) { $0.group }.values.map { Set($0.map { $0.id }) })
      let totals = try store.reports.totals()
      #expect(totals.counted == totals.reports && totals.groups == partition.count)
      #expect(try store.reports.waitingCount() == 0)
    }
  }

  private static func ingest(into store: CrashStore) throws {
    let arrivals = try store.debugFiles.arrivals()
    let symbolicator = Symbolicator(
      sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches))
    let processor = ReportProcessor(
      symbolicator: symbolicator, signer: Signer(rules: .v1), scrubber: .standard)
    let result = try Ingest(into: store, processor: processor, arrivals: arrivals)
      .run(reports, received: received)
    #expect(result.reports == reports.count)
  }

  private static func add(_ name: String, to store: CrashStore) throws {
    for file in DebugFileScanner().scan([Samples.debugFile("apple/\(name)")]).files {
      guard let id = file.debugID else { continue }
      try store.debugFiles.add(
        file.fileBytes,
        records: [
          DebugFileRecord(
            debugID: id, codeID: file.codeID, architecture: file.architecture,
            kind: file.usability == .debugInfo ? "debug-info" : "symbols", name: file.name,
            digest: file.digest, size: file.fileBytes.count, added: received)
        ])
    }
  }

  private static func store(in home: ScratchFolder) throws -> CrashStore {
    try CrashStore(opening: home.path)
  }

  @Test("Debug files that come late, in any order, give what they give when they are there first")
  func everyOrder() throws {
    let first = ScratchFolder()
    let whole = try Self.store(in: first)
    for name in Self.debugFiles { try Self.add(name, to: whole) }
    try Self.ingest(into: whole)
    let expected = try Picture(whole)
    #expect(expected.documents.count == Self.reports.count)
    for order in Self.orders(of: Self.debugFiles) {
      let home = ScratchFolder()
      let store = try Self.store(in: home)
      try Self.ingest(into: store)
      for name in order {
        try Self.add(name, to: store)
        try LateSymbols(in: store, signer: Signer(rules: .v1)).run()
      }
      let picture = try Picture(store)
      let differing = expected.documents.filter { picture.documents[$0.key] != $0.value }.keys
      #expect(differing.isEmpty, "\(order)")
      #expect(picture.partition == expected.partition, "\(order)")
      #expect(picture.titles == expected.titles, "\(order)")
    }
  }

  private static func orders(of names: [String]) -> [[String]] {
    guard names.count > 1 else { return [names] }
    return names.flatMap { first in
      orders(of: names.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
