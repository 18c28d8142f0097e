internal import CrashModel
internal import SQLite

/// The tables of groups, inside a transaction.
///
/// A group is a number with a set of keys. A key is a main key when a report had it as its own, and
/// an alternative one when a report could be read that way too; alternative keys of a report are
/// looked for among main keys only, or else two groups that were never the same would meet over a
/// third that nobody saw.
struct GroupBook: ~Copyable {
  /// The database row of the app.
  let app: Int
  let author: String
  let now: Int

  /// - Parameter now: In microseconds.
  init(app: Int, author: String, now: Int = CrashStore.now.microseconds) {
    self.app = app
    self.author = author
    self.now = now
  }

  /// Where `key` leads.
  func owner(
    of key: String, mainOnly: Bool = false, in database: borrowing Connection
  ) throws -> Origin? {
    let rows = try database.prepare(
      """
      SELECT \(Origin.columns) FROM group_keys JOIN origins ON origins.id = group_keys.origin
      WHERE app = ?1 AND key = ?2 AND is_main >= ?3
      """, [app, key, mainOnly])
    return try rows.step() ? Origin(rows) : nil
  }

  /// The place of a report: by its key, else by its alternative keys, else in a new group.
  func assign(
    _ report: ReportRow, in database: borrowing Connection
  ) throws -> (origin: Origin, found: FoundBy) {
    let (owner, found) = try find(report.signature, in: database)
    let origin = try owner ?? open(for: report, in: database)
    try add(report.signature, to: origin, in: database)
    return (origin, found)
  }

  /// Where a signature leads, if it leads anywhere, and how that was found.
  func find(
    _ signature: Signature, in database: borrowing Connection
  ) throws -> (origin: Origin?, found: FoundBy) {
    if let origin = try owner(of: signature.key, mainOnly: true, in: database) {
      return (origin, .key)
    }
    if let origin = try owner(of: signature.key, in: database) { return (origin, .reading) }
    for key in signature.alternativeKeys {
      if let origin = try owner(of: key, mainOnly: true, in: database) {
        return (origin, .alternative(key: key))
      }
    }
    return (nil, .new)
  }

  /// A new group without reports. Its number was never used before.
  func open(for report: ReportRow, in database: borrowing Connection) throws -> Origin {
    let number = try database.integer(
      "UPDATE apps SET last_group = last_group + 1 WHERE id = ?1 RETURNING last_group", app)
    try database.run(
      """
      INSERT INTO groups (app, number, title, main_key, category, rules, provisional, kind, reason,
        reason_time, first_seen, last_seen, exemplar, exemplar_symbols, created)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?10, ?11, ?12, ?13)
      """, app, number, report.signature.text, report.signature.key,
      report.signature.category.rawValue, report.signature.rules, report.signature.isProvisional,
      report.kind.rawValue, report.reason, report.time.microseconds, report.id,
      report.symbols.rawValue, now)
    let group = database.lastRow
    try note(group, "opened", report.signature.text, in: database)
    return try Origin(home: group, making: database)
  }

