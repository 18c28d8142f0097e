internal import Database

/// The reports of an origin that have one key.
struct KeyClass {
  let key: String
  let count: Int
  /// The row of the oldest report.
  let oldest: RowID<Tables.Reports>
  let isProvisional: Bool
  /// Whether the key leads to the origin.
  let isOwn: Bool

  /// Returns the key classes of an origin, in the order of their oldest reports.
  static func all(of origin: Origin, in database: borrowing Connection) throws -> [KeyClass] {
    let rows = try database.prepare(
      """
      SELECT reports.key, count(*) AS count, min(reports.id) AS oldest,
        max(reports.provisional) AS provisional, max(CASE WHEN group_keys.origin = ?1 THEN 1 ELSE 0 END) AS is_own
      FROM reports LEFT JOIN group_keys
        ON group_keys.app = reports.app AND group_keys.key = reports.key
      WHERE reports.grp = ?2 AND reports.origin = ?1
      GROUP BY reports.key ORDER BY min(reports.id)
      """, [origin.id, origin.group])
    var classes: [KeyClass] = []
    while try rows.step() { try classes.append(KeyClass(rows)) }
    return classes
  }

  /// Returns the key classes that rules moved on from an origin and whose keys lead nowhere.
  static func ownerless(
    ofRulesFrom origin: Origin, in database: borrowing Connection
  ) throws -> [KeyClass] {
    try rules(from: origin, "group_keys.key IS NULL", in: database)
  }

  /// Returns the keys that lead to an origin from which a rule moves their reports on.
  static func keys(
    ofRulesFrom origin: Origin, in database: borrowing Connection
  ) throws -> [String] {
    try rules(from: origin, "group_keys.origin = ?1", in: database).map(\.key)
  }

  private static func rules(
    from origin: Origin, _ condition: String, in database: borrowing Connection
  ) throws -> [KeyClass] {
    let rows = try database.prepare(
      """
      WITH RECURSIVE taken (id, grp) AS (
        SELECT id, grp FROM origins WHERE parent = ?1 AND rule IS NOT NULL
        UNION SELECT origins.id, origins.grp FROM origins JOIN taken ON origins.parent = taken.id
          WHERE rule IS NOT NULL)
      SELECT reports.key, count(*) AS count, min(reports.id) AS oldest,
        max(reports.provisional) AS provisional, max(CASE WHEN group_keys.origin = ?1 THEN 1 ELSE 0 END) AS is_own
      FROM taken JOIN reports ON reports.grp = taken.grp AND reports.origin = taken.id
        LEFT JOIN group_keys ON group_keys.app = reports.app AND group_keys.key = reports.key
      WHERE \(condition) GROUP BY reports.key ORDER BY min(reports.id)
      """, [origin.id])
    var classes: [KeyClass] = []
    while try rows.step() { try classes.append(KeyClass(rows)) }
    return classes
  }

  private init(_ row: borrowing Statement) throws(DatabaseError) {
    key = try row.text("key")
    count = try row.int("count")
    oldest = try row.id("oldest")
    isProvisional = try row.bool("provisional")
    isOwn = try row.bool("is_own")
  }

  /// Returns the class with the most reports; in a tie, that of the oldest report.
  static func most(of classes: [KeyClass]) -> KeyClass? {
    classes.max { ($0.count, $1.oldest) < ($1.count, $0.oldest) }
  }

  /// Returns the non-provisional class with the most reports, if there is one; otherwise the largest of all.
  static func best(of classes: [KeyClass]) -> KeyClass? {
    most(of: classes.filter { !$0.isProvisional }) ?? most(of: classes)
  }
}
