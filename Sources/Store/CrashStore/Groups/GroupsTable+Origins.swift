internal import Database
internal import Identifiers

/// Moving the contents of one origin to another, and updating the counts.
extension GroupsTable {
  /// Returns the group that a group shows under: itself where it was not merged.
  static func root(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> RowID<Tables.Groups> {
    var group = group
    // Only a group without a redirect gets one, to a group without one: there are no cycles.
    while let next: RowID<Tables.Groups> = try database.id(
      "SELECT redirect FROM groups WHERE id = ?1", group)
    {
      group = next
    }
    return group
  }

  /// Opens a new group, without reports, for reports of another.
  func open(
    for keyClass: KeyClass, in database: borrowing Connection
  ) throws -> Origin {
    let number = try nextNumber(in: database)
    try database.run(
      """
      INSERT INTO groups (app, number, title, main_key, category, rules, provisional, kind, reason,
        reason_time, first_seen, last_seen, exemplar, exemplar_symbols, created)
      SELECT app, ?2, signature, key, category, rules, provisional, kind, reason, time, time, time,
        name, symbols, ?3 FROM reports WHERE id = ?1
      """, keyClass.oldest, number, now.microseconds)
    let new: RowID<Tables.Groups> = database.lastID()
    let text = try database.requiredText("SELECT title FROM groups WHERE id = ?1", new)
    try note(new, .opened, text, in: database)
    return try Origin(ownGroup: new, making: database)
  }

  /// Moves one report. The groups must be recounted afterwards.
  func move(
    _ report: CountedReport, from old: Origin, to new: Origin, in database: borrowing Connection
  ) throws {
    try uncount(report, in: old, of: database)
    try ReportsTable.move(where: ["name": report.id], of: old.group, to: new, in: database)
    try count(report, in: new, of: database)
  }

  /// Moves the contents of an origin into another, and deletes the first.
  func move(_ old: Origin, into new: Origin, in database: borrowing Connection) throws {
    try ReportsTable.move(
      where: ["grp": old.group, "origin": old.id], of: old.group, to: new, in: database)
    try database.run(
      "UPDATE group_keys SET grp = ?2, origin = ?3 WHERE origin = ?1", old.id, new.group, new.id)
    try CountersTable.move(from: (old.group, old.id), to: (new.group, new.id), in: database)
    try database.run(
      """
      INSERT INTO group_installs (grp, install, origin, count)
      SELECT ?3, install, ?4, count FROM group_installs WHERE grp = ?1 AND origin = ?2
      ON CONFLICT (grp, install, origin) DO UPDATE SET count = group_installs.count + excluded.count
      """, old.group, old.id, new.group, new.id)
    try DeletedReports.move(old.id, into: new.id, in: database)
    try CountedReports.move(old.id, into: new.id, in: database)
    try database.run("DELETE FROM group_installs WHERE grp = ?1 AND origin = ?2", old.group, old.id)
    try database.run(
      """
      UPDATE origins SET
        first_seen = CASE WHEN first_seen IS NULL OR old_first < first_seen
          THEN old_first ELSE first_seen END,
        last_seen = CASE WHEN last_seen IS NULL OR old_last > last_seen
          THEN old_last ELSE last_seen END
      FROM (SELECT first_seen AS old_first, last_seen AS old_last FROM origins WHERE id = ?1) AS old
      WHERE id = ?2
      """, old.id, new.id)
    try Regrouping.follow(old.id, to: new.id, in: database)
    try SearchIndex.move(old.id, into: new.id, group: new.group, in: database)
    try database.run("UPDATE origins SET parent = ?2 WHERE parent = ?1", old.id, new.id)
    try RowNumbers.origins.keep(in: database)
    try database.run("DELETE FROM origins WHERE id = ?1", old.id)
  }

  /// Shows the contents of an origin under another group.
  private func show(
    _ origin: Origin, under group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws {
    let shown = origin.shown(under: group)
    try ReportsTable.move(
      where: ["grp": origin.group, "origin": origin.id], of: origin.group, to: shown, in: database)
    try CountersTable.move(
      from: (origin.group, origin.id), to: (group, origin.id), in: database)
    try database.run(
      "UPDATE group_installs SET grp = ?3 WHERE grp = ?1 AND origin = ?2", origin.group, origin.id,
      group)
    try SearchIndex.move(origin.id, into: origin.id, group: group, in: database)
    try database.run("UPDATE group_keys SET grp = ?2 WHERE origin = ?1", origin.id, group)
    try database.run("UPDATE origins SET grp = ?2 WHERE id = ?1", origin.id, group)
  }

  /// Shows all origins under the groups that they belong to now, after redirects have changed, and recounts
  /// the groups.
  ///
  /// - Parameter groups: The groups under which the affected origins may have been shown.
  func settle(_ groups: Set<RowID<Tables.Groups>>, in database: borrowing Connection) throws {
    var touched = groups
    for group in groups.sorted() {
      for origin in try Origin.all(where: "origins.grp = ?1", group, in: database) {
        let root = try Self.root(of: origin.ownGroup, in: database)
        guard root != origin.group else { continue }
        try show(origin, under: root, in: database)
        touched.insert(root)
      }
    }
    for group in touched.sorted() { try recount(group, in: database) }
  }

  /// Recounts the reports and installations of a group.
  func recount(_ group: RowID<Tables.Groups>, in database: borrowing Connection) throws {
    try database.run(
      """
      UPDATE groups SET
        reports = (SELECT coalesce(sum(count), 0) FROM counters WHERE grp = ?1),
        installs = (SELECT count(DISTINCT install) FROM group_installs WHERE grp = ?1)
      WHERE id = ?1
      """, group)
    try refresh(group, in: database)
  }

  /// Updates when an origin was first and last seen, including reports that are no longer stored.
  func refresh(_ origin: Origin, in database: borrowing Connection) throws {
    try database.run(
      """
      UPDATE origins SET (first_seen, last_seen) = (SELECT min(first), max(last) FROM (
        SELECT min(time) AS first, max(time) AS last FROM reports WHERE grp = ?2 AND origin = ?1
        UNION ALL SELECT first_seen, last_seen FROM past_reports WHERE origin = ?1) AS spans)
      WHERE id = ?1
      """, origin.id, origin.group)
  }

  /// Updates when a group was first and last seen, and its exemplar.
  func refresh(_ group: RowID<Tables.Groups>, in database: borrowing Connection) throws {
    try database.run(
      """
      UPDATE groups SET (first_seen, last_seen) =
        (SELECT coalesce(min(origins.first_seen), groups.first_seen),
          coalesce(max(origins.last_seen), groups.last_seen)
        FROM origins WHERE grp = ?1)
      WHERE id = ?1
      """, group)
    try database.run(
      """
      UPDATE groups SET (reason, reason_time) =
        (SELECT reason, time FROM reports WHERE grp = ?1 ORDER BY time DESC, reason DESC LIMIT 1)
      WHERE id = ?1 AND EXISTS (SELECT 1 FROM reports WHERE grp = ?1)
      """, group)
    try database.run(
      """
      UPDATE groups SET (exemplar, exemplar_symbols, kind, category) =
        (SELECT name, symbols, kind, category FROM reports WHERE grp = ?1
        ORDER BY symbols DESC, name LIMIT 1)
      WHERE id = ?1 AND EXISTS (SELECT 1 FROM reports WHERE grp = ?1)
      """, group)
    // All reports were removed: the next one becomes the exemplar.
    try database.run(
      """
      UPDATE groups SET exemplar = '', exemplar_symbols = -1, reason = NULL, reason_time = 0
      WHERE id = ?1 AND redirect IS NULL AND NOT EXISTS (SELECT 1 FROM reports WHERE grp = ?1)
      """, group)
  }
}
