import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite struct ReprocessingTests {
  let fixture: StoreFixture
  private var store: CrashStore { fixture.store }
  private let debugID = DebugID(uuid: [9, 9])

  init() throws { fixture = try StoreFixture() }

  private func waiting(_ key: String, install: String? = nil, seconds: Int64 = 0) -> CrashReport {
    StoreFixture.report(
      key, provisional: true, waitsFor: [debugID], install: install, seconds: seconds)
  }

  private func real(_ key: String, install: String? = nil, seconds: Int64 = 0) -> CrashReport {
    StoreFixture.report(key, install: install, seconds: seconds)
  }

  @Test("A group whose reports all get one key keeps its name and adds the key")
  func oneKey() throws {
    let ids = try fixture.file("a", (0..<3).map { waiting("p", install: "\($0)", seconds: $0) })
    #expect(try store.reports.waiting(for: debugID) == ids)
    #expect(try store.groups.get("TERN-1").signature.isProvisional)
    let done = ids.enumerated().map {
      (id: $1, report: real("k", install: "\($0)", seconds: Int64($0)))
    }
    for _ in 0..<2 {
      try fixture.replace(done)
      #expect(try fixture.groups() == ["TERN-1: text of k, 3"])
      #expect(try !store.groups.get("TERN-1").signature.isProvisional)
      #expect(try store.reports.waiting(for: debugID) == [])
      #expect(try store.reports.get(ids[0]).document.text == "{}")
      try fixture.check()
    }
    #expect(
      try store.groups.history(ofGroup: "TERN-1").map(\.event) == [
        "opened", "titled", "symbolicated",
      ])
    #expect(
      try store.groups.history(ofGroup: "TERN-1").map(\.detail).contains(
        "text of k; before: text of p"))
    // One that arrives without symbols still joins the others.
    try fixture.file("b", [waiting("p")])
    #expect(try fixture.groups() == ["TERN-1: text of k, 4"])
    try fixture.check()
  }

  @Test("If the keys differ, the majority stays, and the others move")
  func severalKeys() throws {
    let ids = try fixture.file("a", (0..<5).map { waiting("p", install: "i", seconds: $0) })
    try fixture.file("b", [real("k1")])
    let keys = ["k1", "k2", "k3", "k2", "k1"]
    // Undecided between k1 and k2: the oldest report has k1, which is TERN-2's.
    let done = zip(ids, keys).enumerated().map {
      (id: $1.0, report: real($1.1, install: "i", seconds: Int64($0)))
    }
    for _ in 0..<2 {
      try fixture.replace(done)
      #expect(
        try fixture.groups() == [
          "TERN-1: text of k1, 3", "TERN-3: text of k2, 2", "TERN-4: text of k3, 1",
        ])
      #expect(try store.groups.get("TERN-2").id == "TERN-1")
      try fixture.check()
    }
    #expect(
      try store.groups.history(ofGroup: "TERN-1").map(\.detail).contains(
        "2 reports to TERN-3: text of k2")
    )
    // Names of deleted groups are not reused.
    try fixture.file("c", [real("k9")])
    #expect(try store.groups.get("TERN-5").signature.key == "k9")
  }

  @Test("A regression is undone if its report turns out to belong elsewhere")
  func misplacedRegression() throws {
    try fixture.file("old", [StoreFixture.report("p", version: "3.0")])
    try store.triage.resolve(["TERN-1"], .inRelease(Release("3.1")), by: "ann")
    let resolved = try store.groups.get("TERN-1")
    let ids = try fixture.file(
      "new", (0..<2).map { StoreFixture.report("p", version: "3.2", seconds: $0) })
    #expect(try fixture.state("TERN-1") == .regressed)
    // One of two is elsewhere: the other still shows it.
    try fixture.replace([(ids[0], StoreFixture.report("q", version: "3.2"))])
    #expect(try fixture.state("TERN-1") == .regressed)
    try fixture.replace([(ids[1], StoreFixture.report("q", version: "3.2", seconds: 1))])
    #expect(try fixture.groups() == ["TERN-1: text of p, 1", "TERN-2: text of q, 2"])
    let group = try store.groups.get("TERN-1")
    #expect(group.status == resolved.status && group.status.state == .resolved)
    #expect(try fixture.state("TERN-2") == .open)
    let history = try store.groups.history(ofGroup: "TERN-1")
    let last = try #require(history.last { $0.event == "undone" })
    #expect(last.author == "mayday" && last.detail.contains("TERN-2"))
    #expect(last.detail.contains("resolved by ann in 3.1"))
    #expect(history.first { $0.event == "regressed" }?.undone == last.number)
    try fixture.check()
    // A real regression still counts.
    try fixture.file("back", [StoreFixture.report("p", version: "3.3")])
    #expect(try fixture.state("TERN-1") == .regressed)
    try fixture.check()
  }

  @Test("A user's decision after the regression is kept")
  func decidedMeanwhile() throws {
    try fixture.file("old", [StoreFixture.report("p", version: "3.0")])
    try store.triage.resolve(["TERN-1"], .inRelease(Release("3.1")), by: "ann")
    let ids = try fixture.file("new", [StoreFixture.report("p", version: "3.2")])
    try store.triage.reopen(["TERN-1"], by: "bob")
    try fixture.replace([(ids[0], StoreFixture.report("q", version: "3.2"))])
    #expect(try fixture.state("TERN-1") == .open)
  }

  @Test("If the key belongs to an older group, that one survives")
  func olderOwner() throws {
    try fixture.file("old", [real("k", install: "a", seconds: 4)])
    let ids = try fixture.file("new", [waiting("p", install: "a"), waiting("p", install: "b")])
    #expect(try fixture.groups().count == 2)
    try fixture.replace(ids.map { ($0, real("k", install: $0 == ids[0] ? "a" : "b")) })
    #expect(try fixture.groups() == ["TERN-1: text of k, 3"])
    #expect(try store.groups.get("TERN-2").id == "TERN-1")
    #expect(try store.groups.get("TERN-1").installs == 2)
    try fixture.check()
  }

  @Test("Versions and days move along with the reports")
  func counters() throws {
    let id = try #require(try fixture.file("a", [waiting("p")]).first)
    try fixture.replace([(id, StoreFixture.report("k", version: "3.0", seconds: -200_000))])
    #expect(try store.groups.get("TERN-1").versions.map(\.version) == ["3.0 (7)"])
    try fixture.check()
  }

  @Test("The order in which symbols arrive does not matter for the groups")
  func order() throws {
    let finals = ["k1", "k2", "k1", "k3", "k2", "k1", "k4"]
    let firsts = ["p1", "p1", "p2", "p2", "p3", "p3", "k1"]
    var partitions: Set<[[Int]]> = []
    var random = SplitMix(seed: 5)
    for _ in 0..<12 {
      let fixture = try StoreFixture()
      let ids = try fixture.file(
        "a", firsts.map { $0.hasPrefix("p") ? waiting($0) : real($0) })
      // All reports with one provisional key at once; the keys in any order.
      for key in Set(firsts).sorted().shuffled(using: &random) where key.hasPrefix("p") {
        let waiting = firsts.indices.filter { firsts[$0] == key }
        try fixture.replace(waiting.map { (ids[$0], real(finals[$0])) })
        try fixture.check()
      }
      let groups = Dictionary(grouping: ids.indices.dropLast()) {
        (try? fixture.store.reports.get(ids[$0]).summary.group) ?? ""
      }
      partitions.insert(groups.values.map { $0.sorted() }.sorted { $0[0] < $1[0] })
    }
    #expect(partitions == [[[0, 2, 5], [1, 4], [3]]])
  }
}
