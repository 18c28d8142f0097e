import Bytes
import Database
import Files
import Identifiers
import Query
import Segments
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// The segments of the search index, compared with the rows that they were made from.
@Suite struct SegmentSearchTests {
  private static let now = Timestamp(seconds: StoreFixture.start.seconds, nanoseconds: 700)

  private static func queries(_ count: Int, seed: UInt64) -> [Query] {
    var maker = SearchFixture.maker(seed: seed)
    var queries: [Query] = [.all]
    while queries.count < count {
      if let query = try? Query(maker.query(), now: now) { queries.append(query) }
    }
    return queries
  }

  private struct Undone: Error {}

  /// What a query finds.
  private struct Answer: Equatable {
    var reports: [Int] = []
    var groups: [Int: [Int]] = [:]
    var days: [Int: Int] = [:]
    var window: [Int: [Int]] = [:]
    var details: [Int: [String]] = [:]
    var byDay: [Int: [Int: Int]] = [:]
  }

  private func answer(
    _ query: Query, in database: borrowing Connection
  ) throws -> Answer {
    var answer = Answer()
    let conditions = try SearchCompiler().compile(query, in: database)
    try SearchScan(conditions).run([], in: database) { chunk, positions in
      answer.reports += positions.map { chunk.row($0) }
    }
    answer.reports.sort()
    for order in [GroupQuery.Order.versions, .installs, .reports] {
      var list = GroupQuery(query)
      list.order = order
      let scan = try GroupScan(
        list, keepsTimes: order == .reports, days: GroupScan.Days(limitsTimes: true), in: database)
      for (group, counts) in scan.groups {
        answer.groups[group, default: []] += [
          counts.reports, counts.firstSeen, counts.lastSeen, counts.versions, counts.installs,
        ]
      }
      answer.days = scan.days.counts
      guard order == .reports else { continue }
      let window = TrendWindow(days: 100, newest: Self.now, now: Self.now)
      answer.window = try scan.counts(in: window, database).mapValues { [$0.now, $0.before] }
      let rows = scan.groups.keys.sorted().prefix(3)
      let (details, byDay) = try scan.details(
        of: Array(rows), days: Self.now.day - 150..<Self.now.day + 150, in: database)
      answer.byDay = byDay
      for row in rows {
        let (versions, installs) = try details.result(of: row, in: database)
        answer.details[row] = versions.map { "\($0)" } + ["\(installs ?? -1)"]
      }
    }
    return answer
  }

  /// Compares answers of the segments with those of the rows.
  private func check(
    _ queries: [Query], _ store: CrashStore, segments: Int, _ when: String
  ) throws {
    let answers = try store.read { database in
      #expect(try SearchSegments.rows(in: database).count == segments, "\(when)")
      return try queries.map { try answer($0, in: database) }
    }
    var expected: [Answer] = []
    do {
      try store.write(.global) { database in
        try database.execute(
          """
          DELETE FROM search_segments;
          INSERT INTO search_stale SELECT DISTINCT report >> \(SearchChunk.bits) FROM search_facts
            WHERE true ON CONFLICT DO NOTHING
          """)
        expected = try queries.map { try answer($0, in: database) }
        throw Undone()
      }
    } catch is Undone {}
    for (query, (answer, expected)) in zip(queries, zip(answers, expected)) {
      #expect(answer == expected, "\(when): \(query.text)")
    }
  }

  private func files(_ store: CrashStore) throws -> [String] {
    try store.read { try SearchSegments.rows(in: $0).map(\.path) }
  }

  @Test("Segments give the answers of the rows, also after changes and when they are made anew")
  func agreement() throws {
    let search = try SearchFixture.large(seed: 4, segments: 2)
    let store = search.store
    let queries = Self.queries(TestSize.of(small: 3, all: 20), seed: 12)
    try check(queries, store, segments: 2, "new")
    #expect(
      try store.read { try $0.requiredInteger("SELECT count(*) FROM search_columns") }
        < 8 * SearchField.columns.count)

    // Reports of some chunks move, others are removed.
    let first = try files(store)
    try store.write(.global) { database in
      try database.execute(
        """
        UPDATE search_facts SET grp = (SELECT max(id) FROM groups) WHERE report BETWEEN 9000 AND 9500;
        DELETE FROM search_facts WHERE report BETWEEN 140000 AND 140700;
        INSERT INTO search_stale (chunk) VALUES (9000 >> 13), (140000 >> 13) ON CONFLICT DO NOTHING
        """)
    }
    #expect(try store.read { try SearchChunk.stale(in: $0) }.allSatisfy { $0 >= 32 })
    #expect(try store.read { try $0.integer("SELECT count(*) FROM search_changed") } == 2)
    try check(Self.queries(TestSize.of(small: 2, all: 6), seed: 7), store, segments: 2, "changed")
    #expect(try files(store) == first)

