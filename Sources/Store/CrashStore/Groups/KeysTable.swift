internal import Database
internal import Identifiers

/// The origins that keys lead to when reports have got other keys, inside a transaction.
///
/// A key that no report of its origin has any more has no effect: groups must not depend on the keys that
/// reports had meanwhile, or they would depend on which debug file came first.
struct KeysTable: Sendable {
  /// The database row of the app.
  let app: RowID<Tables.Apps>
  let now: Timestamp

  /// Returns the origin for reports with a key: the one that the key leads to; otherwise the one of reports
  /// that could be read so that they have the key, if these are in a single origin; otherwise the first one
  /// whose reports have one of its readings as their key, if no others could be read so.
  ///
  /// - Parameter readings: The keys by which the reports could be read, the nearest first, as they are noted,
  ///   too; `nil` for all that are noted.
  func owner(
    of key: String, readings: [String]? = nil, in database: borrowing Connection
  ) throws -> (origin: Origin, found: MatchReason)? {
    if let origin = try leading(key, in: database) { return (origin, .key) }
    let predecessors = try predecessors(of: key, in: database)
    let origins = predecessors.exact.isEmpty ? predecessors.weak : predecessors.exact
    if origins.count == 1, let origin = try Origin.find(origins[0], in: database) {
      return (origin, .reading)
    }
    let held = try self.readings(of: key, in: database)
    for reading in readings?.filter(held.contains) ?? held where reading != key {
      guard let origin = try leading(reading, in: database) else { continue }
      let others = try self.predecessors(of: reading, besides: key, in: database)
      guard others.exact.isEmpty, others.weak.isEmpty else { continue }
      return (origin, .alternative(key: reading))
    }
    return nil
  }

  /// Returns the origin to which the key of existing reports leads.
  func leading(_ key: String, in database: borrowing Connection) throws -> Origin? {
    let rows = try database.prepare(Self.origin, [app, key])
    return try rows.step() ? Origin(rows) : nil
  }

  private static let origin = """
    SELECT \(Origin.columns) FROM group_keys AS main JOIN origins ON origins.id = main.origin
    WHERE main.app = ?1 AND main.key = ?2 AND \(isLive)
    """

  /// Returns the first origins, at most two each, of reports that have other keys and could be read so that
  /// they have `key`: exactly, or only with a weak reading, as ``KeyPartition`` defines them. Reports that were
  /// split off by hand count for the origin where they were.
  func predecessors(
    of key: String, besides other: String? = nil, in database: borrowing Connection
  ) throws -> (exact: [RowID<Tables.Origins>], weak: [RowID<Tables.Origins>]) {
    let rows = try database.prepare(Self.predecessors, [app, key, other ?? key])
    var exact: [RowID<Tables.Origins>] = []
    var weak: [RowID<Tables.Origins>] = []
    while exact.count < 2, try rows.step() {
      let origin = try Origin(rows).top(in: database).id
      if try rows.bool("weak") {
        if weak.count < 2, !weak.contains(origin) { weak.append(origin) }
      } else if !exact.contains(origin) {
        exact.append(origin)
      }
    }
    return (exact, weak)
  }

  private static let predecessors = """
    SELECT DISTINCT \(Origin.columns), weak FROM key_readings JOIN group_keys AS main
      ON main.app = key_readings.app AND main.key = key_readings.key
      JOIN origins ON origins.id = main.origin
    WHERE key_readings.app = ?1 AND reading = ?2 AND key_readings.key NOT IN (?2, ?3)
      AND \(holds) AND \(isLive)
    """

  /// Returns the weak ones of ``readings(of:in:)``.
  func weakReadings(of key: String, in database: borrowing Connection) throws -> Set<String> {
    let rows = try database.prepare(Self.weakReadings, [app, key])
    var readings: Set<String> = []
    while try rows.step() { try readings.insert(rows.text("reading")) }
    return readings
  }

  private static let weakReadings = """
    SELECT reading FROM key_readings WHERE app = ?1 AND key = ?2 AND \(isReading)
      AND weak = 1 AND \(holds)
    """

  /// Returns the keys by which reports with a key could be read, the nearest first.
  func readings(of key: String, in database: borrowing Connection) throws -> [String] {
    let rows = try database.prepare(Self.readings, [app, key])
    var readings: [String] = []
    while try rows.step() { try readings.append(rows.text("reading")) }
    return readings
  }

  private static let readings = """
    SELECT reading FROM key_readings
    WHERE app = ?1 AND key = ?2 AND \(isReading) AND \(holds)
    ORDER BY position, reading
    """

  /// Condition for a row of `key_readings` that is a reading, except weak ones that a build refutes: where
  /// both keys come from one build, its compiler did not inline the one function into the other.
  static let holds = """
    (weak = 0 OR weak = 1 AND NOT EXISTS (
      SELECT 1 FROM key_readings AS one JOIN key_readings AS other
        ON other.app = one.app AND other.key = key_readings.reading AND other.reading = one.reading
      WHERE one.app = key_readings.app AND one.key = key_readings.key AND one.reading >= '~'))
    """

  /// The value of `weak` in the rows of `key_readings` that name a build with the key instead of a reading.
  static let ofBuild = 2

  /// Condition for rows of `key_readings` that do not name a build: names of builds sort after all keys.
  static let isReading = "reading < '~'"

  /// Returns the name of a build that is used in place of a reading.
  static func name(of build: CountedReport) -> String { "~\(build.version) (\(build.build))" }

  /// Condition for `main` where reports have the key, or had it until they expired.
  static let isLive = "main.is_main = 1 AND main.is_left = 0"

  /// Makes the key of reports, and the keys by which they could be read, lead to an origin.
  func give(
    _ keyClass: KeyClass, to origin: Origin, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO group_keys (app, key, grp, origin, rules, is_main, created)
      SELECT ?1, key, ?3, ?4, rules, 1, ?5 FROM reports WHERE id = ?2
      ON CONFLICT (app, key) DO UPDATE SET grp = ?3, origin = ?4, is_main = 1, is_left = 0
      """, app, keyClass.oldest, origin.group, origin.id, now.microseconds)
    // A key that is only a reading of deleted reports goes to the reports that exist.
    try database.run(
      """
      INSERT INTO group_keys (app, key, grp, origin, rules, is_main, created)
      SELECT ?1, reading, ?3, ?4, (SELECT rules FROM reports WHERE id = ?2), 0, ?5
      FROM key_readings WHERE app = ?1 AND key = ?6 AND \(Self.isReading)
      ON CONFLICT (app, key) DO UPDATE SET grp = ?3, origin = ?4
      WHERE group_keys.is_main = 0 AND NOT EXISTS (
        SELECT 1 FROM key_readings AS other JOIN group_keys AS main
          ON main.app = other.app AND main.key = other.key
        WHERE other.app = ?1 AND other.reading = group_keys.key
          AND main.origin = group_keys.origin AND main.is_main = 1 AND main.is_left = 0)
      """, app, keyClass.oldest, origin.group, origin.id, now.microseconds, keyClass.key)
  }
}
