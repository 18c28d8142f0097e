import Database
import Identifiers
import Query
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Results of the index compared with those of a query that reads every report in memory.
@Suite struct SearchTests {
  private static let now = Timestamp(seconds: StoreFixture.start.seconds, nanoseconds: 700)

  /// Valid generated queries; some times have no meaning alone.
  private static func queries(_ count: Int, seed: UInt64) -> [Query] {
    var maker = SearchFixture.maker(seed: seed)
    var queries: [Query] = [.all]
    while queries.count < count {
      if let query = try? Query(maker.query(), now: now) { queries.append(query) }
    }
    return queries
  }

  @Test("Reports, groups, counts and days are those of the matching reports", arguments: 1...3)
  func agreement(seed: UInt64) throws {
    let search = try SearchFixture(seed: seed)
    try search.file(90)
    for step in 0..<3 {
      let values = try search.values()
      for query in Self.queries(40, seed: seed * 10 + UInt64(step)) {
        try check(query, values, search)
      }
      try search.replace(25)
      try search.remove(5)
      try search.file(10)
      try search.fixture.checkSearch()
    }
  }

  private func check(
    _ query: Query, _ values: [ReportValues], _ search: SearchFixture
  ) throws {
    let store = search.store
    let matching = values.filter(query.matches)
    let reports = try store.reports.list(ReportQuery(query))
    #expect(Set(reports.map(\.id)) == Set(matching.map(\.id)), "\(query.text)")
    #expect(reports.total == matching.count && reports.next == nil, "\(query.text)")
    #expect(reports.map(\.time) == reports.map(\.time).sorted(by: >), "\(query.text)")
    // The groups of deleted reports are not known here.
    guard search.past.isEmpty || !query.conditions.contains(where: \.asksOfGroup) else { return }
    let counted = matching + search.past.filter(query.matches)
    let counts = try store.search.counts(of: query, by: try #require(QueryField(named: "version")))
    let expected = Dictionary(grouping: counted, by: \.version).mapValues(\.count)
    #expect(
      Dictionary(uniqueKeysWithValues: counts.counts.map { ($0.value, $0.count) }) == expected,
      "\(query.text)")
    #expect(counts.total == counted.count)
    let days = try store.search.trend(of: query)
    #expect(days.reduce(0) { $0 + $1.reports } == counted.count, "\(query.text)")
    for point in days {
      let count = counted.count { $0.time.seconds / 86_400 == point.day.seconds / 86_400 }
      #expect(point.reports == count, "\(query.text)")
    }
    let groups = try store.groups.list(GroupQuery(query))
    #expect(groups.reduce(0) { $0 + $1.reports } == counted.count, "\(query.text)")
    #expect(groups.map(\.reports) == groups.map(\.reports).sorted(by: >), "\(query.text)")
    if search.past.isEmpty { try check(groups, query, matching) }
  }

