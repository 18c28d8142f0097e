import Bytes
import Database
import Files
import Identifiers
import Query
import Segments
import Statistics
import TestSupport
import Testing

@testable import CrashStore

/// Cases found in segments and chunks, compared with those that a look at each row finds.
@Suite struct CaseScanTests {
  private static let fields: [SearchField] = [.group, .release, .install, .time, .version, .build]

  /// A report of the index as its tables have it.
  private struct Row {
    var isPast: Bool
    var id: Int
    /// Of ``CaseScanTests/fields``.
    var values: [Int]

    var number: Int { isPast ? SearchChunk.firstPast << SearchChunk.bits + id : id }
    var day: Int { Int((Double(values[3]) / 86_400e6).rounded(.down)) }
    var key: [Int] { [values[0], values[1], values[2], day] }
  }

  private static func rows(in database: borrowing Connection) throws -> [Row] {
    let names = fields.map(\.sqlName).joined(separator: ", ")
    var found: [Row] = []
    for (table, id) in [("search_facts", "report"), ("search_past", "id")] {
      let rows = try database.prepare("SELECT \(id), \(names) FROM \(table) WHERE grp <> 0")
      while try rows.step() {
        found.append(
          Row(
            isPast: id == "id", id: rows.int(0), values: fields.indices.map { rows.int($0 + 1) }))
      }
    }
    return found
  }

  /// The numbers of the cases of some rows.
  private static func cases(_ rows: [Row]) -> Set<Int> {
    var last: [[Int]: Row] = [:]
    var cases: Set<Int> = []
    for row in rows {
      guard row.values[2] != 0 else {
        cases.insert(row.number)
        continue
      }
      if let known = last[row.key], (known.values[3], known.number) > (row.values[3], row.number) {
        continue
      }
      last[row.key] = row
    }
    return cases.union(last.values.map(\.number))
  }

  private func found(
    _ conditions: [CompiledCondition], in database: borrowing Connection
  ) throws -> [Int] {
    let scan = try CaseScan(conditions, reading: [.version, .build], in: database)
    var found = try scan.ofSegments { part, rows throws(ParseError) in
      try part.segment.values(of: .report, at: rows)
    }.flatMap(\.self)
    try scan.ofChunks([.group], in: database) { chunk, positions in
      found += positions.map { chunk.row($0) }
    }
    return found
  }

  /// Compares the cases for some queries, and the counts of an app by build.
  private func check(_ store: CrashStore, seed: UInt64, _ when: String) throws {
    var maker = SearchFixture.maker(seed: seed)
    try store.read { database in
      let rows = try Self.rows(in: database)
      for round in 0..<TestSize.of(small: 2, all: 12) {
        var query: Query? = round == 0 ? .all : nil
        while query == nil {
          query = try? Query(maker.query(), now: Timestamp(seconds: StoreFixture.start.seconds))
        }
        guard let query else { continue }
        let conditions = try SearchCompiler().compile(query, in: database)
        var matching: Set<Int> = []
        try SearchScan(conditions).run([], withPast: true, in: database) { chunk, positions in
          for position in positions { matching.insert(chunk.row(position)) }
        }
        let expected = Self.cases(rows.filter { matching.contains($0.number) })
        let found = try found(conditions, in: database)
        #expect(found.count == expected.count, "\(when): \(query.text)")
        #expect(Set(found) == expected, "\(when): \(query.text)")
      }
      try checkBuilds(rows, in: database, when)
    }
  }

  private func checkBuilds(
    _ rows: [Row], in database: borrowing Connection, _ when: String
  ) throws {
    let app = try AppsTable.known("Tern", in: database).row
    var groups: Set<Int> = []
    let ids = try database.prepare("SELECT id FROM groups WHERE app = ?1", [app])
    while try ids.step() { groups.insert(ids.int(0)) }
    let own = rows.filter { groups.contains($0.values[0]) }
    let cases = Self.cases(own)
    var counts: [Int: [UInt64: Int]] = [:]
    for row in own where cases.contains(row.number) {
      let release = NumberSet.pair(row.values[4], row.values[5])
      counts[row.values[0], default: [:]][release, default: 0] += 1
    }
    let found = try BuildCases(of: app, since: nil, in: database)
    try #require(found.builds.count > 5)
    for (group, builds) in zip(found.groups, found.counts) {
      let expected = found.codes.enumerated().compactMap { index, code in
        (counts[group.rawValue]?[code]).map { FirstBadTest.Count(build: index, cases: $0) }
      }
      #expect(builds == expected, "\(when): group \(group)")
    }
  }

