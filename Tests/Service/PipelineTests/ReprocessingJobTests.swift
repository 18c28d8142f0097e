import Bytes
import CrashModel
import CrashStore
import Grouping
import Identifiers
import Pipeline
import Scrubbing
import SymbolSources
import Symbolication
import TestSupport
import Testing
import TriageModel

@Suite("Late symbols of samples") struct ReprocessingJobTests {
  private static let received = Timestamp(seconds: 1_790_000_000)

  /// Reports, and the files that explain them.
  struct Case: Sendable {
    let reports: [String]
    let debugFiles: [String]
  }

  /// The program of an iOS build and files that explain more of it, and the same for macOS.
  private static let apple = Case(
    reports: reports,
    debugFiles: ["ios", "macos"].flatMap {
      ["apple/1.1.0/\($0)/Tern", "apple/1.1.0/\($0)/Tern.app.dSYM"]
    })
  /// The debug information of a program, and the files for walking its stacks: the stripped program, and the
  /// rules of libc.
  private static let dumps = Case(
    reports: ["abort", "null-read", "worker-null"].map {
      Samples.path("minidump/\($0)-1.0.0-clang-O2.dmp")
    },
    debugFiles: [
      "dumps/.build-id/cc/2d19272e32c23387437d85bce6e9088126e779.debug",
      "dumps/tern-1.0.0-clang-O2",
      "dumps/.build-id/93/ac61ec5a8eb1396f9fbd350e3169a558528a40.debug",
    ])
  private static let reports = [
    "apple-ips/null-read-1.1.0-ios-arm64.ips", "apple-ips/null-read-1.1.0-macos-arm64.ips",
    "apple-ips/split-null-read-1.1.0-ios-arm64.ips", "apple-ips/worker-null-1.1.0-ios-arm64.ips",
    "apple-ips/worker-null-1.1.0-macos-arm64.ips", "apple-ips/stack-overflow-1.1.0-ios-arm64.ips",
    "apple-ips/trap-1.1.0-macos-arm64.ips", "apple-ips/raised-exception-1.1.0-ios-arm64.ips",
    "apple-crash/null-read-1.1.0-macos-x86_64.crash",
    "apple-crash/split-null-read-1.1.0-macos-x86_64.crash",
    "apple-ips/use-after-free-1.0.0-ios-arm64.ips",
  ].map { Samples.path($0) }

  /// The facts of each report, and which reports share a group.
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

  private static func ingest(_ reports: [String], into store: CrashStore) throws {
    let arrivals = try store.debugFiles.arrivals()
    let symbolicator = Symbolicator(
      sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches))
    let processor = ReportProcessor(
      symbolicator: symbolicator, signer: Signer(rules: .standard), scrubber: .standard)
    let result = try Ingest(into: store, processor: processor, arrivals: arrivals)
      .run(reports, received: received)
    #expect(result.reports == reports.count)
  }

  private static func add(_ name: String, to store: CrashStore) throws {
    for file in DebugFileScanner().scan([Samples.debugFile(name)]).files {
      try store.add(file)
    }
  }

  private static func store(in home: ScratchFolder) throws -> CrashStore {
    try CrashStore(opening: home.path)
  }

  @Test(
    "Debug files that come late, in any order, give what they give when they are there first",
    arguments: [apple, dumps])
  func everyOrder(of files: Case) throws {
    let first = ScratchFolder()
    let whole = try Self.store(in: first)
    for name in files.debugFiles { try Self.add(name, to: whole) }
    try Self.ingest(files.reports, into: whole)
    let expected = try Picture(whole)
    #expect(expected.documents.count == files.reports.count)
    for order in Self.orders(of: files.debugFiles) {
      let home = ScratchFolder()
      let store = try Self.store(in: home)
      try Self.ingest(files.reports, into: store)
      for name in order {
        try Self.add(name, to: store)
        try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
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
