internal import SQLite

/// Where keys lead, when reports have got others, inside a transaction.
///
/// A key that no report of its place has any more holds nothing: who is with whom must not depend on
/// which keys reports had on the way, or it would depend on which debug file came first.
struct KeyBook: Sendable {
  /// The database row of the app.
  let app: Int
  let now: Int

  /// The place that the key leads to, or as whose reports those with this key could be read.
  func owner(of key: String, in database: borrowing Connection) throws -> Origin? {
    for sql in [
      "SELECT origin FROM group_keys WHERE app = ?1 AND key = ?2 AND is_main = 1 AND is_left = 0",
      """
      SELECT main.origin FROM key_readings JOIN group_keys AS main
        ON main.app = key_readings.app AND main.key = key_readings.key
      WHERE key_readings.app = ?1 AND key_readings.reading = ?2 AND main.is_main = 1
        AND main.is_left = 0 ORDER BY main.origin LIMIT 1
      """,
      """
      SELECT main.origin FROM key_readings JOIN group_keys AS main
        ON main.app = key_readings.app AND main.key = key_readings.reading
      WHERE key_readings.app = ?1 AND key_readings.key = ?2 AND main.is_main = 1
        AND main.is_left = 0 ORDER BY key_readings.position, main.origin LIMIT 1
      """,
    ] {
      if let owner = try database.integer(sql, app, key) {
        return try Origin.find(owner, in: database)
      }
    }
    return nil
  }

  /// Lets the key of reports, and the keys by which they could be read, lead to a place.
  func give(
    _ keyClass: KeyClass, to origin: Origin, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO group_keys (app, key, grp, origin, rules, is_main, created)
      SELECT ?1, key, ?3, ?4, rules, 1, ?5 FROM reports WHERE id = ?2
      ON CONFLICT (app, key) DO UPDATE SET grp = ?3, origin = ?4, is_main = 1, is_left = 0
      """, app, keyClass.oldest, origin.group, origin.id, now)
    // A key by which reports could be read that have gone is that of those that are there.
    try database.run(
      """
      INSERT INTO group_keys (app, key, grp, origin, rules, is_main, created)
      SELECT ?1, reading, ?3, ?4, (SELECT rules FROM reports WHERE id = ?2), 0, ?5
      FROM key_readings WHERE app = ?1 AND key = ?6
      ON CONFLICT (app, key) DO UPDATE SET grp = ?3, origin = ?4 WHERE is_main = 0 AND NOT EXISTS (
        SELECT 1 FROM key_readings AS other JOIN group_keys AS main
          ON main.app = other.app AND main.key = other.key
        WHERE other.app = ?1 AND other.reading = group_keys.key
          AND main.origin = group_keys.origin AND main.is_main = 1 AND main.is_left = 0)
      """, app, keyClass.oldest, origin.group, origin.id, now, keyClass.key)
  }

  /// Takes keys from a place that only keys held together which all reports have left.
  ///
  /// Two functions into which the compiler built a third meet in a group as long as a report names
  /// only the third. When its debug file comes too, nothing holds them together any more.
  ///
  /// - Parameter classes: Those of the place.
  /// - Returns: Whether any was taken.
  func loosen(
    _ classes: [KeyClass], of origin: Origin, in database: borrowing Connection
  ) throws -> Bool {
    let hasLeft = try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM group_keys WHERE grp = ?1 AND origin = ?2 AND is_main = 1
        AND is_left = 1)
      """, origin.group, origin.id)
    // A provisional key is held by what its group remembers of it.
    let own = classes.filter { $0.isOwn && !$0.isProvisional }
    guard hasLeft == 1, own.count > 1 else { return false }
    let parts = try connectedKeys(of: origin, in: database)
    func part(_ keyClass: KeyClass) -> Int { parts[keyClass.key] ?? -1 }
    let bundles = Dictionary(grouping: own, by: part).values.map { bundle in
      (bundle, bundle.reduce(0) { $0 + $1.count }, bundle.map(\.oldest).min() ?? 0)
    }
    let most = bundles.max { ($0.1, $1.2) < ($1.1, $0.2) }
    guard bundles.count > 1, let kept = most?.0.first.map(part) else { return false }
    for keyClass in own where part(keyClass) != kept {
      try database.run("DELETE FROM group_keys WHERE app = ?1 AND key = ?2", app, keyClass.key)
    }
    return true
  }

  /// The main keys of a place that reports have, or had until they expired, each with the number of
  /// the bundle that readings tie it to.
  private func connectedKeys(
    of origin: Origin, in database: borrowing Connection
  ) throws -> [String: Int] {
    var parts: [String: Int] = [:]
    do {
      let rows = try database.prepare(
        """
        SELECT key FROM group_keys WHERE grp = ?1 AND origin = ?2 AND is_main = 1 AND is_left = 0
        ORDER BY key
        """, [origin.group, origin.id])
      while try rows.step() { parts[rows.text(0)] = parts.count }
    }
    let rows = try database.prepare(
      """
      SELECT one.key, other.key FROM group_keys AS one
        JOIN key_readings ON key_readings.app = one.app AND key_readings.key = one.key
        JOIN group_keys AS other ON other.app = one.app AND other.key = key_readings.reading
      WHERE one.grp = ?1 AND one.origin = ?2 AND other.origin = ?2 AND one.is_main = 1
        AND one.is_left = 0 AND other.is_main = 1 AND other.is_left = 0
      """, [origin.group, origin.id])
    while try rows.step() {
      guard let one = parts[rows.text(0)], let other = parts[rows.text(1)], one != other else {
        continue
      }
      parts = parts.mapValues { $0 == max(one, other) ? min(one, other) : $0 }
    }
    return parts
  }
}
