import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Reports that arrive in any order, some of them without their symbols at first.
@Suite("Arrival order") struct ArrivalOrderTests {
  /// A report, with its keys if its debug file is there, and one if it is not.
  private struct Made {
    let name: String
    let key: String
    let readings: [String]
    let seconds: Int64
    let version: Int
    let install: Int
    let isFound: Bool
    let number: Int

    /// Keys have only larger numbers as alternatives: there are no cycles.
    init(_ number: Int, _ random: inout SplitMix) {
      self.number = number
      name = "r\(number)"
      let key = Int.random(in: 0...7, using: &random)
      self.key = "k\(key)"
      readings = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        "k\(key + Int.random(in: 1...4, using: &random))"
      }
      seconds = Int64.random(in: 0...3, using: &random)
      version = Int.random(in: 1...3, using: &random)
      install = Int.random(in: 0...3, using: &random)
      isFound = Bool.random(using: &random)
    }

    func report(isLate: Bool = false) -> CrashReport {
      var report = StoreFixture.report(
        isLate ? "p\(number % 5)" : key, alternatives: isLate ? [] : readings,
        provisional: isLate, version: "\(version).0", install: "\(install)", seconds: seconds)
      report.reason.message = "said \(number % 3)"
      var image = LoadedImage(name: "Tern", debugID: DebugID(uuid: [1]))
      image.symbols = SymbolStatus(isFound ? .found : .missing)
      report.images = [image]
      return report
    }
  }

  /// The visible state of the groups, except their numbers and histories.
  private static func view(_ fixture: StoreFixture) throws -> Set<String> {
    try fixture.check()
    return Set(
      try fixture.store.groups.list().items.map { group in
        let members = try fixture.store.store(reportsOf: group.id).sorted()
        let versions = group.versions.map { "\($0.version)×\($0.reports)" }
        return [
          group.signature.text, group.signature.key, group.kind.rawValue, group.exemplar,
          group.reason ?? "", "\(group.reports)", "\(group.installs ?? 0)",
          "\(group.firstSeen?.seconds ?? 0)", "\(group.lastSeen?.seconds ?? 0)",
          versions.joined(separator: " "), members.joined(separator: " "),
        ].joined(separator: "\n")
      })
  }

  private static func partition(of made: [Made]) -> Set<Set<String>> {
    var readings: [String: Set<String>] = [:]
    for report in made { readings[report.key, default: []].formUnion(report.readings) }
    let roots = KeyPartition.roots(of: readings)
    let groups = Dictionary(grouping: made) { roots[$0.key] ?? "" }
    return Set(
      groups.values.map { reports in
        Set(
          reports.map { ReportID.ids(of: ByteView($0.name.utf8), app: "Tern", count: 1)[0] })
      })
  }

  @Test(
    "Whichever report comes first, the groups are the same, and show the same", arguments: 0..<12)
  func anyOrder(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let made = (0..<Int.random(in: 3...16, using: &random)).map { Made($0, &random) }
    var expected: Set<String>?
    for turn in 0..<5 {
      let fixture = try StoreFixture()
      for one in turn == 0 ? made : made.shuffled(using: &random) {
        try fixture.add(one.name, one.report())
      }
      let members = try fixture.store.groups.list().items.map {
        Set(try fixture.store.store(reportsOf: $0.id))
      }
      #expect(Set(members) == Self.partition(of: made), "seed \(seed), turn \(turn)")
      let view = try Self.view(fixture)
      #expect(view == expected ?? view, "seed \(seed), turn \(turn)")
      expected = view
    }
  }

  @Test("A weak reading never separates what an exact one joins, whichever came first")
  func weak() throws {
    try expect(
      [["owed", "split", "total"], ["share"]],
      [
        report("total", exact: ["split"]), report("split"), report("share", weak: ["split"]),
        report("owed", weak: ["total"], version: "2.0"), report("share", weak: ["split"]),
      ])
  }

  @Test("A weak reading joins no keys of one build, whichever came first")
  func oneBuild() throws {
    let total = [
      report("total", weak: ["split"]), report("split", version: "2.0"),
      report("total", weak: ["split"], version: "3.0"),
    ]
    try expect([["split", "total"]], total)
    // The build with both keys arrives at any time, by either key.
    try expect([["split"], ["total"]], total + [report("split")])
    try expect([["split"], ["total"]], total + [report("total", weak: ["split"], version: "2.0")])
    // Unnamed builds count as one.
    try expect(
      [["split"], ["total"]],
      [report("total", weak: ["split"], version: ""), report("split", version: "")])
  }

  private func report(
    _ key: String, exact: [String] = [], weak: [String] = [], version: String = "1.0"
  ) -> CrashReport {
    var report = StoreFixture.report(key, alternatives: exact + weak, version: version)
    report.signature?.steps = (exact + weak).map {
      SignatureStep(
        subject: Signature.alternativeSubject, result: $0,
        rule: weak.contains($0) ? Signature.weakRule : "")
    }
    return report
  }

  private func expect(_ expected: Set<[String]>, _ reports: [CrashReport]) throws {
    var random = SplitMix(seed: 77)
    for _ in 0..<12 {
      let fixture = try StoreFixture()
      for index in reports.indices.shuffled(using: &random) {
        try fixture.add("r\(index)", reports[index])
      }
      let groups = try fixture.store.groups.list().items.map { group in
        try fixture.store.triage.keys(ofGroup: group.id).map(\.key).sorted()
      }
      #expect(Set(groups) == expected)
      try fixture.check()
    }
  }

  @Test("With late debug files, it is as if they had been there", arguments: 0..<12)
  func late(seed: UInt64) throws {
    var random = SplitMix(seed: 500 + seed)
    let made = (0..<Int.random(in: 3...14, using: &random)).map { Made($0, &random) }
    let first = try StoreFixture()
    for one in made { try first.add(one.name, one.report()) }
    let expected = try Self.view(first)
    for turn in 0..<4 {
      let fixture = try StoreFixture()
      var waiting: [(id: String, report: CrashReport)] = []
      for one in made.shuffled(using: &random) {
        let isLate = Int.random(in: 0...2, using: &random) == 0
        let stored = try fixture.add(one.name, one.report(isLate: isLate))
        if isLate { waiting.append((stored.report, one.report())) }
        if Int.random(in: 0...3, using: &random) == 0, let next = waiting.popLast() {
          try fixture.reprocess([next])
        }
      }
      let half = waiting.count / 2
      try fixture.reprocess(Array(waiting[..<half]))
      try fixture.reprocess(Array(waiting[half...]))
      #expect(try Self.view(fixture) == expected, "seed \(seed), turn \(turn)")
    }
  }

  @Test("A report that could be either of two bugs is neither, whichever came first")
  func either() throws {
    let one = StoreFixture.report("owed", alternatives: ["split"])
    let other = StoreFixture.report("share", alternatives: ["split"])
    let third = StoreFixture.report("split")
    for order in [[one, other, third], [one, third, other], [third, one, other]] {
      let fixture = try StoreFixture()
      try fixture.file("a", order)
      let titles = try fixture.store.groups.list().map { "\($0.signature.text): \($0.reports)" }
      #expect(
        titles.sorted() == ["text of owed: 1", "text of share: 1", "text of split: 1"])
      try fixture.check()
    }
  }

  @Test("A group that separates keeps its name, its status and most of its reports")
  func apart() throws {
    let fixture = try StoreFixture()
    try fixture.file(
      "a",
      (0..<3).map { _ in StoreFixture.report("split") }
        + [StoreFixture.report("owed", alternatives: ["split"])])
    #expect(try fixture.groups() == ["TERN-1: text of owed, 4"])
    try fixture.store.triage.resolve(["TERN-1"], .inRelease(Release("2.0")), by: "ann")
    try fixture.store.triage.assign(["TERN-1"], to: "ann", by: "ann")
    try fixture.file("b", [StoreFixture.report("share", alternatives: ["split"])])
    #expect(
      try fixture.groups() == [
        "TERN-1: text of split, 3", "TERN-2: text of share, 1", "TERN-3: text of owed, 1",
      ])
    #expect(try fixture.state("TERN-1") == .resolved)
    #expect(try fixture.store.groups.get("TERN-1").assignee == "ann")
    #expect(try fixture.lines("TERN-1").contains("moved 1 report to TERN-3: text of owed"))
    #expect(try fixture.lines("TERN-1").contains("titled text of split; before: text of owed"))
    try fixture.check()
  }

  @Test("Groups that a later report merges keep the older name, and its decisions")
  func together() throws {
    let fixture = try StoreFixture()
    // Two readings of one function: without its module, and without its inlined calls.
    try fixture.file("a", [StoreFixture.report("short"), StoreFixture.report("outer")])
    #expect(try fixture.groups().count == 2)
    try fixture.store.triage.note(["TERN-2"], "seen on Monday", by: "ann")
    try fixture.store.triage.ignore(["TERN-2"], by: "ann")
    try fixture.file("b", [StoreFixture.report("exact", alternatives: ["short", "outer"])])
    #expect(try fixture.groups() == ["TERN-1: text of exact, 3"])
    #expect(try fixture.store.groups.get("TERN-2").id == "TERN-1")
    #expect(try fixture.state("TERN-1") == .ignored)
    #expect(
      try fixture.store.groups.history(ofGroup: "TERN-1").contains { $0.detail == "seen on Monday" }
    )
    try fixture.check()
  }

  @Test("Manual splits and merges are kept")
  func byHand() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    try fixture.file(
      "a",
      [StoreFixture.report("split"), StoreFixture.report("owed", alternatives: ["split"])])
    let new = try store.triage.split("TERN-1", keys: ["split"], by: "ann").new.id
    try fixture.file("b", [StoreFixture.report("share", alternatives: ["split"])])
    #expect(try fixture.groups().count == 3)
    #expect(try store.groups.get(new).signature.key == "split")
    let whole = try StoreFixture()
    try whole.file(
      "a",
      [StoreFixture.report("split"), StoreFixture.report("owed", alternatives: ["split"])])
    try whole.file("b", [StoreFixture.report("other")])
    try whole.store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    try whole.file("c", [StoreFixture.report("share", alternatives: ["split"])])
    #expect(try whole.groups() == ["TERN-1: text of owed, 3", "TERN-3: text of share, 1"])
    // Nothing joins the two once that is undone.
    try whole.store.triage.undo(["TERN-1"], by: "ann")
    #expect(try whole.groups().count == 4)
    try whole.check()
  }

  @Test("Cyclic readings end")
  func circles() throws {
    for seed in 0..<10 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      let fixture = try StoreFixture()
      for number in 0..<20 {
        let readings = (0..<2).map { _ in "k\(Int.random(in: 0...5, using: &random))" }
        let key = "k\(Int.random(in: 0...5, using: &random))"
        try fixture.add(
          "r\(number)",
          StoreFixture.report(key, alternatives: readings.filter { $0 != key }))
      }
      try fixture.check()
      #expect(try fixture.store.reports.totals().counted == 20)
    }
  }
}
