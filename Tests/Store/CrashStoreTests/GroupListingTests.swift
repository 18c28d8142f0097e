import Database
import Identifiers
import Query
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// The list of groups with its figures, compared with each of them asked for alone.
@Suite("Groups with the figures of their list") struct GroupListingTests {
  private static let now = StoreFixture.start

  /// The states of the tabs, and some others.
  private static let states: [Set<GroupState>?] = [
    nil, [.open, .regressed], [.regressed], [.resolved], [.ignored], [.resolved, .ignored],
  ]

  private static func query(_ text: String) throws -> Query { try Query(text, now: now) }

  /// Decides about some groups, so that there are all states.
  private func decide(_ search: SearchFixture, _ random: inout SplitMix) throws {
    for group in try search.store.groups.list() {
      switch random.below(5) {
      case 0: _ = try search.store.triage.resolve([group.id], by: "ann")
      case 1: _ = try search.store.triage.ignore([group.id], by: "ann")
      case 2: _ = try search.store.triage.reopen([group.id], by: "ann")
      case 3: _ = try search.store.triage.assign([group.id], to: "ann", by: "ann")
      default: break
      }
    }
  }

  @Test(
    "One scan gives what separate ones give", arguments: 1...UInt64(TestSize.of(small: 2, all: 8)))
  func agreement(seed: UInt64) throws {
    let search = try SearchFixture(seed: seed)
    var random = SplitMix(seed: seed)
    try search.file(60)
    var seen: Set<GroupState> = []
    for step in 0..<2 {
      try decide(search, &random)
      var maker = SearchFixture.maker(seed: seed * 10 + UInt64(step))
      var queries = try [
        "", "time:<7d", "version:>0 time:<3d", "-time:<4d", "time:<36h is:open", "is:new",
        "assignee:ann", "function:*o* time:>2d",
      ].map { try Self.query($0) }
      while queries.count < 24 {
        if let query = try? Query(maker.query(), now: Self.now) { queries.append(query) }
      }
      for query in queries { seen.formUnion(try check(query, search, &random)) }
      try search.replace(25)
      try search.remove(5)
      try search.file(10)
    }
    #expect(seen.isSuperset(of: [.open, .resolved, .ignored]))
  }

  /// - Returns: The states of the groups that match.
  private func check(
    _ search: Query, _ fixture: SearchFixture, _ random: inout SplitMix
  ) throws -> Set<GroupState> {
    let store = fixture.store
    let today = Self.now.day
    var groups = GroupQuery(search)
    groups.order = random.pick(GroupQuery.Order.allCases)
    groups.isReversed = random.below(3) == 0
    groups.limit = random.pick([nil, 1, 3])
    (groups.changeDays, groups.now) = (random.pick([2, 7, 30]), Self.now)
    var query = GroupListingQuery(
      groups, states: random.pick(Self.states), days: today - random.below(12)..<today + 1,
      limitsDays: random.below(3) == 0, daysOfGroups: today - random.below(12)..<today + 1)
    if random.below(3) == 0 { query.scope = try Self.query("app:Tern") }
    let whole = Query(conditions: query.scope.conditions + search.conditions)
    func listed(_ query: Query, _ states: Set<GroupState>?) throws -> Query {
      guard let states else { return query }
      let names = states.map(\.rawValue).sorted().joined(separator: "|")
      return Query(conditions: query.conditions + (try Self.query("is:\(names)")).conditions)
    }
    let shown = try listed(whole, query.states)
    let words: Comment = "\(shown.text) by \(groups.order)"
    var pages = 0
    repeat {
      let listing = try store.groups.listing(query)
      var alone = query.groups
      alone.query = shown
      let page = try store.groups.list(alone)
      #expect(listing.groups == page, words)
      for state in GroupState.allCases {
        let matching = try store.groups.list(GroupQuery(try listed(whole, [state]))).total
        #expect(listing.matching[state] ?? 0 == matching, words)
        let all = try store.groups.list(GroupQuery(try listed(query.scope, [state]))).total
        #expect(listing.all[state] ?? 0 == all, words)
      }
      let points = try store.search.trend(
        of: query.limitsDays ? shown : shown.withoutTimes,
        from: Timestamp(day: query.days.lowerBound),
        through: Timestamp(day: query.days.upperBound - 1))
      let days = Dictionary(uniqueKeysWithValues: points.map { ($0.day.day, $0.reports) })
      #expect(listing.days == days.filter { $0.value > 0 }, words)
      let daily = try store.search.dailyReports(
        of: shown.withoutTimes, inGroups: page.map(\.id), days: query.daysOfGroups)
      #expect(listing.daysOfGroups == daily, words)
      let first = try page.map { ($0.id, try store.groups.get($0.id).firstSeen) }
      #expect(listing.firstSeen == Dictionary(uniqueKeysWithValues: first).compactMapValues(\.self))
      // Forward, and back again.
      pages += 1
      (query.groups.after, query.groups.before) =
        pages == 1 ? (page.next, nil) : (nil, page.previous)
    } while pages < 3 && (query.groups.after ?? query.groups.before) != nil
    return Set(try store.groups.listing(query).matching.keys)
  }

  @Test(
    "The reports are scanned once, and those of the page's groups read again",
    arguments: zip(
      ["", "is:new", "assignee:ann", "version:1.0", "version:1.0 time:<7d", "function:main"],
      [0, 0, 0, 2, 2, 2]))
  func scans(text: String, most: Int) throws {
    let folder = ScratchFolder()
    var options = Connection.Options()
    options.countsWork = true
    let store = try CrashStore(opening: folder.path("home"), options: options)
    try store.reports.add(
      (0..<5).map { try StoreFixture.prepared("\($0)", [StoreFixture.report("k\($0)")]) })
    func scans() throws -> Int {
      try store.read { $0.statementCosts["SELECT chunk FROM search_stale"]?.runs ?? 0 }
    }
    let before = try scans()
    let today = Self.now.day
    _ = try store.groups.listing(
      GroupListingQuery(
        GroupQuery(try Self.query(text)), states: [.open, .regressed], days: today - 60..<today + 1,
        daysOfGroups: today - 60..<today + 1))
    #expect(try scans() - before == most)
  }
}
