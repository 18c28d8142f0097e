import Identifiers
import Testing

@testable import CrashStore

@Suite("The breakdown of a group")
struct BreakdownTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static let day: Int64 = 86_400

  @Test("Versions are in their order, with the days on which they were seen")
  func versions() throws {
    try fixture.file(
      "a",
      [
        StoreFixture.report("k", version: "1.10", seconds: 0),
        StoreFixture.report("k", version: "1.9", seconds: -3 * Self.day),
        StoreFixture.report("k", version: "1.9", seconds: -Self.day),
        StoreFixture.report("other", version: "2.0"),
      ])
    let breakdown = try fixture.store.groups.breakdown(ofGroup: "tern-1", now: StoreFixture.start)
    #expect(breakdown.reportsOfApp == 4)
    #expect(breakdown.versions.map(\.name) == ["1.9 (7)", "1.10 (7)"])
    #expect(breakdown.versions.map(\.reports) == [2, 1])
    let start = StoreFixture.start.seconds / Self.day * Self.day
    #expect(breakdown.versions[0].firstDay.seconds == start - 3 * Self.day)
    #expect(breakdown.versions[0].lastDay.seconds == start - Self.day)
  }

  @Test("The most frequent come first, the rest is counted")
  func ranking() throws {
    let systems = ["a", "b", "b", "c", "d", "e", "f", "f", "g"]
    try fixture.file("s", systems.map { StoreFixture.report("k", os: $0) })
    let ranking = try fixture.store.groups.breakdown(
      ofGroup: "TERN-1", now: StoreFixture.start, limit: 3
    ).systems
    #expect(ranking.top.map(\.name) == ["b 17.2", "f 17.2", "a 17.2"])
    #expect(ranking.top.map(\.reports) == [2, 2, 1])
    #expect(ranking.others == 4 && ranking.reportsOfOthers == 4)
  }

  @Test(
    "The month ends today, or with the last report where that is longer ago",
    arguments: zip([0, 1, 29, 30, 400] as [Int64], [29, 28, 0, 29, 29]))
  func month(later: Int64, place: Int) throws {
    try fixture.file("m", [StoreFixture.report("k"), StoreFixture.report("k")])
    let now = Timestamp(seconds: StoreFixture.start.seconds + later * Self.day)
    let days = try fixture.store.groups.breakdown(ofGroup: "TERN-1", now: now).days
    #expect(days.count == CrashStore.Groups.breakdownDays)
    #expect(days.firstIndex { $0.reports == 2 } == place)
    #expect(days.reduce(0) { $0 + $1.reports } == 2)
  }

  @Test("The newest reports of a group")
  func recent() throws {
    let ids = try fixture.file(
      "r", (0..<8).map { StoreFixture.report("k", seconds: Int64($0) * 60) })
    let recent = try fixture.store.groups.recentReports(ofGroup: "TERN-1")
    #expect(recent.map(\.id) == Array(ids.reversed().prefix(5)))
  }

  @Test("A missing group")
  func missing() throws {
    #expect(throws: StoreError.notFound("TERN-9")) {
      try fixture.store.groups.breakdown(ofGroup: "TERN-9", now: StoreFixture.start)
    }
  }
}
