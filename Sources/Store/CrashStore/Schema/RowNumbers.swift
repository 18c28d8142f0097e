internal import Database

/// The tables whose rows never get the number of a deleted one, which SQLite would give again.
///
/// Such numbers are remembered elsewhere: a decision about a group knows the last report before it, alerts the
/// last line of the histories that they saw, and a process the apps that named an image.
enum RowNumbers: String, CaseIterable {
  case apps, submissions, reports
  case history = "group_history"

  /// Remembers the greatest number, before rows are deleted.
  func keep(in database: borrowing Connection) throws {
    try database.run(
      """
      INSERT INTO last_numbers (name, last)
      SELECT CAST(?1 AS TEXT), last FROM (SELECT max(id) AS last FROM \(rawValue)) AS newest
      WHERE last IS NOT NULL
      ON CONFLICT (name) DO UPDATE SET last = excluded.last
        WHERE last_numbers.last < excluded.last
      """, rawValue)
  }

  /// Returns the number of the next row; `nil` where the database chooses one that was never used.
  func next(in database: borrowing Connection) throws -> Int? {
    let last = try database.integer("SELECT last FROM last_numbers WHERE name = ?1", rawValue)
    guard let last else { return nil }
    let greatest = try database.requiredInteger("SELECT coalesce(max(id), 0) FROM \(rawValue)")
    guard greatest < last else { return nil }
    let (next, isTooLarge) = last.addingReportingOverflow(1)
    guard !isTooLarge else {
      throw StoreError.damaged("the last number of \(rawValue) is \(last)")
    }
    return next
  }
}
