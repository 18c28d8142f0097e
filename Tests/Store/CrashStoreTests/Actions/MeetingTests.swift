import CrashModel
import Database
import Identifiers
import Testing
import TriageModel

@testable import CrashStore

@Suite("Groups that symbols merge")
struct GroupMergeTests {
  let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  @discardableResult
  private func add(_ name: String, _ key: String, version: String = "1.0") throws -> String {
    let isProvisional = key.hasPrefix("p")
    return try fixture.add(
      name, StoreFixture.report(key, provisional: isProvisional, version: version)
    ).report
  }

  private func reprocess(_ id: String, _ key: String, version: String = "1.0") throws {
    try fixture.reprocess([(id, StoreFixture.report(key, version: version))])
    try fixture.check()
  }

  enum Kind: String, CaseIterable {
    case untouched, open, resolved, ignored, regressed
  }

  /// The merged status of two groups: the first is that of the older group.
  static func state(_ one: Kind, _ other: Kind, isFixedByThen: Bool) -> GroupState {
    let kinds = [one, other]
    if kinds.contains(.regressed) { return .regressed }
    if kinds.contains(.open) { return .open }
    if kinds.contains(.ignored) { return .ignored }
    if kinds.contains(.resolved) { return isFixedByThen ? .regressed : .resolved }
    return .open
  }

