import CrashModel
import Database
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// No row gets the number of a deleted one where that number is remembered elsewhere.
@Suite("Row numbers") struct RowNumberTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  @Test("Alerts of new groups are not lost when the app of the last ones is cleared")
  func alerts() throws {
    try fixture.file("one", [StoreFixture.report("k1"), StoreFixture.report("k2")])
    let (mark, marks) = try (store.groups.lastEvent(), store.groups.lastEvents())
    #expect(mark > 1)
    try store.apps.clear(app: "Tern")
    #expect(try store.groups.lastEvent() < mark)
    try store.reports.add([
      try StoreFixture.prepared("two", [StoreFixture.report("k3")], app: "Other")
    ])
    let new = try store.groups.arrivals(after: marks, limit: 100)
    #expect(new.arrivals.map(\.group) == ["OTHER-1"])
    #expect(new.arrivals.allSatisfy { $0.number > mark })
  }

  @Test("Alerts of releases are not lost when the app of the last ones is cleared")
  func news() throws {
    func invite(_ name: String, app: String) throws {
      try fixture.file(app, [StoreFixture.report("k1")])
      try store.write(.global) { database in
        let row = try AppsTable.app(named: app, in: database).row
        try DistributionNewsTable.add(
          .invitation, of: row, to: "Beta", name, by: "ann", at: StoreFixture.start, in: database)
      }
    }
    try invite("ada@example.org", app: "Tern")
    try invite("bea@example.org", app: "Tern")
    let marks = try store.distribution.lastNews()
    try store.apps.clear(app: "Tern")
    try invite("cy@example.org", app: "Other")
    let news = try store.distribution.news(after: marks, limit: 100).news
    #expect(news.map(\.detail) == ["cy@example.org"])
    #expect(news.allSatisfy { $0.number > marks.values.max() ?? 0 })
  }

  @Test("A regression shows once a merge is undone, also after the newest report was removed")
  func regression() throws {
    let ids = try fixture.file(
      "one", [StoreFixture.report("k1"), StoreFixture.report("k2"), StoreFixture.report("k2")])
    try store.triage.resolve(["TERN-1"], .inRelease(Release("2.0")), by: "ann")
    try store.triage.merge(["TERN-1"], into: "TERN-2", by: "ann")
    try store.retention.remove(reports: [ids[2]], at: StoreFixture.start)
    try fixture.file("two", [StoreFixture.report("k1", version: "3.0")])
    try store.triage.undo(["TERN-2"], by: "ann")
    #expect(try fixture.state("TERN-1") == .regressed)
    try fixture.check()
  }

  @Test("What is remembered of a cleared app is not taken for that of another")
  func images() throws {
    var report = StoreFixture.report("k1", waitsFor: [])
    var image = LoadedImage(name: "Tern", debugID: DebugID(uuid: [1]))
    image.symbols = SymbolStatus(.missing, tried: [])
    report.images = [image]
    for app in ["Tern", "Other"] {
      try store.reports.add([try StoreFixture.prepared("one", [report], app: app)])
      let missing = try store.debugFiles.missing(app: app).images
      #expect(missing.flatMap(\.builds).map(\.app) == [app])
      try store.apps.clear(app: app)
    }
  }

  @Test("A number that cannot be followed by another is reported")
  func last() throws {
    try fixture.file("one", [StoreFixture.report("k1")])
    try store.write(.global) {
      try $0.run("INSERT INTO last_numbers (name, last) VALUES ('reports', ?1)", Int.max)
    }
    #expect(throws: StoreError.self) { try fixture.file("two", [StoreFixture.report("k1")]) }
    #expect(try store.reports.totals().reports == 1)
  }
}
