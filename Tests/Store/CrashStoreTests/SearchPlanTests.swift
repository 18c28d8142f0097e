import Database
import Query
import Testing

@testable import CrashStore

/// SQLite's plans for the statements behind lists: through an index, without sorting.
@Suite struct SearchPlanTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.file("a", (0..<20).map { StoreFixture.report("k\($0 % 5)", seconds: Int64($0)) })
  }

  /// The first page and a later one, from either end.
  private static func places(_ cursor: PageCursor) -> [(after: PageCursor?, isReversed: Bool)] {
    [(nil, false), (cursor, false), (nil, true), (cursor, true)]
  }

  private static func plan(
    _ sql: String, _ values: [any SQLBindable], _ database: borrowing Connection
  ) throws -> [String] {
    let rows = try database.prepare("EXPLAIN QUERY PLAN " + sql, values)
    var steps: [String] = []
    while try rows.step() { steps.append(rows.text(3)) }
    return steps
  }

  @Test(
    "Pages of groups come from an index in their order",
    arguments: zip(
      [GroupQuery.Order.reports, .lastSeen, .firstSeen],
      ["groups_by_reports", "groups_by_last_seen", "groups_by_first_seen"]))
  func groups(order: GroupQuery.Order, index: String) throws {
    var query = GroupQuery(try Query("is:open", now: StoreFixture.start))
    (query.order, query.limit) = (order, 100)
    for (after, isReversed) in Self.places(PageCursor(5, 5, row: 3)) {
      query.isReversed = isReversed
      let steps = try fixture.store.read { database in
        let filter = try #require(try GroupFilter(query.query, in: database))
        let (sql, values) = CrashStore.Groups.plainList(query, filter, after: after)
        return try Self.plan(sql, values, database)
      }
      #expect(steps.contains { $0.contains(index) }, "\(steps)")
      #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
    }
  }

  @Test(
    "Pages of reports of everything, an app or a group come from an index in their order",
    arguments: zip(
      ["", "app:Tern", "group:TERN-1"],
      ["reports_by_time", "reports_of_app_by_time", "reports_of_group_by_time"]))
  func reports(text: String, index: String) throws {
    var query = ReportQuery(try Query(text, now: StoreFixture.start))
    query.limit = 100
    for (after, isReversed) in Self.places(PageCursor(5, row: 3)) {
      query.isReversed = isReversed
      let steps = try fixture.store.read { database in
        let owner = try #require(try ReportOwner(query.query, in: database))
        let (sql, values) = CrashStore.Reports.list(of: owner, query, after: after)
        return try Self.plan(sql, values, database)
      }
      #expect(steps.contains { $0.contains(index) }, "\(steps)")
      #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
    }
  }

  @Test(
    "What is looked up for each report or group is looked up by key",
    arguments: [
      "SELECT version, build, count FROM group_versions WHERE grp = ?1",
      "SELECT id FROM search_terms WHERE hash = ?1 AND text = ?2 AND id BETWEEN ?3 AND ?4",
      "SELECT id FROM search_sets WHERE digest = ?1",
      "SELECT holder FROM search_set_terms WHERE term = ?1",
      "SELECT bytes FROM search_columns WHERE id = ?1",
      "SELECT report FROM attachments WHERE name = ?1",
      "SELECT id, name FROM reports WHERE name >= ?1 AND name < ?1 || 'g'",
    ])
  func lookUps(sql: String) throws {
    let steps = try fixture.store.read { try Self.plan(sql, [], $0) }
    #expect(steps.count == 1 && steps[0].hasPrefix("SEARCH"), "\(steps)")
  }
}