  @Test(
    "The louder decision stays, and nothing is silently resolved", arguments: Kind.allCases,
    Kind.allCases)
  func states(one: Kind, other: Kind) throws {
    for version in ["1.0", "4.0"] {
      let fixture = try StoreFixture()
      let store = fixture.store
      try fixture.add("a", StoreFixture.report("k"))
      let id = try fixture.add("b", StoreFixture.report("p", provisional: true, version: version))
        .report
      for (group, kind) in [("TERN-1", one), ("TERN-2", other)] {
        switch kind {
        case .untouched: break
        case .open:
          try store.triage.ignore([group], by: "ann")
          try store.triage.reopen([group], by: "ann")
        case .resolved: try store.triage.resolve([group], .inRelease(Release("3.0")), by: "ann")
        case .ignored: try store.triage.ignore([group], by: "ann")
        case .regressed:
          try store.triage.resolve([group], .inRelease(Release("0.1")), by: "ann")
          let key = group == "TERN-1" ? "k" : "p"
          try fixture.add("c\(group)", StoreFixture.report(key, provisional: key == "p"))
        }
      }
      try store.triage.assign(["TERN-2"], to: "bob", by: "ann")
      try store.triage.note(["TERN-2"], "words", by: "ann")
      let ids = try store.store(reportsOf: "TERN-2")
      try fixture.reprocess(
        ids.map { ($0, StoreFixture.report("k", version: $0 == id ? version : "1.0")) })
      #expect(
        try fixture.state("TERN-1")
          == Self.state(one, other, isFixedByThen: version == "4.0"), "\(one) \(other) \(version)")
      #expect(try store.groups.get("TERN-2").id == "TERN-1")
      #expect(try store.groups.get("TERN-1").assignee == "bob")
      #expect(try fixture.lines("TERN-1").contains("noted words"))
      try fixture.check()
    }
  }

  @Test("Of two fixes the later one is kept")
  func fixes() throws {
    try add("a", "k")
    let id = try add("b", "p")
    try store.triage.resolve(["TERN-1"], .inRelease(Release("2.0")), by: "ann")
    try store.triage.resolve(["TERN-2"], .inRelease(Release("3.0")), by: "bob")
    try reprocess(id, "k")
    #expect(try store.groups.get("TERN-1").status.fix?.release == Release("3.0"))
    #expect(throws: ActionError.metSince(3, name: "TERN-1")) {
      let line = try store.groups.history(ofGroup: "TERN-1").first { $0.event == "resolved" }?
        .number
      do { try store.triage.undo(["TERN-1"], line: line, by: "ann") } catch ActionError.metSince {
        throw ActionError.metSince(3, name: "TERN-1")
      }
    }
  }

  @Test("A manually merged group stays so, whichever part merges with another")
  func merged() throws {
    let a = try add("a", "p1")
    let b = try add("b", "p2")
    try add("c", "k")
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    // The part turns out to be TERN-3: all three are one.
    try reprocess(b, "k")
    #expect(try fixture.groups() == ["TERN-1: text of p1, 3"])
    try reprocess(a, "k1")
    #expect(try fixture.groups() == ["TERN-1: text of k1, 3"])
    // And they separate as symbols alone would have placed them.
    #expect(try store.triage.unmerge(["TERN-2"], by: "ann").map(\.reports) == [2])
    #expect(try fixture.groups() == ["TERN-1: text of k1, 1", "TERN-2: text of k, 2"])
    try fixture.check()
  }

  @Test("If symbols show the same as a merge, there is nothing to take out")
  func sameBySymbols() throws {
    try add("a", "k")
    let b = try add("b", "p")
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    try reprocess(b, "k")
    #expect(throws: ActionError.oneBySymbols("TERN-2", with: "TERN-1")) {
      try store.triage.unmerge(["TERN-2"], by: "ann")
    }
    #expect(throws: ActionError.self) { try store.triage.undo(["TERN-1"], by: "ann") }
    #expect(try fixture.groups() == ["TERN-1: text of k, 2"])
  }

  @Test("An older part of a newer group gives it its name when symbols make them one")
  func rerooted() throws {
    try add("a", "k")
    let b = try add("b", "p")
    try store.triage.merge(["TERN-1"], into: "TERN-2", by: "ann")
    try store.triage.resolve(["TERN-2"], .inRelease(Release("3.0")), by: "ann")
    try reprocess(b, "k")
    #expect(try fixture.groups() == ["TERN-1: text of k, 2"])
    #expect(try fixture.state("TERN-2") == .resolved)
  }

  @Test("Two merges overlap")
  func twoMerges() throws {
    try add("a", "k1")
    let b = try add("b", "p1")
    try add("c", "k2")
    let d = try add("d", "p2")
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    try store.triage.merge(["TERN-4"], into: "TERN-3", by: "ann")
    try reprocess(b, "k9")
    try reprocess(d, "k9")
    #expect(try fixture.groups() == ["TERN-1: text of k1, 4"])
    try store.triage.unmerge(["TERN-3"], by: "ann")
    #expect(try fixture.groups() == ["TERN-1: text of k1, 3", "TERN-3: text of k2, 1"])
    try fixture.check()
  }

  @Test("A report with several keys leaves its group, but not a merged one")
  func held() throws {
    let ids = try (0..<3).map { try add("a\($0)", "p") }
    try add("b", "k2")
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    try fixture.reprocess(
      [
        (ids[0], StoreFixture.report("k1")), (ids[1], StoreFixture.report("k1")),
        (ids[2], StoreFixture.report("k3")),
      ])
    try fixture.check()
    #expect(try fixture.groups() == ["TERN-1: text of k1, 4"])
    #expect(try add("c", "k3").isEmpty == false)
    #expect(try store.groups.get("TERN-1").reports == 5)
  }

  @Test("A split stays, whatever the key is then; new reports find it by the new key")
  func split() throws {
    let a = try add("a", "p1")
    let b = try add("b", "p2")
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    let new = try store.triage.split("TERN-1", keys: ["p2"], by: "ann").new
    try reprocess(a, "k")
    try reprocess(b, "k5")
    #expect(try store.groups.get(new.id).signature.key == "k5")
    try add("c", "k5")
    #expect(try store.groups.get(new.id).reports == 2)
    // Symbols that contradict the split do not undo it.
    let d = try add("d", "p2")
    try reprocess(d, "k")
    #expect(try store.reports.get(d).summary.group == new.id)
    try fixture.check()
  }

  @Test("A rule is evaluated again when more is known of a report")
  func rule() throws {
    try add("a", "p1")
    var report = StoreFixture.report("p1", provisional: true, version: "2.0")
    let b = try fixture.add("b", report).report
    let c = try fixture.add("c", report).report
    report.threads = [
      CrashThread(index: 0, crashed: true, frames: [Frame(position: .exact, function: "draw()")])
    ]
    report.crashedThread = 0
    try fixture.reprocess([(b, report)])
    let new = try store.triage.split("TERN-1", where: "function:draw()", by: "ann").new
    #expect(new.reports == 1)
    try fixture.reprocess([(c, report)])
    #expect(try store.reports.get(c).summary.group == new.id)
    try fixture.check()
    try store.triage.undo([new.id], by: "ann")
    #expect(try store.groups.get("TERN-1").reports == 3)
    try fixture.check()
  }
}

extension CrashStore {
  /// The ids of the reports of a group, oldest first.
  func store(reportsOf group: String) throws -> [String] {
    try read { database in
      let rows = try database.prepare(
        "SELECT name FROM reports WHERE grp = ?1 ORDER BY id",
        [try CrashStore.Groups.groupRow(named: group, in: database)])
      var ids: [String] = []
      while try rows.step() { ids.append(rows.text(0)) }
      return ids
    }
  }
}
