import Bytes
import CrashModel
import Grouping
import Identifiers
import Query
import ReportDocument
import Symbolication
import TestSupport
import Testing
import TriageModel

@testable import CrashStore
@testable import Pipeline

@Suite("Initial rules of an app")
struct NewAppRulesTests {
  private let folder = ScratchFolder()

  private static let report = """
    ==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x1 bp 0x2 sp 0x3 T0)
        #0 0x1 in shop::Till::take() /shop.cc:1
    SUMMARY: AddressSanitizer: SEGV
    """

  private func file(into store: CrashStore, by signers: SignerChoice) throws {
    let bytes = ByteView(Self.report.utf8)
    let processor = ReportProcessor(
      symbolicators: SymbolicatorChoice(Symbolicator(sources: [], pool: SymbolCachePool())),
      signers: signers, scrubber: nil, app: "shop")
    let processed = try processor.process(bytes)
    let ids = ReportID.ids(of: bytes, app: "shop", count: processed.count)
    let received = Timestamp(seconds: 1_770_000_000)
    _ = try store.reports.add(
      Submission(bytes: bytes, source: "test", received: received, app: "shop"),
      reports: zip(processed, ids).map {
        ($0.report, ByteView($0.report.document(id: $1, received: received)))
      })
  }

  private func titles(in store: CrashStore) throws -> [String] {
    try store.groups.list().items.map(\.signature.text)
  }

  @Test("A new app begins with the newest rules of the program")
  func standard() throws {
    #expect(CrashStore.Rules.ofNewApps == GroupingRules.standard.version)
    #expect(GroupingRules.builtIn.last == .standard)
    let store = try CrashStore(opening: folder.path("home"))
    try file(into: store, by: SignerChoice(in: store, standard: Signer(rules: .standard)))
    #expect(try store.groups.list().items.map(\.signature.rules) == ["v1"])
  }

  @Test("Reports that another home grouped by other rules are grouped by the app's rules here")
  func imported() throws {
    let other = try CrashStore(opening: folder.path("other"))
    let rules = GroupingRules.standard.with(try CustomRules(parsing: "fingerprint=elsewhere"))
    try file(into: other, by: SignerChoice(Signer(rules: rules)))
    #expect(try titles(in: other) == ["elsewhere"])
    let store = try CrashStore(opening: folder.path("home"))
    let treatment = try ImportScrubbing(into: store, signer: Signer(rules: .standard))
    let counts = try store.archive.importAll(from: other, treatment: treatment)
    #expect(counts.reports == 1)
    #expect(try titles(in: store).map { $0.hasSuffix("shop::Till::take") } == [true])
    let report = try #require(
      try store.reports.list().items.first.map { try store.reports.get($0.id) })
    let engine = try StoredReport(document: report.document).report.engine
    #expect(engine?.rulesDigest == GroupingRules.standard.digest)
  }
}
