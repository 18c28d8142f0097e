internal import Database

/// Pairs of keys that a user declared distinct, as stored in `distinct_keys`, inside a transaction. A pair of
/// two apps is stored under both.
enum DistinctKeys {
  /// Maximum number of pairs that a decision about two groups creates.
  static let pairLimit = 100_000

  /// Returns the keys that a user declared distinct from one of a group's.
  ///
  /// - Complexity: O(pairs of the app).
  static func partners(
    ofGroup group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> Set<String> {
    let app: RowID<Tables.Apps> = try database.requiredID(
      "SELECT app FROM groups WHERE id = ?1", group)
    let rows = try database.prepare("SELECT key, other FROM distinct_keys WHERE app = ?1", [app])
    var pairs: [(String, String)] = []
    while try rows.step() { try pairs.append((rows.text("key"), rows.text("other"))) }
    guard !pairs.isEmpty else { return [] }
    let keys = try keys(ofGroup: group, in: database)
    var partners: Set<String> = []
    for (key, other) in pairs {
      if keys.contains(key) { partners.insert(other) }
      if keys.contains(other) { partners.insert(key) }
    }
    return partners
  }

  /// Returns the keys of a group's reports, and that of its title, which a split may have left elsewhere.
  static func keys(
    ofGroup group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> Set<String> {
    let rows = try database.prepare(
      """
      SELECT key FROM group_keys WHERE grp = ?1 AND is_main = 1
      UNION SELECT main_key FROM groups WHERE id = ?1
      """, [group])
    var keys: Set<String> = []
    while try rows.step() { try keys.insert(rows.text("key")) }
    return keys
  }

  static func add(
    _ key: String, _ other: String, of apps: Set<RowID<Tables.Apps>>,
    in database: borrowing Connection
  ) throws {
    for app in apps.sorted() {
      try database.insert(
        into: "distinct_keys", ["app": app, "key": min(key, other), "other": max(key, other)],
        onConflict: "ON CONFLICT DO NOTHING")
      for (one, another) in [(key, other), (other, key)] {
        try database.run(
          "DELETE FROM key_links WHERE app = ?1 AND key = ?2 AND other = ?3", app, one, another)
      }
    }
  }

  static func remove(
    _ key: String, _ other: String, of apps: Set<RowID<Tables.Apps>>,
    in database: borrowing Connection
  ) throws {
    for app in apps.sorted() {
      try database.run(
        "DELETE FROM distinct_keys WHERE app = ?1 AND key = ?2 AND other = ?3", app,
        min(key, other), max(key, other))
    }
  }
}
