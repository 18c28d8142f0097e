import Database

@testable import CrashStore

extension SearchFixture {
  private static let reports = 120

  /// A store with many copies of the same reports in the index, settled: some segments, and chunks without.
  ///
  /// - Parameters:
  ///   - install: The installation of a copy as SQL, such as `install`.
  ///   - step: How many microseconds after its report's row a copy is made.
  static func large(
    seed: UInt64, segments: Int, install: String = "install", step: Int = 1000
  ) throws -> SearchFixture {
    let search = try SearchFixture(seed: seed)
    let copies = (segments * SegmentSettling.chunks + 2) * SearchChunk.size / reports
    try search.file(reports)
    try search.store.write(.global) { database in
      let columns = SearchField.columns.map(\.sqlName).joined(separator: ", ")
      try database.execute(
        """
        CREATE TEMP TABLE copies AS WITH RECURSIVE numbers (n) AS (
          SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(copies)) SELECT n FROM numbers;
        INSERT INTO search_facts SELECT report + \(reports) * n, \(columns)
          FROM search_facts, copies WHERE report <= \(reports);
        UPDATE search_facts SET time = time + report * \(step), install = \(install)
          WHERE report > \(reports);
        INSERT INTO search_stale SELECT DISTINCT report >> \(SearchChunk.bits) FROM search_facts
          WHERE true ON CONFLICT DO NOTHING;
        DROP TABLE copies;
        """)
    }
    try search.store.settleSearch()
    return search
  }
}
