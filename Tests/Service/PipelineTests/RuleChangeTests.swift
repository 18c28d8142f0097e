import Bytes
import CrashModel
import CrashStore
import Grouping
import Identifiers
import Query
import ReportDocument
import Symbolication
import TestSupport
import Testing
import TriageModel

@testable import Pipeline

@Suite("Changes of an app's grouping rules")
struct RuleChangeTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private static let app = "shop"

  init() throws { store = try CrashStore(opening: folder.path("home")) }

  /// A sanitizer's report of these functions.
  private func report(_ functions: [String], _ number: Int) -> String {
    let frames = functions.enumerated().map { index, function in
      "    #\(index) 0x\(String(number * 64 + index + 4096, radix: 16)) in \(function) /src/shop.cpp:1:1"
    }
    return """
      ==\(number)==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x1 bp 0x2 sp 0x3 T0)
      \(frames.joined(separator: "\n"))
      SUMMARY: AddressSanitizer: SEGV
      """
  }

  /// - Returns: The group.
  @discardableResult
  private func file(_ functions: [String], _ number: Int) throws -> String {
    let standard = Signer(rules: .standard)
    let bytes = ByteView(report(functions, number).utf8)
    let processor = ReportProcessor(
      symbolicators: SymbolicatorChoice(
        Symbolicator(sources: [], pool: SymbolCachePool())),
      signers: SignerChoice(in: store, standard: standard), scrubber: nil, app: Self.app)
    let received = Timestamp(seconds: 1_770_000_000 + Int64(number))
    let processed = try processor.process(bytes)
    let ids = ReportID.ids(of: bytes, app: Self.app, count: processed.count)
    let receipt = try store.reports.add(
      Submission(bytes: bytes, source: "test", received: received, app: Self.app),
      reports: zip(processed, ids).map {
        ($0.report, ByteView($0.report.document(id: $1, received: received)))
      })
    return try #require(receipt.reports.first?.group)
  }

  private func rules(_ text: String) throws -> GroupingRules {
    .standard.with(text.isEmpty ? nil : try CustomRules(parsing: text))
  }

  @discardableResult
  private func choose(_ text: String) throws -> RuleSetRecord {
    let rules = try rules(text)
    return try store.rules.apply(
      builtIn: rules.version, text: text, digest: rules.digest, to: Self.app, by: "ann")
  }

  private func settle() throws {
    try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
    #expect(try store.rules.waitingCount(of: Self.app) == 0)
  }

  private func apply(_ text: String) throws {
    try choose(text)
    try settle()
  }

  private func rollBack(to number: Int? = nil) throws {
    _ = try store.rules.rollBack(Self.app, to: number, by: "ann") {
      (GroupingRules(builtIn: $0) ?? .standard).digest
    }
    try settle()
  }

  private func groups() throws -> [GroupSummary] {
    try store.groups.list(GroupQuery()).items.sorted { $0.id < $1.id }
  }

  private func titles() throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try groups().map { ($0.id, $0.signature.text) })
  }

  private func history(_ group: String) throws -> [String] {
    try store.groups.history(ofGroup: group).map { "\($0.event) \($0.detail)" }
  }

  /// Two bugs with two reports each, and one that reaches its function in two ways.
  private func fill() throws {
    for number in 1...2 { try file(["shop::Cart::total(int)", "shop::run()", "main"], number) }
    for number in 3...4 { try file(["shop::Till::open()", "shop::run()", "main"], number) }
    try file(["shop::fail()", "shop::Cart::add()", "main"], 5)
    try file(["shop::fail()", "shop::Cart::drop()", "main"], 6)
  }

  /// In a document read as a report, the marks of an earlier signing are the report's own.
  private static let samples = TestSize.some(
    of: Samples.all.filter { !$0.hasPrefix("report-document/") }, small: 3)

  @Test("A report's document is enough to compute its signature again", arguments: samples)
  func documents(path: String) throws {
    for processed in (try? Samples.standardProcessor.process(ByteView(mapping: Samples.path(path))))
      ?? []
    {
      let id = String(repeating: "0", count: 32)
      let document = processed.report.document(id: id, received: Timestamp(seconds: 0))
      let stored = try StoredReport(document: ByteView(document)).report
      guard stored.isEnoughToSign else { continue }
      let signer = Signer(rules: .standard)
      let again = signer.signature(of: stored.withoutMarks(), app: processed.app)
      #expect(again == processed.report.signature, "\(path)")
      let marked = signer.marking(stored.withoutMarks(), app: processed.app)
      #expect(marked.threads == stored.threads, "\(path)")
    }
  }

  @Test("Trap 36: a rule that renames a function everywhere renames groups and opens none")
  func renamed() throws {
    try fill()
    let before = try titles()
    try apply("function:shop::Cart::total name=\"shop::Cart::total<T>\"")
    var expected = before
    for (id, title) in before where title.hasSuffix("Cart::total") { expected[id] = title + "<T>" }
    #expect(try titles() == expected && expected != before)
    let group = try #require(before.first { $0.value.hasSuffix("Cart::total") }?.key)
    let lines = try history(group)
    #expect(
      lines.contains(
        "regrouped 2 reports by rules 1: was shop::Cart::total, is shop::Cart::total<T>"
      ),
      "\(lines)")
    #expect(try file(["shop::Cart::total(int)", "shop::run()", "main"], 7) == group)
  }

  @Test("Trap 37: after a roll-back the groups are as they were before")
  func rolledBack() throws {
    try fill()
    try store.triage.resolve(["SHOP-2"], by: "bob")
    let before = try groups()
    try apply(
      "function:shop::Cart::* name=shop::one\nfunction:shop::Till::* name=shop::one\nfunction:shop::fail class=glue"
    )
    #expect(try groups().count == 1)
    try rollBack()
    #expect(try groups() == before)
    try apply("function:shop::fail class=glue\nfunction:shop::Till::open class=glue")
    try apply("fingerprint=all")
    #expect(try groups().count == 1)
    try rollBack(to: 0)
    #expect(try groups() == before)
    #expect(try store.rules.history(of: Self.app).map(\.number) == [5, 4, 3, 2, 1])
  }

  @Test("Reports that arrived under other rules are sorted into the former groups by a roll-back")
  func arrived() throws {
    try fill()
    let first = try titles()
    try apply("fingerprint=all")
    let all = try file(["shop::Till::open()", "shop::run()", "main"], 8)
    try file(["shop::New::bug()", "main"], 9)
    #expect(try groups().map(\.id) == [all])
    try rollBack()
    let now = try groups()
    let till = try #require(first.first { $0.value.hasSuffix("Till::open") }?.key)
    #expect(now.first { $0.id == till }?.reports == 3)
    #expect(now.count == first.count + 1)
    #expect(now.contains { $0.signature.text.hasSuffix("New::bug") && $0.reports == 1 })
  }

  @Test("Trap 39: manually split reports stay so under other rules and after them")
  func pinned() throws {
    try fill()
    let group = try #require(try titles().first { $0.value.hasSuffix("fail") }?.key)
    try store.triage.merge(["SHOP-1"], into: "SHOP-2", by: "bob")
    let merged = try groups()
    try apply("function:shop::fail class=glue\nfunction:shop::Cart::total name=other")
    let now = try groups()
    #expect(
      now.contains { $0.id == "SHOP-2" && $0.reports == 4 }
        || now.contains { $0.id == "SHOP-1" && $0.reports == 4 })
    #expect(now.contains { $0.id == group })
    try rollBack()
    #expect(try groups() == merged)
  }

  @Test("A pass-through function splits a group, and the larger or older part keeps its id")
  func split() throws {
    try fill()
    let group = try #require(try titles().first { $0.value.hasSuffix("fail") }?.key)
    try apply("function:shop::fail extend")
    let now = try titles()
    #expect(now[group] == "shop::fail | shop::Cart::add")
    #expect(now.values.contains("shop::fail | shop::Cart::drop"))
    #expect(now.count == 4)
  }

  @Test("A worker that still has the former rules changes nothing in the end")
  func late() throws {
    try fill()
    let processor = ReportProcessor(
      symbolicator: Symbolicator(sources: [], pool: SymbolCachePool()),
      signer: Signer(rules: .standard),
      scrubber: nil, app: Self.app)
    let bytes = ByteView(report(["shop::Cart::total(int)", "main"], 70).utf8)
    let processed = try processor.process(bytes)
    try apply("function:shop::Cart::total name=renamed")
    let received = Timestamp(seconds: 1_770_000_070)
    let id = ReportID.ids(of: bytes, app: Self.app, count: 1)[0]
    try store.reports.add(
      Submission(bytes: bytes, source: "test", received: received, app: Self.app),
      reports: [
        (processed[0].report, ByteView(processed[0].report.document(id: id, received: received)))
      ])
    #expect(try store.rules.waitingCount(of: Self.app) == 1)
    try settle()
    let renamed = try groups().filter { $0.signature.text == "renamed" }
    #expect(renamed.map(\.reports) == [3])
    #expect(try groups().count == 3)
  }

  @Test("A change waits until the previous one is done, and the same rules are refused")
  func refused() throws {
    try fill()
    try choose("fingerprint=all")
    #expect(throws: RuleSetError.unfinished(app: Self.app, number: 1)) {
      try choose("fingerprint=b")
    }
    try settle()
    #expect(throws: RuleSetError.unchanged(app: Self.app)) { try choose("fingerprint=all") }
    #expect(throws: RuleSetError.noSuchNumber(7, app: Self.app)) { try rollBack(to: 7) }
  }

  @Test("A preview shows what applying does, and changes nothing")
  func preview() throws {
    try fill()
    let before = try groups()
    let text = """
      function:shop::Cart::total name=shop::one
      function:shop::Till::* name=shop::one
      function:shop::fail extend
      """
    let preview = try RulePreviewer(in: store, rules: rules(text)).run(Self.app)
    #expect(preview.reports == 6 && preview.groups == 3)
    #expect(preview.merged == (2, 1))
    #expect(preview.count(.split) == 1 && preview.count(.rename) == 0)
    #expect(preview.changes.map(\.kind) == [.merge, .split])
    #expect(preview.changes.first?.after == ["shop::one"])
    #expect(try groups() == before)
    try apply(text)
    #expect(try groups().count == 3)
  }
}
