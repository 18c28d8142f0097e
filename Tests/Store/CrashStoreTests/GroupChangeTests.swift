import CrashModel
import Identifiers
import Query
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite("Groups by their change") struct GroupChangeTests {
  private static let now = StoreFixture.start

  /// Stores reports of a group, on days before now.
  private func add(
    _ key: String, _ days: [Int], version: String = "1.0", to fixture: StoreFixture
  ) throws {
    let reports = days.map { day in
      var report = CrashReport(format: .appleIPS)
      report.app = AppIdentity(name: "Tern", version: version)
      report.time = Timestamp(seconds: Self.now.seconds - Int64(day) * 86_400)
      report.signature = Signature(
        text: key, key: key, category: .signal, rules: "v1", isProvisional: false)
      return report
    }
    try fixture.file("\(key)-\(version)", reports)
  }

  private func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture()
    try add("steady", (0..<60).map { $0 }, to: fixture)
    try add("rises", Array(repeating: 3, count: 40) + Array(repeating: 40, count: 10), to: fixture)
    try add("few", [2, 2, 2, 2, 35], to: fixture)
    try add("falls", Array(repeating: 3, count: 5) + Array(repeating: 40, count: 40), to: fixture)
    try add("new", Array(repeating: 1, count: 12), version: "2.0", to: fixture)
    return fixture
  }

  private func titles(
    _ fixture: StoreFixture, _ text: String = "", days: Int = 30, isReversed: Bool = false
  ) throws -> [String] {
    var query = GroupQuery(try Query(text, now: Self.now))
    (query.order, query.changeDays, query.now) = (.change, days, Self.now)
    query.isReversed = isReversed
    return try fixture.store.groups.list(query).map(\.signature.text)
  }

  @Test("The surest rise comes first, and the surest fall last")
  func order() throws {
    let fixture = try fixture()
    let order = ["rises", "new", "few", "steady", "falls"]
    #expect(try titles(fixture) == order)
    #expect(try titles(fixture, isReversed: true) == order.reversed())
    // In these days, only one group has reports in the days before.
    #expect(try titles(fixture, days: 2).first == "new")
  }

  @Test("Conditions on reports narrow what is compared, and those on their time do not")
  func conditions() throws {
    let fixture = try fixture()
    #expect(try titles(fixture, "version:2.0") == ["new"])
    #expect(try titles(fixture, "version:1.0") == ["rises", "few", "steady", "falls"])
    #expect(
      try titles(fixture, "time:<7d") == ["rises", "new", "few", "steady", "falls"])
    #expect(try titles(fixture, "time:<7d version:1.0") == ["rises", "few", "steady", "falls"])
    #expect(try titles(fixture, "time:>30d") == ["rises", "few", "steady", "falls"])
  }

  @Test("Old reports are compared in their last days")
  func old() throws {
    let fixture = try fixture()
    var query = GroupQuery()
    query.order = .change
    query.now = Timestamp(seconds: Self.now.seconds + 1_000 * 86_400)
    #expect(try fixture.store.groups.list(query).first?.signature.text == "rises")
  }

  @Test("Pages lead back as they led forward", arguments: GroupQuery.Order.allCases)
  func previous(order: GroupQuery.Order) throws {
    let fixture = try fixture()
    for text in ["", "version:>0"] {
      for isReversed in [false, true] {
        var query = GroupQuery(try Query(text, now: Self.now))
        (query.order, query.isReversed, query.now) = (order, isReversed, Self.now)
        let all = try fixture.store.groups.list(query)
        #expect(all.count == 5 && all.previous == nil && all.next == nil)
        query.limit = 2
        let first = try fixture.store.groups.list(query)
        #expect(first.previous == nil)
        query.after = first.next
        let second = try fixture.store.groups.list(query)
        query.after = second.next
        let third = try fixture.store.groups.list(query)
        #expect(first.items + second.items + third.items == all.items)
        #expect(third.next == nil)
        query.after = nil
        query.before = third.previous
        let back = try fixture.store.groups.list(query)
        #expect(back.items == second.items && back.next == second.next)
        query.before = back.previous
        let start = try fixture.store.groups.list(query)
        #expect(start.items == first.items && start.previous == nil && start.next == first.next)
      }
    }
  }

  @Test("A cursor of another order is refused in either direction")
  func foreign() throws {
    var query = GroupQuery()
    query.before = "groups-reports-up.1.2.3"
    let store = try StoreFixture().store
    #expect(throws: StoreError.wrongCursor("groups-reports-up.1.2.3")) {
      try store.groups.list(query)
    }
  }
}
