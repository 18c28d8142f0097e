import Database
import Identifiers
import TestSupport
import Testing

@testable import CrashStore

@Suite("New and regressed groups")
struct GroupArrivalTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private var store: CrashStore { fixture.store }

  @Test("Arrivals are read once, in order, with their release")
  func arrivals() throws {
    try fixture.file("a", [StoreFixture.report("k1"), StoreFixture.report("k2")])
    let first = try store.groups.arrivals(after: 0, limit: 100)
    #expect(first.arrivals.map(\.group) == ["TERN-1", "TERN-2"])
    #expect(first.arrivals.allSatisfy { $0.kind == .new && $0.release.name == "1.0 (7)" })
    #expect(try store.groups.lastEvent() == first.last)
    _ = try store.triage.resolve(["TERN-1"], by: "ann")
    try fixture.file("b", [StoreFixture.report("k1", version: "2.0")])
    let second = try store.groups.arrivals(after: first.last, limit: 100)
    #expect(second.arrivals.map(\.group) == ["TERN-1"])
    #expect(second.arrivals.map(\.kind) == [.regressed])
    #expect(second.arrivals.map(\.release.version) == ["2.0"])
    #expect(try store.groups.arrivals(after: second.last, limit: 100).arrivals.isEmpty)
    #expect(try store.groups.arrivals(after: 0, limit: 1).last < first.last)
  }

  @Test(
    "A report with which a merged group came back is not one with which its parts do",
    arguments: ["k1", "k2"])
  func unmerged(key: String) throws {
    try fixture.file("a", [StoreFixture.report("k1"), StoreFixture.report("k2")])
    _ = try store.triage.resolve(["TERN-1", "TERN-2"], by: "ann")
    let mark = try store.groups.lastEvent()
    _ = try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    try fixture.file("b", [StoreFixture.report(key, version: "2.0")])
    let arrivals = try store.groups.arrivals(after: mark, limit: 100)
    #expect(arrivals.arrivals.map(\.group) == ["TERN-1"])
    _ = try store.triage.unmerge(["TERN-2"], by: "ann")
    let regressed = try store.read {
      try $0.text("SELECT group_concat(number) FROM groups WHERE state = 'regressed'")
    }
    #expect(regressed == (key == "k1" ? "1" : "2"))
    #expect(try store.groups.arrivals(after: arrivals.last, limit: 100).arrivals.isEmpty)
  }

  @Test("A report that debug files move into a resolved group arrived before")
  func moved() throws {
    try fixture.file("a", [StoreFixture.report("k1")])
    _ = try store.triage.resolve(["TERN-1"], by: "ann")
    let ids = try fixture.file("b", [StoreFixture.report("p", provisional: true, version: "2.0")])
    let mark = try store.groups.lastEvent()
    try fixture.replace([(ids[0], StoreFixture.report("k1", version: "2.0"))])
    #expect(
      try store.read { try $0.text("SELECT state FROM groups WHERE number = 1") } == "regressed")
    #expect(try store.groups.arrivals(after: mark, limit: 100).arrivals.isEmpty)
  }

  @Test("Events of a group in another store before its import are not among them")
  func imported() throws {
    try fixture.file("a", [StoreFixture.report("k1")])
    #expect(try store.groups.arrivals(after: 0, limit: 100).arrivals.map(\.group) == ["TERN-1"])
    try store.write(.global) { database in
      try database.run(
        """
        INSERT INTO group_history (grp, time, author, event, detail)
        SELECT id, created, 'mayday', 'imported', 'as TERN-9' FROM groups
        """)
    }
    let mark = try store.groups.lastEvent()
    #expect(try store.groups.arrivals(after: 0, limit: 100).arrivals.isEmpty)
    _ = try store.triage.resolve(["TERN-1"], by: "ann")
    try fixture.file("b", [StoreFixture.report("k1", version: "2.0")])
    let arrivals = try store.groups.arrivals(after: 0, limit: 100).arrivals
    #expect(arrivals.map(\.kind) == [.regressed] && arrivals.allSatisfy { $0.number > mark })
  }

  @Test("A group that late debug files make from existing reports is not among them")
  func late() throws {
    let ids = try fixture.file(
      "a",
      [StoreFixture.report("p", provisional: true), StoreFixture.report("p", provisional: true)])
    let mark = try store.groups.lastEvent()
    try fixture.replace([(ids[0], StoreFixture.report("k1")), (ids[1], StoreFixture.report("k2"))])
    #expect(try store.groups.list().items.count == 2)
    #expect(try store.groups.arrivals(after: mark, limit: 100).arrivals.isEmpty)
  }
}
