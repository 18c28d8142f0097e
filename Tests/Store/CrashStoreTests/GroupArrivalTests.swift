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
    let first = try store.groups.arrivals(after: [:], limit: 100)
    #expect(first.arrivals.map(\.group) == ["TERN-1", "TERN-2"])
    #expect(first.arrivals.allSatisfy { $0.kind == .new && $0.release.name == "1.0 (7)" })
    #expect(try store.groups.lastEvents() == first.marks)
    _ = try store.triage.resolve(["TERN-1"], by: "ann")
    try fixture.file("b", [StoreFixture.report("k1", version: "2.0")])
    let second = try store.groups.arrivals(after: first.marks, limit: 100)
    #expect(second.arrivals.map(\.group) == ["TERN-1"])
    #expect(second.arrivals.map(\.kind) == [.regressed])
    #expect(second.arrivals.map(\.release.version) == ["2.0"])
    #expect(try store.groups.arrivals(after: second.marks, limit: 100).arrivals.isEmpty)
    let part = try store.groups.arrivals(after: [:], limit: 1)
    #expect(part.arrivals.map(\.group) == ["TERN-1"] && part.marks.keys == first.marks.keys)
    #expect(part.marks != first.marks)
  }

  @Test(
    "A report with which a merged group came back is not one with which its parts do",
    arguments: ["k1", "k2"])
  func unmerged(key: String) throws {
    try fixture.file("a", [StoreFixture.report("k1"), StoreFixture.report("k2")])
    _ = try store.triage.resolve(["TERN-1", "TERN-2"], by: "ann")
    let marks = try store.groups.lastEvents()
    _ = try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    try fixture.file("b", [StoreFixture.report(key, version: "2.0")])
    let arrivals = try store.groups.arrivals(after: marks, limit: 100)
    #expect(arrivals.arrivals.map(\.group) == ["TERN-1"])
    _ = try store.triage.unmerge(["TERN-2"], by: "ann")
    let regressed = try store.read {
      try $0.text("SELECT group_concat(number) FROM groups WHERE state = 'regressed'")
    }
    #expect(regressed == (key == "k1" ? "1" : "2"))
    #expect(try store.groups.arrivals(after: arrivals.marks, limit: 100).arrivals.isEmpty)
  }

  @Test("A report that debug files move into a resolved group arrived before")
  func moved() throws {
    try fixture.file("a", [StoreFixture.report("k1")])
    _ = try store.triage.resolve(["TERN-1"], by: "ann")
    let ids = try fixture.file("b", [StoreFixture.report("p", provisional: true, version: "2.0")])
    let marks = try store.groups.lastEvents()
    try fixture.replace([(ids[0], StoreFixture.report("k1", version: "2.0"))])
    #expect(
      try store.read { try $0.text("SELECT state FROM groups WHERE number = 1") } == "regressed")
    #expect(try store.groups.arrivals(after: marks, limit: 100).arrivals.isEmpty)
  }

  @Test("Events of a group in another store before its import are not among them")
  func imported() throws {
    try fixture.file("a", [StoreFixture.report("k1")])
    #expect(try store.groups.arrivals(after: [:], limit: 100).arrivals.map(\.group) == ["TERN-1"])
    try store.write(.global) { database in
      try database.run(
        """
        INSERT INTO group_history (app, grp, time, author, event, detail)
        SELECT app, id, created, 'mayday', 'imported', 'as TERN-9' FROM groups
        """)
    }
    let mark = try store.groups.lastEvent()
    #expect(try store.groups.arrivals(after: [:], limit: 100).arrivals.isEmpty)
    _ = try store.triage.resolve(["TERN-1"], by: "ann")
    try fixture.file("b", [StoreFixture.report("k1", version: "2.0")])
    let arrivals = try store.groups.arrivals(after: [:], limit: 100).arrivals
    #expect(arrivals.map(\.kind) == [.regressed] && arrivals.allSatisfy { $0.number > mark })
  }

  @Test("A group that late debug files make from existing reports is not among them")
  func late() throws {
    let ids = try fixture.file(
      "a",
      [StoreFixture.report("p", provisional: true), StoreFixture.report("p", provisional: true)])
    let marks = try store.groups.lastEvents()
    try fixture.replace([(ids[0], StoreFixture.report("k1")), (ids[1], StoreFixture.report("k2"))])
    #expect(try store.groups.list().items.count == 2)
    #expect(try store.groups.arrivals(after: marks, limit: 100).arrivals.isEmpty)
  }

  @Test("A line that is committed after those of another app with greater numbers is read")
  func committedLater() throws {
    for app in ["Gull", "Tern"] {
      try store.reports.add([
        StoreFixture.prepared(app, [StoreFixture.report("k1")], app: app)
      ])
    }
    try store.write(.global) {
      try $0.run("UPDATE group_history SET id = 100 WHERE id = (SELECT max(id) FROM group_history)")
    }
    let first = try store.groups.arrivals(after: [:], limit: 100)
    #expect(first.arrivals.map(\.group) == ["GULL-1", "TERN-1"])
    try store.write(.global) { database in
      try database.run(
        """
        INSERT INTO group_history (id, app, grp, time, author, event, detail, version, build)
        SELECT 50, app, grp, time, author, event, detail, version, build FROM group_history
        WHERE id < 50
        """)
    }
    let second = try store.groups.arrivals(after: first.marks, limit: 100)
    #expect(second.arrivals.map(\.group) == ["GULL-1"])
    #expect(second.arrivals.map(\.number) == [50])
    #expect(try store.groups.arrivals(after: second.marks, limit: 100).arrivals.isEmpty)
  }

  @Test("Each app with new lines is read, however many another has; deleted lines have no mark")
  func apps() throws {
    try fixture.file("a", (1...20).map { StoreFixture.report("k\($0)") })
    try store.reports.add([StoreFixture.prepared("b", [StoreFixture.report("k")], app: "Gull")])
    let first = try store.groups.arrivals(after: [:], limit: 10)
    #expect(first.arrivals.map(\.group) == (1...5).map { "TERN-\($0)" } + ["GULL-1"])
    let second = try store.groups.arrivals(after: first.marks, limit: 10)
    #expect(second.arrivals.map(\.group) == (6...15).map { "TERN-\($0)" })
    try store.apps.clear(app: "Gull")
    let third = try store.groups.arrivals(after: second.marks, limit: 10)
    #expect(third.arrivals.count == 5 && third.marks.count == 1)
    #expect(try store.groups.lastEvents() == third.marks)
  }

  @Test("The last lines are found by app, without reading others")
  func plan() throws {
    try fixture.file("a", [StoreFixture.report("k1")])
    for (table, column) in [("group_history", "id"), ("distribution_news", "number")] {
      let steps = try store.read { database in
        let rows = try database.prepare(
          """
          EXPLAIN QUERY PLAN
          SELECT id, (SELECT max(line.\(column)) FROM \(table) AS line WHERE line.app = apps.id)
          FROM apps
          """)
        var steps: [String] = []
        while try rows.step() { try steps.append(rows.text("detail")) }
        return steps
      }
      #expect(steps.last == "SEARCH line USING COVERING INDEX \(table)_by_app (app=?)")
    }
  }
}