    // More than an eighth of the first segment.
    try store.write(.global) { database in
      try database.execute(
        """
        UPDATE search_facts SET version = 0, release = 0 WHERE report BETWEEN 20000 AND 40000;
        INSERT INTO search_stale (chunk) VALUES (2), (3), (4)
        """)
    }
    try store.settleSearch()
    try check(Self.queries(TestSize.of(small: 2, all: 6), seed: 7), store, segments: 2, "renewed")
    let second = try files(store)
    #expect(first[0] != second[0] && first[1] == second[1])

    // What was removed is gone from the files.
    try store.write(.global) { try SegmentSettling.renew(isForced: true, in: $0) }
    try store.write(.global) { try SegmentSettling.removeOthers(in: $0) }
    let third = try files(store)
    #expect(third[1] != second[1])
    #expect(
      FolderNames.of(Folder.parent(of: third[0])).filter { !$0.hasPrefix(".") }.sorted()
        == third.map { String($0.split(separator: "/").last ?? "") }.sorted())
    let left = try Segment(opening: ByteView(mapping: third[1])).rows(
      matching: [SegmentCondition([.range(.report, 140_000...140_700)])])
    #expect(left.isEmpty)
    try check(Self.queries(TestSize.of(small: 2, all: 6), seed: 6), store, segments: 2, "forced")
  }

  @Test("Without a segment's file, or with a damaged one, answers are the same; it is made anew")
  func damage() throws {
    let search = try SearchFixture.large(seed: 5, segments: 2)
    let store = search.store
    let queries = Self.queries(TestSize.of(small: 2, all: 6), seed: 3)
    let (missing, damaged) = try (files(store)[0], files(store)[1])
    var bytes = try ByteView(mapping: damaged).withUnsafeBytes { [UInt8]($0) }
    for index in bytes.indices where index > 4_000 { bytes[index] ^= 0x5a }
    for path in [missing, damaged] { SegmentFiles.shared.remove(path) }
    try NewFile.write(ByteView(bytes), to: damaged)
    try check(queries, store, segments: 2, "damaged")
    // The damaged one was found out.
    #expect(SegmentFiles.shared.segment(at: damaged) == nil)
    try store.settleSearch()
    let renewed = try files(store)
    #expect(renewed.count == 2 && !renewed.contains(missing) && !renewed.contains(damaged))
    try check(queries, store, segments: 2, "made anew")

    // One before others leaves a gap.
    SegmentFiles.shared.remove(renewed[0])
    try store.settleSearch()
    #expect(try files(store).count == 2 && files(store).last == renewed[1])
    try check(queries, store, segments: 2, "gap filled")

    // Without the folder, and with a file in its place, the store goes on.
    let folder = Folder.parent(of: renewed[0])
    for path in try files(store) { SegmentFiles.shared.remove(path) }
    Folder.remove(folder)
    try NewFile.write(ByteView([]), to: folder)
    try store.settleSearch()
    try check(queries, store, segments: 0, "without a folder")
    try search.file(1)
    try Folder.rename(folder, to: folder + ".old")
    try store.settleSearch()
    try check(queries, store, segments: 2, "with a folder again")
  }

  @Test("Eight small segments become a large one")
  func merging() throws {
    let search = try SearchFixture.large(seed: 6, segments: 1)
    let store = search.store
    try store.write(.global) { database in
      let columns = SearchField.columns.map(\.sqlName).joined(separator: ", ")
      // Fifteen chunks between the reports of a segment have none.
      for part in 1...4 {
        try database.execute(
          """
          INSERT INTO search_facts SELECT report + \(part * 300_000), \(columns)
            FROM search_facts WHERE report BETWEEN 1000 AND 25000
          """)
      }
      try database.execute(
        """
        INSERT INTO search_stale SELECT DISTINCT report >> \(SearchChunk.bits) FROM search_facts
          WHERE true ON CONFLICT DO NOTHING
        """)
    }
    try store.settleSearch()
    let chunks = try store.read { try SearchSegments.rows(in: $0).map(\.chunks) }
    #expect(chunks == [0...127, 128...143])
    try check(Self.queries(TestSize.of(small: 2, all: 6), seed: 8), store, segments: 2, "merged")
  }
}
