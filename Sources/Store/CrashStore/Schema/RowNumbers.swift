internal import Database

/// The tables whose rows never get the number of a deleted one, which SQLite would give again.
///
/// Such numbers are remembered elsewhere: a decision about a group knows the last report before it, alerts the
/// last line of the histories and of the news that they saw, a process the apps that named an image, and former
/// rules the origins of groups.
enum RowNumbers: String, CaseIterable {
  case apps, submissions, reports, origins
  case history = "group_history"
  case news = "distribution_news"

  private var column: String { self == .news ? "number" : "id" }

  /// Remembers the greatest number, before rows are deleted.
  func keep(in database: borrowing Connection) throws {
    let greatest = try greatest(in: database)
    guard greatest > 0 else { return }
    try database.run(
      """
      INSERT INTO last_numbers (name, last) VALUES (?1, ?2)
      ON CONFLICT (name) DO UPDATE SET last = excluded.last
        WHERE last_numbers.last < excluded.last
      """, rawValue, greatest)
  }

  /// Returns the number of the next row; `nil` where the database chooses one that was never used.
  func next(in database: borrowing Connection) throws -> Int? {
    let last = try database.integer("SELECT last FROM last_numbers WHERE name = ?1", rawValue)
    guard let last else { return nil }
    guard try greatest(in: database) < last else { return nil }
    let (next, isTooLarge) = last.addingReportingOverflow(1)
    guard !isTooLarge else {
      throw StoreError.damaged("the last number of \(rawValue) is \(last)")
    }
    return next
  }

  /// Returns the greatest number that a row ever had; 0 without any.
  func last(in database: borrowing Connection) throws -> Int {
    let kept = try database.integer("SELECT last FROM last_numbers WHERE name = ?1", rawValue)
    return max(kept ?? 0, try greatest(in: database))
  }

  private func greatest(in database: borrowing Connection) throws -> Int {
    try database.requiredInteger("SELECT coalesce(max(\(column)), 0) FROM \(rawValue)")
  }
}