  @Test(
    "Cases are those of a look at each row",
    arguments: [7_000_000, 0, 1000].prefix(TestSize.of(small: 1, all: 3)))
  func agreement(step: Int) throws {
    let search = try SearchFixture.large(
      seed: 31 + UInt64(step % 7), segments: 2, install: "install % 1000 * 1000 + report % 97",
      step: step)
    let store = search.store

    // Times before 1970, and at the end of a day.
    try store.write(.global) { database in
      try database.execute(
        """
        UPDATE search_facts SET time = 1700000000000000 - time WHERE report % 5 = 0;
        UPDATE search_facts SET time = time / 86400000000 * 86400000000 - report % 2
          WHERE report % 7 = 0;
        INSERT INTO search_stale SELECT DISTINCT report >> \(SearchChunk.bits) FROM search_facts
          WHERE true ON CONFLICT DO NOTHING
        """)
    }
    try store.settleSearch()
    try check(store, seed: 2, "before 1970")

    // Some were deleted, and others changed since.
    try search.remove(20)
    try store.triage.merge(["TERN-1"], into: "TERN-2", by: "ann")
    try store.write(.global) { database in
      try database.execute(
        """
        UPDATE search_facts SET grp = grp % 3 + 1 WHERE report BETWEEN 9000 AND 12000;
        DELETE FROM search_facts WHERE report BETWEEN 140000 AND 140700;
        INSERT INTO search_stale VALUES (1), (17) ON CONFLICT DO NOTHING
        """)
    }
    try check(store, seed: 3, "changed")
    try store.settleSearch()
    try check(store, seed: 4, "settled")
  }

  @Test("Regressions and correlations are the same with segments, with damaged ones and without")
  func answers() throws {
    let search = try SearchFixture.large(
      seed: 8, segments: 2, install: "install % 1000 * 1000 + report % 97", step: 7_000_000)
    let store = search.store
    try search.remove(20)
    func answers() throws -> (AppRegressions, [Correlations]) {
      var query = RegressionQuery()
      (query.confidence, query.limit) = (0, 1000)
      let fields = ["image", "device", "uptime", "release", "kind"].compactMap {
        QueryField(named: $0)
      }
      return try (
        store.releases.regressions(of: "Tern", query),
        ["TERN-1", "TERN-3"].flatMap { group in
          try [[], fields].map { fields in
            try store.search.correlations(ofGroup: group, among: .all, by: fields)
          }
        }
      )
    }
    let (regressions, correlations) = try answers()
    #expect(!regressions.groups.isEmpty && correlations.contains { !$0.items.isEmpty })
    let paths = try store.read { try SearchSegments.rows(in: $0).map(\.path) }
    try #require(paths.count == 2)

    var bytes = try ByteView(mapping: paths[1]).withUnsafeBytes { [UInt8]($0) }
    for index in bytes.indices where index > 4_000 { bytes[index] ^= 0x5a }
    SegmentFiles.shared.remove(paths[1])
    try NewFile.write(ByteView(bytes), to: paths[1])
    var other = try answers()
    #expect(other.0 == regressions)
    #expect(other.1 == correlations)

    try store.write(.global) { database in
      try database.execute(
        """
        DELETE FROM search_segments;
        INSERT INTO search_stale SELECT DISTINCT report >> \(SearchChunk.bits) FROM search_facts
          WHERE true ON CONFLICT DO NOTHING
        """)
    }
    other = try answers()
    #expect(other.0 == regressions)
    #expect(other.1 == correlations)
  }
}
