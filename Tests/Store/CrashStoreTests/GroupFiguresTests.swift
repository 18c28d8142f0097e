import Bytes
import CrashModel
import Database
import Identifiers
import Query
import Testing

@testable import CrashStore

/// Figures of groups on pages, besides the breakdown.
@Suite("Figures of groups for pages") struct GroupFiguresTests {
  private let fixture: StoreFixture
  private static let day: Int64 = 86_400
  private static let today = StoreFixture.start.day

  init() throws { fixture = try StoreFixture() }

  private func field(_ name: String) throws -> QueryField { try #require(QueryField(named: name)) }

  @Test("Daily reports are counted by release")
  func releaseDays() throws {
    try fixture.file(
      "a",
      [
        StoreFixture.report("k", version: "1.0"),
        StoreFixture.report("k", version: "1.0", os: "macOS"),
        StoreFixture.report("k", version: "1.1"),
        StoreFixture.report("k", version: "1.1", seconds: -Self.day),
        StoreFixture.report("k", version: "1.1", seconds: -40 * Self.day),
        StoreFixture.report("other", version: "1.1"),
      ])
    let found = try fixture.store.groups.releaseDays(
      ofGroup: "TERN-1", days: (Self.today - 29)..<(Self.today + 1))
    #expect(
      found.map { "\(Self.today - $0.day.day) \($0.release) \($0.reports)" } == [
        "1 1.1 (7) 1", "0 1.0 (7) 2", "0 1.1 (7) 1",
      ])
    #expect(try fixture.store.groups.releaseDays(ofGroup: "TERN-1", days: 5..<5).isEmpty)
    #expect(throws: StoreError.notFound("TERN-9")) {
      try fixture.store.groups.releaseDays(ofGroup: "TERN-9", days: 0..<9)
    }
  }

  @Test("Tags are counted by value, without ids and tags about the kind of crash")
  func tags() throws {
    let reports = (0..<6).map { number -> CrashReport in
      var report = StoreFixture.report("k", seconds: Int64(number))
      report.tags[ReportTag("locale")] = number < 4 ? "de_DE" : "en_US"
      report.tags[ReportTag("request")] = "id-\(number)"
      report.tags[.vmRegion] = "stack"
      if number < 2 { report.tags[ReportTag("property.Plan")] = "Pro" }
      return report
    }
    try fixture.file("t", reports)
    let tags = try fixture.store.search.tags(ofGroup: "TERN-1", limit: 1)
    #expect(tags.reports == 6)
    #expect(tags.tags.map(\.field) == ["tag.locale", "property.Plan"])
    #expect(tags.tags.map(\.reports) == [6, 2])
    #expect(tags.tags[0].values.top == [GroupBreakdown.Share(name: "de_DE", reports: 4)])
    #expect(tags.tags[0].values.others == 1 && tags.tags[0].values.reportsOfOthers == 2)
  }

  @Test("Typed values are found regardless of case, for one app or all")
  func values() throws {
    let other = StoreFixture.report("z", version: "9.0", os: "Zephyr")
    try fixture.file(
      "v", [StoreFixture.report("k", version: "1.9"), StoreFixture.report("k", version: "1.10")])
    _ = try fixture.store.reports.add([try StoreFixture.prepared("z", [other], app: "Zebra")])
    let search = fixture.store.search
    func values(_ name: String, _ text: String, app: String? = nil) throws -> [String] {
      try search.values(of: field(name), holding: text, app: app, limit: 10)
    }
    #expect(try values("version", "") == ["9.0 (7)", "9.0", "1.10 (7)", "1.10", "1.9 (7)", "1.9"])
    #expect(try values("version", "1.1") == ["1.10 (7)", "1.10"])
    #expect(try values("version", "", app: "Zebra") == ["9.0 (7)", "9.0"])
    #expect(try values("os", "ZEPH") == ["Zephyr", "Zephyr 17.2"])
    #expect(try values("os", "zeph", app: "Tern").isEmpty)
    #expect(try values("app", "e") == ["Tern", "Zebra"])
    #expect(try values("app", "", app: "Tern") == ["Tern"])
    #expect(try values("group", "tern") == ["TERN-1"])
    #expect(try values("group", "", app: "Zebra") == ["ZEBRA-1"])
    #expect(try values("signature", "text of k") == ["text of k"])
    #expect(try values("signature", "text of", app: "Zebra") == ["text of z"])
    #expect(try values("time", "2").isEmpty && values("message", "a").isEmpty)
    #expect(throws: StoreError.unknownApp("Nothing", near: nil)) {
      try values("os", "", app: "Nothing")
    }
  }

  @Test("Tags in reports are listed by their query fields, for one app or all")
  func tagNames() throws {
    var report = StoreFixture.report("k")
    report.tags[ReportTag("locale")] = "de_DE"
    report.tags[ReportTag("property.Plan")] = "Pro"
    try fixture.file("n", [report])
    _ = try fixture.store.reports.add([
      try StoreFixture.prepared("z", [StoreFixture.report("z")], app: "Zebra")
    ])
    #expect(try fixture.store.search.tagNames(limit: 10) == ["property.Plan", "tag.locale"])
    #expect(try fixture.store.search.tagNames(app: "Zebra", limit: 10).isEmpty)
    let plan = try field("property.Plan")
    #expect(try fixture.store.search.values(of: plan, holding: "p", limit: 9) == ["Pro"])
  }

  @Test("Daily crash-free figures add up to the totals")
  func crashFreeDays() throws {
    func batch(_ install: String, _ sessions: [(String, Int64)]) -> ClientBatch {
      var batch = ClientBatch(app: "Tern", received: StoreFixture.start, install: install)
      batch.sessions = sessions.map {
        ClientBatch.Session(
          id: $0.0, time: Timestamp(seconds: StoreFixture.start.seconds - $0.1 * Self.day),
          version: "1.0", build: "7")
      }
      return batch
    }
    _ = try fixture.store.sessions.add(batch("a", [("s1", 0), ("s2", 1)]))
    _ = try fixture.store.sessions.add(batch("b", [("s3", 1)]))
    var crash = batch("b", [])
    crash.reports = [
      ClientBatch.Report(
        try StoreFixture.prepared("c", [StoreFixture.report("k", install: "b")]), id: "c",
        kind: .crash, session: "s3",
        time: Timestamp(seconds: StoreFixture.start.seconds - Self.day), version: "1.0", build: "7")
    ]
    _ = try fixture.store.sessions.add(crash)
    let days = (Self.today - 6)..<(Self.today + 1)
    let span = try fixture.store.sessions.crashFreeSpan(app: "Tern", days: days)
    let found = span.days
    #expect(found.map { Self.today - $0.day.day } == [1, 0])
    #expect(found.map(\.figures.sessions) == [2, 1])
    #expect(found.map(\.figures.sessionRate) == [0.5, 1])
    #expect(found.map(\.figures.userRate) == [0.5, 1])
    let all = try fixture.store.sessions.crashFree(app: "Tern")
    #expect(found.reduce(0) { $0 + $1.figures.sessions } == all.sessions)
    #expect(found.reduce(0) { $0 + $1.figures.crashedSessions } == all.crashedSessions)
    #expect(span.whole == all && span.hasCrashes)
    let none = try fixture.store.sessions.crashFreeSpan(
      app: "Tern", days: days, release: Release("2.0"))
    #expect(none.days.isEmpty && none.whole == CrashFree() && !none.hasCrashes)
  }

  @Test("Of an app without sessions, only whether it crashed is known")
  func crashesWithoutSessions() throws {
    try fixture.file("a", [StoreFixture.report("k", seconds: -3 * Self.day)])
    try fixture.file("b", [StoreFixture.report("k", seconds: -9 * Self.day, kind: .hang)])
    func hasCrashes(_ days: Range<Int>, _ release: Release? = nil) throws -> Bool {
      let span = try fixture.store.sessions.crashFreeSpan(app: "Tern", days: days, release: release)
      #expect(span.whole == nil && span.days.isEmpty)
      let all = try fixture.store.sessions.crashFree(
        app: "Tern", from: Timestamp(day: days.lowerBound),
        to: Timestamp(day: days.upperBound - 1), release: release)
      #expect(span.hasCrashes == (all.crashes > 0) && all.sessions == 0)
      return span.hasCrashes
    }
    let day = Self.today - 3
    #expect(try hasCrashes(day..<day + 1))
    #expect(try !hasCrashes(day - 5..<day) && !hasCrashes(day + 1..<day + 5))
    #expect(try !hasCrashes(Self.today - 9..<Self.today - 8))
    let releases = [Release("1.0"), Release("1.0 (7)"), Release("1.0 (8)"), Release("2.0")]
    #expect(try releases.map { try hasCrashes(day..<day + 1, $0) } == [true, true, false, false])
  }
}
