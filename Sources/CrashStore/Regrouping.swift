internal import CrashModel
internal import SQLite

/// Finds the groups of reports whose keys have changed, inside a transaction.
///
/// It begins when all reports that were to be done again have been, so that it sees the groups whole:
/// in which order and in what portions reports were done again does not matter. All groups go through
/// a phase before one goes on to the next:
///
/// 1. Keys that no report of their group has any more are known as such.
/// 2. A group none of whose reports has a key of its own any more takes over the key of most of them;
///    where another group has that key already, the two become one.
/// 3. Keys that nothing holds in the group any more leave it. Reports whose keys belong to other groups
///    move there, or into new groups. The title follows.
struct Regrouping: ~Copyable {
  /// The database row of the group.
  let group: Int
  private let app: Int
  private let book: GroupBook

  init(_ group: Int, in database: borrowing Connection) throws {
    self.group = group
    app = try database.integer("SELECT app FROM groups WHERE id = ?1", group) ?? 0
    book = GroupBook(app: app, author: "mayday")
  }

  /// Takes the group through one phase.
  ///
  /// - Returns: How many reports were looked at or moved.
  func run(phase: Int, in database: borrowing Connection) throws -> Int {
    let classes = try keyClasses(in: database)
    switch phase {
    case 0: try verifyKeys(classes, in: database)
    case 1: try claim(classes, in: database)
    default: try moveStrangers(classes, in: database)
    }
    return classes.reduce(0) { $0 + $1.count }
  }

  // MARK: What the reports of the group have

  /// Reports of the group that have one key.
  struct KeyClass {
    let key: String
    let count: Int
    /// The database row of the oldest.
    let oldest: Int
    let isProvisional: Bool
    /// Whether the key belongs to the group.
    let isOwn: Bool
  }

  /// The keys of the group's reports, those of the oldest reports first.
  private func keyClasses(in database: borrowing Connection) throws -> [KeyClass] {
    let rows = try database.prepare(
      """
      SELECT reports.key, count(*), min(reports.id), max(reports.provisional),
        ifnull(group_keys.grp = ?1, 0)
      FROM reports LEFT JOIN group_keys
        ON group_keys.app = reports.app AND group_keys.key = reports.key
      WHERE reports.grp = ?1 GROUP BY reports.key ORDER BY min(reports.id)
      """, [group])
    var classes: [KeyClass] = []
    while try rows.step() {
      classes.append(
        KeyClass(
          key: rows.text(0), count: rows.int(1), oldest: rows.int(2),
          isProvisional: rows.int(3) != 0, isOwn: rows.int(4) != 0))
    }
    return classes
  }

  // MARK: The phases

  /// Of the keys that some reports have left, others may have stayed with one.
  private func verifyKeys(
    _ classes: [KeyClass], in database: borrowing Connection
  ) throws {
    for keyClass in classes where keyClass.isOwn {
      try database.run(
        "UPDATE group_keys SET is_left = 0 WHERE app = ?1 AND key = ?2 AND is_left = 1", app,
        keyClass.key)
    }
    try finish(phase: 0, in: database)
  }

  private func claim(
    _ classes: [KeyClass], in database: borrowing Connection
  ) throws {
    guard !classes.contains(where: \.isOwn),
      let most = classes.max(by: { ($0.count, $1.oldest) < ($1.count, $0.oldest) })
    else { return try finish(phase: 1, in: database) }
    guard let owner = try owner(of: most.key, in: database), owner != group else {
      try give(most, to: group, in: database)
      return try finish(phase: 1, in: database)
    }
    let survivor = min(owner, group)
    let gone = max(owner, group)
    try GroupMerge(gone, into: survivor).run(book, in: database)
    try give(most, to: survivor, in: database)
    try database.run(
      "INSERT INTO regroup (grp, phase) VALUES (?1, 1) ON CONFLICT DO NOTHING", survivor)
  }

