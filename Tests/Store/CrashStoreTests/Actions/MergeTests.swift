import CrashModel
import Identifiers
import Query
import Testing
import TriageModel

@testable import CrashStore

@Suite("Manual merges and splits")
struct MergeTests {
  let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  @discardableResult
  private func add(
    _ name: String, _ key: String, version: String = "1.0", alternatives: [String] = [],
    install: String? = nil, seconds: Int64 = 0, provisional: Bool = false
  ) throws -> Receipt.StoredUnder {
    try fixture.add(
      name,
      StoreFixture.report(
        key, alternatives: alternatives, provisional: provisional, version: version,
        install: install, seconds: seconds))
  }

  @Test("Trap 38: merged, then reports of both, then separated: all are where they belong")
  func between() throws {
    try add("a", "k1", install: "x", seconds: 9)
    try add("b", "k2", install: "x", seconds: 3)
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    #expect(try fixture.groups() == ["TERN-1: text of k1, 2"])
    #expect(try store.groups.get("TERN-2").id == "TERN-1")
    #expect(try store.groups.get("TERN-1").installs == 1)
    #expect(try store.groups.get("TERN-1").merged == ["TERN-2"])
    #expect(try add("c", "k1", install: "y").group == "TERN-1")
    #expect(try add("d", "k2", install: "z", seconds: 20).group == "TERN-1")
    // A key that came by an alternative key of one belongs to that one.
    #expect(try add("e", "k3", alternatives: ["k2"], install: "z").group == "TERN-1")
    #expect(try store.groups.get("TERN-1").installs == 3)
    try fixture.check()
    #expect(try store.triage.unmerge(["TERN-2"], by: "ann").map(\.id) == ["TERN-2"])
    #expect(try fixture.groups() == ["TERN-1: text of k1, 2", "TERN-2: text of k3, 3"])
    #expect(try store.groups.get("TERN-1").installs == 2)
    #expect(try store.groups.get("TERN-2").installs == 2)
    #expect(try store.groups.get("TERN-1").lastSeen?.seconds == StoreFixture.start.seconds + 9)
    #expect(try add("f", "k3").group == "TERN-2")
    try fixture.check()
    let whole = try StoreFixture()
    for (name, key, alternatives, install, seconds) in [
      ("a", "k1", [], "x", 9), ("b", "k2", [], "x", 3), ("c", "k1", [], "y", 0),
      ("d", "k2", [], "z", 20), ("e", "k3", ["k2"], "z", 0), ("f", "k3", [], nil, 0),
    ] as [(String, String, [String], String?, Int64)] {
      try whole.add(
        name,
        StoreFixture.report(key, alternatives: alternatives, install: install, seconds: seconds))
    }
    #expect(try fixture.view() == whole.view())
  }

