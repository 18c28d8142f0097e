internal import Files
internal import Database

/// The ages of the rows of a content database, inside a transaction.
///
/// A content is written before the row that names it. One that no row names may therefore still be needed,
/// unless it was written, or found to exist already, long ago. Rows are numbered in the order of their
/// arrival: a mark every few minutes records the last one.
enum ContentAges {
  static let schema = """
    CREATE TABLE marks (time INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
    CREATE TABLE reused (digest BLOB PRIMARY KEY, time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO marks (time, last) VALUES (0, 0);
    """
  /// Seconds between two marks.
  private static let distance = 300
  /// Seconds after which a single older mark suffices.
  private static let memory = 86_400

  /// The system's clock, in whole seconds since 1970.
  static var now: Int { WallClock.seconds }

  /// Notes that a content that already existed is about to be named.
  static func reuse(
    _ digest: [UInt8], at now: Int, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO reused (digest, time) VALUES (?1, ?2)
      ON CONFLICT DO UPDATE SET time = max(time, excluded.time)
      """, digest, now)
  }

  /// Marks the last row, unless the previous mark is recent.
  static func mark(_ now: Int, in database: borrowing Connection) throws {
    let last = try database.integer("SELECT max(time) FROM marks") ?? 0
    // A clock that was set back must not stop the marks.
    guard last > now || now - last >= distance else { return }
    try markNow(now, in: database)
  }

  static func markNow(_ now: Int, in database: borrowing Connection) throws {
    try database.run("DELETE FROM marks WHERE time > ?1", now)
    try database.run(
      """
      INSERT INTO marks (time, last) SELECT ?1, ifnull(max(rowid), 0) FROM contents
      WHERE true ON CONFLICT DO UPDATE SET last = excluded.last
      """, now)
    try database.run(
      "DELETE FROM marks WHERE time < (SELECT max(time) FROM marks WHERE time <= ?1)",
      now - memory)
  }

  /// Returns the last row that existed at `time`.
  static func lastRow(at time: Int, in database: borrowing Connection) throws -> Int {
    try database.integer("SELECT max(last) FROM marks WHERE time <= ?1", time) ?? 0
  }

  /// Keeps the marks correct after rows were deleted: numbers at the end are reused.
  static func clamp(in database: borrowing Connection) throws {
    try database.run(
      """
      UPDATE marks SET last = (SELECT ifnull(max(rowid), 0) FROM contents)
      WHERE last > (SELECT ifnull(max(rowid), 0) FROM contents)
      """)
  }
}