  private func moveStrangers(
    _ classes: [KeyClass], in database: borrowing Connection
  ) throws {
    let isLoosened = try loosenKeys(classes, in: database)
    for stranger in isLoosened ? try keyClasses(in: database) : classes where !stranger.isOwn {
      let target =
        try owner(of: stranger.key, in: database) ?? open(for: stranger, in: database)
      try give(stranger, to: target, in: database)
      if target != group {
        try GroupMove(key: stranger.key, from: group, to: target).run(book, in: database)
      }
    }
    try retitle(in: database)
    try book.refresh(group, in: database)
    try ReplacementRecord.tell(group, in: database)
    try database.run("DELETE FROM regroup WHERE grp = ?1", group)
  }

  private func finish(phase: Int, in database: borrowing Connection) throws {
    try database.run("UPDATE regroup SET phase = ?2 WHERE grp = ?1", group, phase + 1)
  }

  // MARK: Keys

  /// The group that has the key, or as whose reports those with this key could be read.
  ///
  /// A key that no report of its group has any more holds nothing: who is with whom must not depend on which keys
  /// reports had on the way, or it would depend on which debug file came first.
  private func owner(of key: String, in database: borrowing Connection) throws -> Int? {
    for sql in [
      "SELECT grp FROM group_keys WHERE app = ?1 AND key = ?2 AND is_main = 1 AND is_left = 0",
      """
      SELECT main.grp FROM key_readings JOIN group_keys AS main
        ON main.app = key_readings.app AND main.key = key_readings.key
      WHERE key_readings.app = ?1 AND key_readings.reading = ?2 AND main.is_main = 1
        AND main.is_left = 0 ORDER BY main.grp LIMIT 1
      """,
      """
      SELECT main.grp FROM key_readings JOIN group_keys AS main
        ON main.app = key_readings.app AND main.key = key_readings.reading
      WHERE key_readings.app = ?1 AND key_readings.key = ?2 AND main.is_main = 1
        AND main.is_left = 0 ORDER BY key_readings.position, main.grp LIMIT 1
      """,
    ] {
      if let owner = try database.integer(sql, app, key) { return owner }
    }
    return nil
  }

