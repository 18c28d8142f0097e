import Bytes
import CrashModel
import CrashStore
import Grouping
import Identifiers
import Query
import ReportDocument
import SymbolSources
import Symbolication
import TestSupport
import Testing
import TriageModel

@testable import Pipeline

/// Reports, debug files, rules, merges and their undoing, in any order.
@Suite("Interleaved changes of rules") struct RuleInterleavingTests {
  private static let app = "quay"

  private enum Event: CaseIterable {
    case debugFile, first, second, rollBack, merge, unmerge
  }

  private static let ruleTexts = [
    Event.first: "function:quay::Till::* fingerprint=till\nfunction:quay::fail class=glue",
    .second: "function:quay::fail extend\nfunction:quay::Till::open name=quay::open",
  ]

  private static func named(_ functions: [String], _ number: Int) -> String {
    var text = "==\(number)==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000\n"
    for (index, function) in functions.enumerated() {
      text += "    #\(index) 0x\(index + 1) in \(function) /quay.cc:\(index + number)\n"
    }
    return text + "SUMMARY: AddressSanitizer: SEGV\n"
  }

  /// Reports of a program whose debug file arrives late: two locations in `main`, one of them inlined.
  private static func nameless(_ offset: String, _ number: Int) -> String {
    """
    ==\(number)==ERROR: AddressSanitizer: SEGV on address 0x60400000001c
        #0 0x7f00\(offset)  (/opt/quay/bin/quay+0x\(offset)) \
    (BuildId: 0149548b0ae62c4c49a3783fdfba3e8615806aee)

    """
  }

  private static let reports = [
    named(["quay::Till::open()", "quay::run()"], 1), named(["quay::Till::close()", "main"], 2),
    named(["quay::fail()", "quay::Cart::add()", "main"], 3),
    named(["quay::fail()", "quay::Cart::drop()", "main"], 4),
    named(["quay::Cart::add()", "main"], 5), named(["quay::Till::open()", "main"], 6),
    nameless("1366", 7), nameless("1384", 8), nameless("1384", 9),
  ]

  private final class World {
    private let folder = ScratchFolder()
    private let store: CrashStore
    private var merged: [String] = []

    init() throws {
      store = try CrashStore(opening: folder.path("home"))
      try store.apps.add(RuleInterleavingTests.app, secret: nil)
    }

    func file(_ number: Int) throws {
      let bytes = ByteView(RuleInterleavingTests.reports[number].utf8)
      let processor = ReportProcessor(
        symbolicators: SymbolicatorChoice(
          Symbolicator(
            sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches))),
        signers: SignerChoice(in: store, standard: Signer(rules: .standard)), scrubber: nil,
        app: RuleInterleavingTests.app)
      let received = Timestamp(seconds: 1_790_000_000 + Int64(number))
      let processed = try processor.process(bytes)
      let ids = ReportID.ids(
        of: bytes, app: RuleInterleavingTests.app, count: processed.count)
      _ = try store.reports.add(
        Submission(
          bytes: bytes, source: "test", received: received, app: RuleInterleavingTests.app),
        reports: zip(processed, ids).map {
          ($0.report, ByteView($0.report.document(id: $1, received: received)))
        })
    }

    func take(_ event: Event, _ random: inout SplitMix) throws {
      switch event {
      case .debugFile:
        for file in DebugFileScanner().scan([Samples.debugFile("variants/cold-split.debug")]).files
        {
          try store.add(file)
        }
      case .first, .second: try apply(RuleInterleavingTests.ruleTexts[event] ?? "")
      case .rollBack:
        guard try store.rules.history(of: RuleInterleavingTests.app).first != nil else { return }
        _ = try store.rules.rollBack(RuleInterleavingTests.app, by: "ann") {
          (GroupingRules(builtIn: $0) ?? .standard).digest
        }
      case .merge:
        let ids = try store.groups.list(GroupQuery()).items.map(\.id).sorted()
        guard ids.count > 1, merged.isEmpty else { return }
        let from = ids[random.below(ids.count)]
        guard let into = ids.first(where: { $0 != from }) else { return }
        try store.triage.merge([from], into: into, by: "ann")
        merged = [from]
      case .unmerge: try unmerge()
      }
      try settle()
    }

    func unmerge() throws {
      guard let group = merged.popLast() else { return }
      do {
        _ = try store.triage.unmerge([group], by: "ann")
      } catch ActionError.oneBySymbols, ActionError.notMerged {
        // Merged groups are one by their symbols or rules now.
      }
    }

    func apply(_ text: String) throws {
      let rules = GroupingRules.standard.with(try CustomRules(parsing: text))
      do {
        _ = try store.rules.apply(
          builtIn: rules.version, text: text, digest: rules.digest,
          to: RuleInterleavingTests.app, by: "ann")
      } catch let error as RuleSetError {
        guard case .unchanged = error else { throw error }
      }
      try settle()
    }

    private func settle() throws {
      try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
    }

    /// Title and report numbers of each group.
    func partition() throws -> [String] {
      let titles = Dictionary(
        uniqueKeysWithValues: try store.groups.list(GroupQuery()).items.map {
          ($0.id, $0.signature.text)
        })
      let groups = Dictionary(grouping: try store.reports.list().items, by: \.group)
      return groups.map { group, reports in
        let numbers = reports.map { $0.time.seconds % 100 }.sorted()
        return "\(titles[group] ?? "no group"): \(numbers)"
      }.sorted()
    }
  }

  @Test("Whatever came between, the groups are those of the current rules", arguments: 0..<24)
  func interleaved(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let straight = try World()
    try straight.take(.debugFile, &random)
    try straight.apply(Self.ruleTexts[.first] ?? "")
    for number in Self.reports.indices { try straight.file(number) }
    let expected = try straight.partition()
    #expect(expected.count > 3)

    let world = try World()
    var steps: [() throws -> Void] = Self.reports.indices.map { number in { try world.file(number) }
    }
    for event in Event.allCases + [.merge, .unmerge, .second] {
      let own = SplitMix(seed: random.next())
      steps.append {
        var random = own
        try world.take(event, &random)
      }
    }
    steps.shuffle(using: &random)
    for step in steps { try step() }
    try world.unmerge()
    try world.take(.debugFile, &random)
    try world.apply(Self.ruleTexts[.first] ?? "")
    let groups = try world.partition()
    #expect(groups == expected)
  }
}
