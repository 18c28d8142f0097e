internal import Database

/// Reports in the index that were only counted.
extension SearchIndex {
  /// Adds a report that was only counted, without text that a person may have written or that
  /// identifies one.
  ///
  /// - Parameter row: The row that counts it.
  func addCounted(
    _ entry: SearchEntry, at origin: Origin, row: RowID<Tables.CountedReports>,
    in database: borrowing Connection
  ) throws {
    let values = try countedNumbers(of: entry, in: database)
    let columns = SearchField.columns
    let insertion = try database.prepare(
      Self.countedInsertion,
      [origin.id.rawValue, row.rawValue]
        + columns.map { $0 == .group ? origin.group.rawValue : values[$0] ?? 0 })
    while try insertion.step() {}
    try database.run(
      "INSERT INTO search_stale (chunk) VALUES (?1) ON CONFLICT DO NOTHING",
      (database.lastRow >> SearchChunk.bits) + SearchChunk.firstPast)
  }

  private static let countedInsertion =
    "INSERT INTO search_past (origin, counted, "
    + SearchField.columns.map(\.sqlName).joined(separator: ", ") + ") VALUES (?1, ?2, "
    + SearchField.columns.indices.map { "?\($0 + 3)" }.joined(separator: ", ") + ")"

  /// Makes another row count what one row counted.
  static func count(
    under new: RowID<Tables.CountedReports>, insteadOf old: RowID<Tables.CountedReports>,
    in database: borrowing Connection
  ) throws {
    try database.run(
      "UPDATE search_past SET counted = ?2 WHERE counted = ?1 AND counted > 0", old, new)
  }

  /// Updates counted-only reports of a key that are about to move.
  static func moveCounted(
    of key: String, from source: Origin, to target: Origin, in database: borrowing Connection
  ) throws {
    let counted = "counted > 0 AND counted IN (\(countedRows("origin = ?1 AND key = ?2")))"
    try markStale(where: counted, [source.id, key], in: database)
    try database.run(
      "UPDATE search_past SET origin = ?3, grp = ?4 WHERE \(counted)", source.id, key, target.id,
      target.group)
  }

  /// Gives reports that were only counted the present state of one that is stored.
  ///
  /// - Parameter condition: A condition on the rows that count them.
  static func follow(
    _ report: RowID<Tables.Reports>, where condition: String, _ values: [any SQLBindable],
    in database: borrowing Connection
  ) throws {
    let counted = "counted > 0 AND counted IN (\(countedRows(condition)))"
    try markStale(where: counted, values, in: database)
    let columns = ["signature", "stack", "symbols", "provisional", "category"]
      .joined(separator: ", ")
    let change = try database.prepare(
      """
      UPDATE search_past SET (\(columns)) =
        (SELECT \(columns) FROM search_facts WHERE report = ?\(values.count + 1))
      WHERE \(counted)
        AND EXISTS (SELECT 1 FROM search_facts WHERE report = ?\(values.count + 1))
      """, values + [report])
    while try change.step() {}
  }

  private static func countedRows(_ condition: String) -> String {
    "SELECT id FROM counted_reports WHERE \(condition)"
  }

  private static func markStale(
    where condition: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws {
    let stale = try database.prepare(
      """
      INSERT INTO search_stale (chunk)
      SELECT DISTINCT (id >> \(SearchChunk.bits)) + \(SearchChunk.firstPast) FROM search_past
      WHERE \(condition) ON CONFLICT DO NOTHING
      """, values)
    while try stale.step() {}
  }
}