  /// Makes the key of reports, and the keys by which they could be read, those of a group.
  private func give(
    _ keyClass: KeyClass, to owner: Int, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO group_keys (app, key, grp, rules, is_main, created)
      SELECT ?1, key, ?3, rules, 1, ?4 FROM reports WHERE id = ?2
      ON CONFLICT (app, key) DO UPDATE SET grp = ?3, is_main = 1, is_left = 0
      """, app, keyClass.oldest, owner, book.now)
    // A key that only others had by which reports could be read goes along with the last of them.
    try database.run(
      """
      INSERT INTO group_keys (app, key, grp, rules, is_main, created)
      SELECT ?1, reading, ?3, (SELECT rules FROM reports WHERE id = ?2), 0, ?4
      FROM key_readings WHERE app = ?1 AND key = ?5
      ON CONFLICT (app, key) DO UPDATE SET grp = ?3 WHERE is_main = 0 AND NOT EXISTS (
        SELECT 1 FROM key_readings AS other JOIN group_keys AS main
          ON main.app = other.app AND main.key = other.key
        WHERE other.app = ?1 AND other.reading = group_keys.key AND main.grp = group_keys.grp
          AND main.is_main = 1 AND main.is_left = 0)
      """, app, keyClass.oldest, owner, book.now, keyClass.key)
  }

  /// Takes keys from the group that only keys held together which all reports have left.
  ///
  /// Two functions into which the compiler built a third meet in a group as long as a report names
  /// only the third. When its debug file comes too, nothing holds them together any more.
  ///
  /// - Returns: Whether any was taken.
  private func loosenKeys(
    _ classes: [KeyClass], in database: borrowing Connection
  ) throws -> Bool {
    let hasLeft = try database.integer(
      "SELECT EXISTS (SELECT 1 FROM group_keys WHERE grp = ?1 AND is_main = 1 AND is_left = 1)",
      group)
    // A provisional key is held by what its group remembers of it.
    let own = classes.filter { $0.isOwn && !$0.isProvisional }
    guard hasLeft == 1, own.count > 1 else { return false }
    let parts = try connectedKeys(in: database)
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

  /// The main keys of the group that reports have, or had until they expired, each with the number of
  /// the bundle that readings tie it to.
  private func connectedKeys(in database: borrowing Connection) throws -> [String: Int] {
    var parts: [String: Int] = [:]
    do {
      let rows = try database.prepare(
        "SELECT key FROM group_keys WHERE grp = ?1 AND is_main = 1 AND is_left = 0 ORDER BY key",
        [group])
      while try rows.step() { parts[rows.text(0)] = parts.count }
    }
    let rows = try database.prepare(
      """
      SELECT one.key, other.key FROM group_keys AS one
        JOIN key_readings ON key_readings.app = one.app AND key_readings.key = one.key
        JOIN group_keys AS other ON other.app = one.app AND other.key = key_readings.reading
      WHERE one.grp = ?1 AND other.grp = ?1 AND one.is_main = 1 AND one.is_left = 0
        AND other.is_main = 1 AND other.is_left = 0
      """, [group])
    while try rows.step() {
      guard let one = parts[rows.text(0)], let other = parts[rows.text(1)], one != other else {
        continue
      }
      parts = parts.mapValues { $0 == max(one, other) ? min(one, other) : $0 }
    }
    return parts
  }

  /// A new group for reports of this one, without reports.
  private func open(
    for keyClass: KeyClass, in database: borrowing Connection
  ) throws -> Int {
    let number = try database.integer(
      "UPDATE apps SET last_group = last_group + 1 WHERE id = ?1 RETURNING last_group", app)
    try database.run(
      """
      INSERT INTO groups (app, number, title, main_key, category, rules, provisional, kind, reason,
        reason_time, first_seen, last_seen, exemplar, exemplar_symbols, created)
      SELECT app, ?2, signature, key, category, rules, provisional, kind, reason, time, time, time,
        name, symbols, ?3 FROM reports WHERE id = ?1
      """, keyClass.oldest, number, book.now)
    let new = database.lastRow
    let text = try database.text("SELECT title FROM groups WHERE id = ?1", new)
    try book.note(new, "opened", text ?? "", in: database)
    return new
  }

  // MARK: What the group says of itself

  /// Where no report has the key of the title any more, or a real signature has come for a provisional
  /// one, the title is that of most reports.
  private func retitle(in database: borrowing Connection) throws {
    let isDue = try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM groups JOIN group_keys
          ON group_keys.app = groups.app AND group_keys.key = groups.main_key
          WHERE groups.id = ?1 AND (group_keys.is_left = 1 OR group_keys.grp != ?1))
        OR EXISTS (SELECT 1 FROM groups JOIN reports ON reports.grp = groups.id
          WHERE groups.id = ?1 AND groups.provisional = 1 AND reports.provisional = 0)
      """, group)
    guard isDue == 1 else { return }
    let best = try keyClasses(in: database).max { left, right in
      (left.isProvisional ? 0 : 1, left.count, right.oldest)
        < (right.isProvisional ? 0 : 1, right.count, left.oldest)
    }
    guard let best else { return }
    let old = try database.text("SELECT title FROM groups WHERE id = ?1", group) ?? ""
    try database.run(
      """
      UPDATE groups SET (title, main_key, category, rules, provisional) =
        (SELECT signature, key, category, rules, provisional FROM reports WHERE id = ?2)
      WHERE id = ?1
      """, group, best.oldest)
    let new = try database.text("SELECT title FROM groups WHERE id = ?1", group) ?? ""
    if old != new { try book.note(group, "titled", "\(new); before: \(old)", in: database) }
  }
}