  @Test("Groups that cannot be merged or separated")
  func refused() throws {
    try add("a", "k1")
    try add("b", "k2")
    try store.reports.add([
      try StoreFixture.prepared("z", [StoreFixture.report("k1")], app: "Zebra")
    ])
    #expect(throws: ActionError.sameGroup("TERN-1", "TERN-1")) {
      try store.triage.merge(["TERN-1"], into: "TERN-1", by: "ann")
    }
    #expect(throws: ActionError.otherApp("TERN-1", "ZEBRA-1")) {
      try store.triage.merge(["TERN-2", "ZEBRA-1"], into: "TERN-1", by: "ann")
    }
    #expect(try store.groups.list().count == 3)
    #expect(throws: ActionError.notMerged("TERN-2")) {
      try store.triage.unmerge(["TERN-2"], by: "ann")
    }
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    #expect(throws: ActionError.holds("TERN-1", ["TERN-2"])) {
      try store.triage.unmerge(["TERN-1"], by: "ann")
    }
    #expect(throws: ActionError.sameGroup("TERN-1", "TERN-2")) {
      try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    }
    #expect(throws: ActionError.partOf("TERN-2", whole: "TERN-1")) {
      let line = try store.groups.history(ofGroup: "TERN-1").first { $0.group == "TERN-2" }?.number
      try store.triage.undo(["TERN-1"], line: line, by: "ann")
    }
  }

  @Test("A merge moves only named groups, and asks before it overrides a user's decision")
  func unnamed() throws {
    for number in 1...3 { try add("r\(number)", "k\(number)") }
    try store.triage.merge(["TERN-3"], into: "TERN-1", by: "ann")
    #expect(throws: ActionError.partOf("TERN-3", whole: "TERN-1")) {
      try store.triage.merge(["TERN-3"], into: "TERN-2", by: "bob")
    }
    try store.triage.unmerge(["TERN-3"], by: "ann")
    try store.triage.distinguish(["TERN-1"], from: "TERN-2", by: "ann")
    for (one, other) in [("TERN-1", "TERN-2"), ("TERN-2", "TERN-1")] {
      #expect(throws: ActionError.toldApart(one, other, by: "ann")) {
        try store.triage.merge([other], into: one, by: "bob")
      }
      // All or none.
      #expect(throws: ActionError.toldApart(one, other, by: "ann")) {
        try store.triage.merge(["TERN-3", other], into: one, by: "bob")
      }
    }
    #expect(try store.groups.list().count == 3)
    try store.triage.distinguish(["TERN-2"], from: "TERN-1", isUndone: true, by: "bob")
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "bob")
    #expect(try store.groups.list().count == 2)
  }

  @Test("Groups merged by one call are undone as one")
  func together() throws {
    for number in 1...5 { try add("r\(number)", "k\(number)") }
    let before = try fixture.tables()
    try store.triage.merge(["TERN-2", "TERN-3", "TERN-4"], into: "TERN-1", by: "ann")
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try fixture.tables() == before)
    // Groups merged by an earlier call stay merged.
    try store.triage.merge(["TERN-5"], into: "TERN-1", by: "ann")
    let five = try fixture.tables()
    try store.triage.merge(["TERN-2", "TERN-3"], into: "TERN-1", by: "ann")
    try store.triage.undo(["TERN-3"], by: "ann")
    #expect(try fixture.tables() == five)
    // A number means one of them.
    try store.triage.merge(["TERN-2", "TERN-3"], into: "TERN-1", by: "ann")
    let line = try store.groups.history(ofGroup: "TERN-1").last {
      $0.event == "merged" && $0.detail.hasPrefix("TERN-2 ")
    }?.number
    try store.triage.undo(["TERN-1"], line: line, by: "ann")
    #expect(try store.groups.list().map(\.id).sorted() == ["TERN-1", "TERN-2", "TERN-4"])
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try fixture.tables() == five)
    try fixture.check()
  }

  @Test("A merge of merged groups can be separated in any order")
  func nested() throws {
    for number in 1...4 { try add("r\(number)", "k\(number)") }
    let before = try fixture.view()
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    try store.triage.merge(["TERN-1"], into: "TERN-3", by: "ann")
    try store.triage.merge(["TERN-4"], into: "TERN-2", by: "ann")
    #expect(try fixture.groups() == ["TERN-3: text of k3, 4"])
    try store.triage.unmerge(["TERN-1"], by: "ann")
    #expect(try fixture.groups() == ["TERN-1: text of k1, 2", "TERN-3: text of k3, 2"])
    try fixture.check()
    try store.triage.unmerge(["TERN-4", "TERN-2"], by: "ann")
    #expect(try fixture.view() == before)
    try fixture.check()
  }

  @Test("Reports from a merge show that a resolved group is not fixed; undo reverts it")
  func statesOfMerges() throws {
    try add("a", "k1", version: "1.0")
    try add("b", "k2", version: "2.0")
    try store.triage.assign(["TERN-2"], to: "bob", by: "ann")
    try store.triage.resolve(["TERN-1"], .inRelease(Release("1.5")), by: "ann")
    let before = try fixture.tables()
    let merged = try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    #expect(merged.state == .regressed && merged.assignee == "bob")
    try store.triage.undo(["TERN-2"], by: "ann")
    #expect(try fixture.tables() == before)
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try fixture.tables() == before)
    // And the undo of separating it.
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    let together = try fixture.tables()
    try store.triage.unmerge(["TERN-2"], by: "ann")
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try fixture.tables() == together)
    // The user's own decision is kept.
    try store.triage.resolve(["TERN-1"], .inRelease(Release("3.0")), by: "ann")
    try store.triage.unmerge(["TERN-2"], by: "ann")
    #expect(try fixture.state("TERN-1") == .resolved && fixture.state("TERN-2") == .open)
  }

  @Test("Notes and history of a part show in the merged group")
  func history() throws {
    try add("a", "k1")
    try add("b", "k2")
    try store.triage.note(["TERN-2"], "of two", by: "bob")
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    let note = try #require(
      try store.groups.history(ofGroup: "TERN-1").first { $0.event == "noted" })
    #expect(note.group == "TERN-2" && note.detail == "of two" && note.author == "bob")
    try store.triage.unmerge(["TERN-2"], by: "ann")
    #expect(try !store.groups.history(ofGroup: "TERN-1").contains { $0.event == "noted" })
    #expect(try store.groups.history(ofGroup: "TERN-2").contains { $0.event == "noted" })
  }

  @Test("Split by key: alternative readings move along, and so do later reports")
  func splitByKey() throws {
    try add("a", "aa1")
    try add("b", "bb2", alternatives: ["aa1", "cc3"])
    try add("c", "aa1", install: "x")
    #expect(try fixture.groups() == ["TERN-1: text of bb2, 3"])
    #expect(try store.triage.keys(ofGroup: "TERN-1").map(\.key) == ["aa1", "bb2"])
    let before = try fixture.tables()
    let split = try store.triage.split("TERN-1", keys: ["b"], by: "ann")
    #expect(split.group.reports == 2 && split.new.reports == 1)
    #expect(split.new.signature.key == "bb2")
    try fixture.check()
    #expect(try add("d", "bb2", alternatives: ["aa1"]).group == "TERN-2")
    #expect(try add("e", "cc3").group == "TERN-2")
    #expect(try add("f", "aa1").group == "TERN-1")
    try fixture.check()
    try store.triage.undo(["TERN-2"], by: "ann")
    #expect(try fixture.groups() == ["TERN-1: text of bb2, 6"])
    #expect(try store.groups.get("TERN-2").id == "TERN-1")
    #expect(try add("g", "cc3").group == "TERN-1")
    try fixture.check()
    #expect(throws: ActionError.noSuchKey("zz", in: "TERN-1")) {
      try store.triage.split("TERN-1", keys: ["zz"], by: "ann")
    }
    #expect(throws: ActionError.splitsNothing("TERN-1", isAll: true)) {
      try store.triage.split("TERN-1", keys: ["aa1", "bb2", "cc3"], by: "ann")
    }
    // Without anything in between it is as it was, byte for byte.
    let again = try StoreFixture()
    try again.add("a", StoreFixture.report("aa1"))
    try again.add("b", StoreFixture.report("bb2", alternatives: ["aa1", "cc3"]))
    try again.add("c", StoreFixture.report("aa1", install: "x"))
    let start = try again.tables()
    try again.store.triage.split("TERN-1", keys: ["bb2"], by: "ann")
    #expect(try again.tables() != start)
    try again.store.triage.undo(["TERN-1"], by: "ann")
    #expect(try again.tables() == start)
    _ = before
  }

  @Test("Split by a rule: new reports follow it, and it overrides keys")
  func splitByRule() throws {
    try add("a", "k1", version: "1.0")
    try add("b", "k1", version: "2.0")
    try add("c", "k2", version: "2.5")
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    let before = try fixture.tables()
    let split = try store.triage.split("TERN-1", where: "version:>=2.0", by: "ann")
    #expect(split.new.id == "TERN-3" && split.new.reports == 2 && split.group.reports == 1)
    try fixture.check()
    #expect(try fixture.lines("TERN-3").contains("split off TERN-1, by version:>=2.0"))
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try fixture.tables() == before)
    try store.triage.split("TERN-1", where: "version:>=2.0", by: "ann")
    #expect(try add("d", "k1", version: "3.0").group == "TERN-4")
    #expect(try add("e", "k2", version: "1.0").group == "TERN-1")
    #expect(try add("f", "k3", version: "3.0").group == "TERN-5")
    // A split of the split.
    try store.triage.split("TERN-4", where: "version:>=3.0", by: "ann")
    #expect(try add("g", "k2", version: "3.1").group == "TERN-6")
    #expect(throws: ActionError.changedSince("TERN-4", words: "was split itself")) {
      try store.triage.undo(["TERN-1"], by: "ann")
    }
    try fixture.check()
    try store.triage.undo(["TERN-6"], by: "ann")
    try store.triage.undo(["TERN-4"], by: "ann")
    #expect(try store.groups.get("TERN-1").reports == 6)
    try store.triage.unmerge(["TERN-2"], by: "ann")
    #expect(try store.groups.get("TERN-1").reports == 3 && store.groups.get("TERN-2").reports == 3)
    try fixture.check()
  }

  @Test("Invalid rules")
  func wrongRules() throws {
    try add("a", "k1")
    #expect(throws: QueryError.self) {
      try store.triage.split("TERN-1", where: "colour:red", by: "ann")
    }
    #expect(throws: ActionError.emptyRule) {
      try store.triage.split("TERN-1", where: " ", by: "ann")
    }
    #expect(throws: ActionError.ruleOfGroup("is:open")) {
      try store.triage.split("TERN-1", where: "is:open", by: "ann")
    }
    #expect(throws: ActionError.splitsNothing("TERN-1", isAll: false)) {
      try store.triage.split("TERN-1", where: "version:9", by: "ann")
    }
    #expect(throws: ActionError.splitsNothing("TERN-1", isAll: true)) {
      try store.triage.split("TERN-1", where: "version:1.0", by: "ann")
    }
    #expect(try store.groups.list().count == 1)
    try fixture.check()
  }
}