  /// Lets the keys of `signature` lead to a place. A group that only had a provisional signature
  /// takes over a real one.
  func add(
    _ signature: Signature, to origin: Origin, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO group_keys (app, key, grp, origin, rules, is_main, created)
      VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6)
      ON CONFLICT (app, key) DO UPDATE SET is_main = 1, is_left = 0
      WHERE is_main = 0 OR is_left = 1
      """, app, signature.key, origin.group, origin.id, signature.rules, now)
    try noteReadings(of: signature, in: database)
    for key in signature.alternativeKeys {
      try database.run(
        """
        INSERT INTO group_keys (app, key, grp, origin, rules, is_main, created)
        VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6) ON CONFLICT DO NOTHING
        """, app, key, origin.group, origin.id, signature.rules, now)
    }
    guard !signature.isProvisional else { return }
    try database.run(
      """
      UPDATE groups SET title = ?2, main_key = ?3, category = ?4, rules = ?5, provisional = 0
      WHERE id = ?1 AND provisional = 1
      """, origin.home, signature.text, signature.key, signature.category.rawValue,
      signature.rules)
    if database.changes > 0 { try note(origin.home, "titled", signature.text, in: database) }
  }

  /// Notes by which other keys reports with this signature could be read.
  func noteReadings(
    of signature: Signature, in database: borrowing Connection
  ) throws {
    for (position, reading) in signature.alternativeKeys.enumerated() {
      try database.run(
        """
        INSERT INTO key_readings (app, key, reading, position) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO NOTHING
        """, app, signature.key, reading, position)
    }
  }

  /// Counts one more report in a place.
  ///
  /// - Returns: Whether no report of the group came from its installation before.
  @discardableResult
  func count(
    _ report: CountedReport, in origin: Origin, of database: borrowing Connection
  ) throws -> Bool {
    try database.run(
      """
      UPDATE groups SET reports = reports + 1, first_seen = min(first_seen, ?2),
        last_seen = max(last_seen, ?2),
        reason = CASE WHEN ?2 >= reason_time THEN ?3 ELSE reason END,
        reason_time = max(reason_time, ?2),
        exemplar = CASE WHEN ?5 > exemplar_symbols THEN ?4 ELSE exemplar END,
        exemplar_symbols = max(exemplar_symbols, ?5)
      WHERE id = ?1
      """, origin.group, report.time, report.reason, report.id, report.symbols)
    try database.run(
      """
      UPDATE origins SET first_seen = min(ifnull(first_seen, ?2), ?2),
        last_seen = max(ifnull(last_seen, ?2), ?2)
      WHERE id = ?1
      """, origin.id, report.time)
    try database.run(
      """
      INSERT INTO counters (grp, origin, day, version, build, os, device, count)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1) ON CONFLICT DO UPDATE SET count = count + 1
      """, origin.group, origin.id, report.day, report.version, report.build, report.os,
      report.device)
    guard let install = report.install else { return false }
    let isNew =
      try database.integer(
        "SELECT 1 FROM group_installs WHERE grp = ?1 AND install = ?2", origin.group, install)
      == nil
    try database.run(
      """
      INSERT INTO group_installs (grp, install, origin, count) VALUES (?1, ?2, ?3, 1)
      ON CONFLICT DO UPDATE SET count = count + 1
      """, origin.group, install, origin.id)
    if isNew {
      try database.run("UPDATE groups SET installs = installs + 1 WHERE id = ?1", origin.group)
    }
    return isNew
  }

  /// Takes a report out of what a place counts. Which was first, last and the example is left to
  /// ``refresh(_:in:)``.
  func uncount(
    _ report: CountedReport, in origin: Origin, of database: borrowing Connection
  ) throws {
    try database.run("UPDATE groups SET reports = reports - 1 WHERE id = ?1", origin.group)
    try database.run(
      """
      UPDATE counters SET count = count - 1 WHERE grp = ?1 AND origin = ?2 AND day = ?3
        AND version = ?4 AND build = ?5 AND os = ?6 AND device = ?7
      """, origin.group, origin.id, report.day, report.version, report.build, report.os,
      report.device)
    try database.run(
      """
      DELETE FROM counters WHERE grp = ?1 AND origin = ?2 AND day = ?3 AND version = ?4
        AND build = ?5 AND os = ?6 AND device = ?7 AND count <= 0
      """, origin.group, origin.id, report.day, report.version, report.build, report.os,
      report.device)
    guard let install = report.install else { return }
    try database.run(
      "UPDATE group_installs SET count = count - 1 WHERE grp = ?1 AND install = ?2 AND origin = ?3",
      origin.group, install, origin.id)
    try database.run(
      "DELETE FROM group_installs WHERE grp = ?1 AND install = ?2 AND origin = ?3 AND count <= 0",
      origin.group, install, origin.id)
    guard database.changes > 0,
      try database.integer(
        "SELECT 1 FROM group_installs WHERE grp = ?1 AND install = ?2", origin.group, install)
        == nil
    else { return }
    try database.run("UPDATE groups SET installs = installs - 1 WHERE id = ?1", origin.group)
  }

  /// Adds a line to a group's history.
  func note(
    _ group: Int, _ event: String, _ detail: String, in database: borrowing Connection
  ) throws {
    try database.run(
      "INSERT INTO group_history (grp, time, author, event, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
      group, now, author, event, detail)
  }

  /// `TERN-12`.
  static func name(of group: Int, in database: borrowing Connection) throws -> String {
    try database.requiredText(
      """
      SELECT apps.prefix || '-' || groups.number FROM groups JOIN apps ON apps.id = groups.app
      WHERE groups.id = ?1
      """, group)
  }
}