  private func check(
    _ groups: Page<GroupSummary>, _ query: Query, _ matching: [ReportValues]
  ) throws {
    let byGroup = Dictionary(grouping: matching) { $0.group?.name ?? "" }
    #expect(Set(groups.map(\.id)) == Set(byGroup.keys), "\(query.text)")
    for group in groups {
      let reports = byGroup[group.id] ?? []
      #expect(group.reports == reports.count, "\(query.text)")
      #expect(group.firstSeen == reports.map(\.time).min(), "\(query.text)")
      #expect(group.lastSeen == reports.map(\.time).max(), "\(query.text)")
      let installs = Set(reports.map(\.install)).subtracting([""])
      #expect(group.installs ?? 0 == installs.count, "\(query.text)")
      let versions = Dictionary(grouping: reports, by: \.release).mapValues(\.count)
      #expect(
        Dictionary(uniqueKeysWithValues: group.versions.map { ($0.version, $0.reports) })
          == versions, "\(query.text)")
    }
  }

  @Test(
    "Counts by a field are those of the reports",
    arguments: [
      "app", "group", "state", "kind", "os", "os.version", "device", "user", "signal", "type",
      "function", "file", "image", "tag.category", "signature", "symbols", "category",
    ])
  func counts(name: String) throws {
    let search = try SearchFixture(seed: 77)
    try search.file(80)
    let values = try search.values()
    let field = try #require(QueryField(named: name))
    let source = field.sources[0]
    for query in Self.queries(12, seed: 5) {
      let matching = values.filter(query.matches)
      var reports: [String: Int] = [:]
      var groups: [String: Set<String>] = [:]
      for report in matching {
        let texts = report.texts(source, tag: field.tag)
        for text in texts.isEmpty ? [""] : texts {
          reports[text, default: 0] += 1
          groups[text, default: []].insert(report.group?.name ?? "")
        }
      }
      let counted = try search.store.search.counts(of: query, by: field)
      #expect(
        Dictionary(uniqueKeysWithValues: counted.counts.map { ($0.value, $0.count) }) == reports)
      #expect(counted.counts.map(\.count) == counted.counts.map(\.count).sorted(by: >))
      let ofGroups = try search.store.search.counts(of: query, by: field, counting: .groups)
      #expect(
        Dictionary(uniqueKeysWithValues: ofGroups.counts.map { ($0.value, $0.count) })
          == groups.mapValues(\.count))
      let first = try search.store.search.counts(of: query, by: field, limit: 2)
      #expect(first.counts == Array(counted.counts.prefix(2)))
      #expect(first.omitted == max(0, counted.counts.count - 2))
    }
  }

  @Test(
    "Numbers and times cannot be counted by", arguments: ["reports", "time", "install", "text"])
  func uncountable(name: String) throws {
    let search = try SearchFixture(seed: 1)
    let field = try #require(QueryField(named: name))
    #expect(throws: StoreError.uncountable(field: name)) {
      try search.store.search.counts(of: .all, by: field)
    }
  }

  @Test("Page by page everything appears once, in the same order", arguments: [1, 3, 7])
  func pages(size: Int) throws {
    let search = try SearchFixture(seed: 9)
    try search.file(60)
    for text in ["", "app:Tern", "group:TERN-1", "os:iOS", "-version:1.0 kind:crash", "is:open"] {
      let query = try Query(text, now: Self.now)
      for order in ReportQuery.Order.allCases {
        for isReversed in [false, true] {
          var list = ReportQuery(query)
          (list.order, list.isReversed) = (order, isReversed)
          let all = try search.store.reports.list(list)
          list.limit = size
          var walked: [String] = []
          var page: Page<ReportSummary>
          repeat {
            page = try search.store.reports.list(list)
            #expect(page.total == all.count && page.count <= size)
            walked += page.map(\.id)
            list.after = page.next
          } while list.after != nil && walked.count <= all.count
          #expect(walked == all.map(\.id), "\(text) \(order) \(isReversed)")
          // And back again.
          var back = page.map(\.id)
          while let previous = page.previous, back.count <= all.count {
            list.before = previous
            page = try search.store.reports.list(list)
            #expect(page.next != nil && page.total == all.count)
            back = page.map(\.id) + back
          }
          #expect(back == walked, "\(text) \(order) \(isReversed)")
        }
      }
      for order in GroupQuery.Order.allCases {
        for isReversed in [false, true] {
          var list = GroupQuery(query)
          (list.order, list.isReversed) = (order, isReversed)
          let all = try search.store.groups.list(list)
          list.limit = size
          var walked: [String] = []
          repeat {
            let page = try search.store.groups.list(list)
            walked += page.map(\.id)
            list.after = page.next
          } while list.after != nil && walked.count <= all.count
          #expect(walked == all.map(\.id), "\(text) \(order) \(isReversed)")
          if isReversed {
            list = GroupQuery(query)
            list.order = order
            #expect(try search.store.groups.list(list).map(\.id) == walked.reversed())
          }
        }
      }
    }
  }

  @Test("A cursor is valid only for its own list")
  func foreignCursor() throws {
    let search = try SearchFixture(seed: 9)
    try search.file(20)
    var list = GroupQuery()
    list.limit = 1
    list.after = try search.store.groups.list(list).next
    #expect(list.after != nil)
    list.order = .lastSeen
    #expect(throws: StoreError.self) { try search.store.groups.list(list) }
    for text in ["", "groups-reports.1.2", "groups-reports.1.2.x", "groups-reports.1.2.3.4"] {
      list = GroupQuery()
      list.after = text
      #expect(throws: StoreError.wrongCursor(text)) { try search.store.groups.list(list) }
    }
  }

  @Test("Settled columns give the same results as the rows")
  func settled() throws {
    let search = try SearchFixture(seed: 4)
    try search.file(120)
    // The same reports again and again, until there are chunks to settle.
    try search.store.write(.global) { database in
      try database.execute(
        """
        CREATE TEMP TABLE copies AS WITH RECURSIVE numbers (n) AS (
          SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 150) SELECT n FROM numbers;
        INSERT INTO search_facts SELECT report + 120 * n, \(SearchField.columns.map(\.sqlName)
          .joined(separator: ", ")) FROM search_facts, copies WHERE report <= 120;
        INSERT INTO search_messages SELECT report + 120 * n, text FROM search_messages, copies
          WHERE report <= 120;
        DROP TABLE copies;
        """)
    }
    let queries = try Self.queries(60, seed: 12).map { query in
      (query, try rows(query, search.store))
    }
    _ = try search.store.write(.global) { database in
      try database.execute("INSERT INTO search_stale (chunk) VALUES (0), (1)")
    }
    let isSettled = try search.store.read { database in
      try database.integer("SELECT count(*) FROM search_columns")
    }
    #expect(isSettled == 2 * SearchField.columns.count)
    for (query, expected) in queries {
      #expect(try rows(query, search.store) == expected, "\(query.text)")
    }
    // A change makes a chunk stale until it is settled again.
    let before = try search.store.read { try SearchChunk.stale(in: $0) }
    #expect(before.isEmpty)
  }

  /// The database rows of the reports that match.
  private func rows(_ query: Query, _ store: CrashStore) throws -> [Int] {
    try store.read { database in
      var rows: [Int] = []
      let scan = SearchScan(try SearchCompiler().compile(query, in: database))
      try scan.run([], in: database) { chunk, places in rows += places.map { chunk.row($0) } }
      return rows
    }
  }

  @Test("Reports that only counters know are counted, too, once they are in the index")
  func past() throws {
    let search = try SearchFixture(seed: 31)
    try search.file(60)
    try search.remove(12)
    let query = try Query("version:1.0|2.0", now: Self.now)
    let field = try #require(QueryField(named: "os.version"))
    let before = try search.store.search.counts(of: query, by: field)
    let days = try search.store.search.trend(of: query)
    // As in a home restored from an archive.
    try search.store.write(.global) { database in
      for table in ["search_past", "search_facts", "search_columns"] {
        try database.execute("DELETE FROM \(table)")
      }
      try database.execute("INSERT INTO search_queue SELECT id FROM reports")
    }
    try search.store.fillSearch()
    #expect(try search.store.search.counts(of: query, by: field) == before)
    #expect(try search.store.search.trend(of: query) == days)
    try search.fixture.checkSearch()
    try search.store.write(.global) {
      try $0.execute("INSERT INTO search_queue SELECT id FROM reports")
    }
    try search.store.fillSearch()
    #expect(try search.store.search.counts(of: query, by: field) == before)
    try search.fixture.checkSearch()
  }

  @Test("Columns of any width are read as they were written")
  func columns() throws {
    for most in [0, 1, 0xff, 0x100, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, -5, Int.max] {
      var column = (0..<SearchChunk.size).map { most == 0 ? 0 : $0 % (abs(most) / 2 + 1) }
      column[17] = most
      #expect(decoded(SearchChunk.encode(column)) == column)
    }
    #expect(decoded([1, 2, 3]) == nil)
  }

  private func decoded(_ bytes: [UInt8]) -> [Int]? {
    var column: [Int] = []
    return bytes.withUnsafeBytes { SearchChunk.decode($0, into: &column) } ? column : nil
  }

  @Test("Sets of numbers join as sets do, also nearly full ones")
  func unions() {
    let sets = [
      CodeSet(), CodeSet([0, 63, 64]), CodeSet([200]), CodeSet(allBut: [1, 64, 200]),
      CodeSet(allBut: [64]), CodeSet(allBut: []),
    ]
    let codes = Array(0..<300) + [-1, 1 << 40]
    for one in sets {
      for other in sets {
        var union = one
        union.formUnion(other)
        for code in codes {
          #expect(union.contains(code) == (one.contains(code) || other.contains(code)))
        }
        let places = ChunkPositions(codes.indices)
        #expect(
          union.filter(places, by: codes, isNegated: false).map { codes[$0] }
            == codes.filter { union.contains($0) })
        #expect(
          union.filter(places, by: codes, isNegated: true).map { codes[$0] }
            == codes.filter { !union.contains($0) })
      }
    }
  }

  @Test("Numbers of terms are read as they were written")
  func members() {
    let ids = [1, 2, 300, 1 << 32, (53 << 32) + 7, Int.max]
    #expect(SearchSet.encode(ids).withUnsafeBytes(SearchSet.decode) == ids)
    #expect([UInt8]([0x80, 0x80]).withUnsafeBytes(SearchSet.decode) == [])
  }
}

extension Condition {
  /// Whether it has a condition on the group.
  fileprivate var asksOfGroup: Bool {
    alternatives.contains { $0.sources.contains { $0.isOfGroup || $0 == .group } }
  }
}
