internal import Database

/// The groups of an app as they were before the rules with a number were chosen, inside a transaction.
///
/// A report's group follows from the origin that its key leads to. So a roll-back recomputes signatures by
/// the former rules, and restores the origins of the keys; moved reports return with their keys, and newer
/// reports follow.
struct RuleSetSnapshot {
  let app: RowID<Tables.Apps>
  let number: Int

  private static let status = """
    state, state_time, state_author, fixed_how, fixed_version, fixed_build, ignore_reports,
      ignore_users, ignore_until, assignee
    """

  func take(in database: borrowing Connection) throws {
    try database.run(
      """
      INSERT INTO rule_set_groups (app, number, grp, title, main_key, rules, provisional, redirect,
        joined, \(Self.status))
      SELECT app, ?2, id, title, main_key, rules, provisional, redirect, joined, \(Self.status)
      FROM groups WHERE app = ?1
      """, app, number)
    try database.run(
      """
      INSERT INTO rule_set_origins (app, number, origin, grp, parent)
      SELECT ?1, ?2, origins.id, home, parent FROM origins JOIN groups ON groups.id = home
      WHERE groups.app = ?1
      """, app, number)
    try database.run(
      """
      INSERT INTO rule_set_keys (app, number, key, origin, rules, is_main, is_left, created)
      SELECT app, ?2, key, origin, rules, is_main, is_left, created FROM group_keys WHERE app = ?1
      """, app, number)
  }

  /// Restores the origins that keys led to. Groups that were joined since are separated, unless a user
  /// merged them.
  private func restore(in database: borrowing Connection) throws {
    try restoreStatuses(in: database)
    try database.run(
      """
      UPDATE groups SET redirect = NULL, joined = \(GroupJoin.bySymbols.rawValue)
      WHERE app = ?1 AND redirect IS NOT NULL AND joined = \(GroupJoin.bySymbols.rawValue)
        AND id IN (SELECT grp FROM rule_set_groups
          WHERE app = ?1 AND number = ?2 AND redirect IS NULL)
      """, app, number)
    try database.run(
      """
      INSERT INTO origins (id, home, grp)
      SELECT origin, grp, grp FROM rule_set_origins
      WHERE app = ?1 AND number = ?2 AND parent IS NULL
        AND origin NOT IN (SELECT id FROM origins)
        AND grp IN (SELECT id FROM groups WHERE app = ?1 AND redirect IS NULL)
      """, app, number)
    try database.run(
      """
      UPDATE origins SET parent = (SELECT parent FROM rule_set_origins
          WHERE app = ?1 AND number = ?2 AND origin = origins.id)
      WHERE parent IS NOT NULL AND id IN (SELECT origin FROM rule_set_origins
        WHERE app = ?1 AND number = ?2 AND parent IN (SELECT id FROM origins))
      """, app, number)
    try database.run(
      """
      INSERT INTO group_keys (app, key, grp, origin, rules, is_main, is_left, created)
      SELECT ?1, key, origins.grp, origin, rules, is_main, is_left, created
      FROM rule_set_keys JOIN origins ON origins.id = rule_set_keys.origin
      WHERE app = ?1 AND number = ?2
      ON CONFLICT (app, key) DO UPDATE SET grp = excluded.grp, origin = excluded.origin,
        is_main = excluded.is_main, is_left = excluded.is_left
      """, app, number)
    try database.run(
      """
      INSERT INTO regroup (app, origin, phase)
      SELECT groups.app, origins.id, \(RegroupPhase.verifyKeys.rawValue) FROM origins
        JOIN groups ON groups.id = origins.home WHERE groups.app = ?1
      ON CONFLICT (origin) DO UPDATE SET phase = \(RegroupPhase.verifyKeys.rawValue)
      """, app)
  }

  /// A group that others were joined with took over decisions about them. This restores its own, unless a
  /// user has decided since.
  private func restoreStatuses(in database: borrowing Connection) throws {
    let decisions = HistoryEvent.list([.resolved, .reopened, .ignored, .assigned, .undone])
    try database.run(
      """
      UPDATE groups SET (\(Self.status)) = (SELECT \(Self.status) FROM rule_set_groups
          WHERE app = ?1 AND number = ?2 AND grp = groups.id)
      WHERE app = ?1 AND redirect IS NULL
        AND id IN (SELECT redirect FROM groups WHERE app = ?1 AND redirect IS NOT NULL
          AND joined = \(GroupJoin.bySymbols.rawValue)
          AND id IN (SELECT grp FROM rule_set_groups
            WHERE app = ?1 AND number = ?2 AND redirect IS NULL))
        AND id IN (SELECT grp FROM rule_set_groups WHERE app = ?1 AND number = ?2)
        AND NOT EXISTS (SELECT 1 FROM group_history
          WHERE grp = groups.id AND event IN \(decisions) AND author != 'mayday'
            AND time >= (SELECT time FROM rule_sets WHERE app = ?1 AND number = ?2))
      """, app, number)
  }

  /// Restores titles, which depend also on which report came first. A title from before symbolication that
  /// no report has any more does not return.
  private func restoreTitles(in database: borrowing Connection) throws {
    try database.run(
      """
      UPDATE groups SET (title, main_key, rules, provisional) =
        (SELECT title, main_key, rules, provisional FROM rule_set_groups
          WHERE app = ?1 AND number = ?2 AND grp = groups.id)
      WHERE app = ?1 AND redirect IS NULL AND EXISTS (SELECT 1 FROM rule_set_groups AS past
        JOIN group_keys ON group_keys.app = past.app AND group_keys.key = past.main_key
        WHERE past.app = ?1 AND past.number = ?2 AND past.grp = groups.id
          AND group_keys.grp = groups.id)
        AND (NOT EXISTS (SELECT 1 FROM reports WHERE grp = groups.id)
          OR EXISTS (SELECT 1 FROM reports JOIN rule_set_groups AS past ON past.main_key = reports.key
            WHERE reports.grp = groups.id AND past.app = ?1 AND past.number = ?2 AND past.grp = groups.id))
      """, app, number)
  }

  // MARK: Roll-backs

  /// Starts the restoring part of a roll-back, once all signatures of the app are recomputed.
  ///
  /// - Returns: Whether there was something to start.
  static func begin(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Bool {
    guard let (number, snapshot) = try next("restores > 0", of: app, in: database) else {
      return false
    }
    try RuleSetSnapshot(app: app, number: snapshot).restore(in: database)
    try database.run(
      "UPDATE rule_sets SET restores = -restores WHERE app = ?1 AND number = ?2", app, number)
    return true
  }

  /// Finishes what was started, once all reports of the app are in their groups.
  ///
  /// - Returns: Whether there was something to finish.
  static func end(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Bool {
    guard let (number, snapshot) = try next("restores < 0", of: app, in: database) else {
      return false
    }
    try RuleSetSnapshot(app: app, number: -snapshot).restoreTitles(in: database)
    try database.run(
      "UPDATE rule_sets SET restores = 0 WHERE app = ?1 AND number = ?2", app, number)
    return true
  }

  private static func next(
    _ condition: String, of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> (number: Int, snapshot: Int)? {
    let rows = try database.prepare(
      "SELECT number, restores FROM rule_sets WHERE app = ?1 AND \(condition) ORDER BY number LIMIT 1",
      [app])
    guard try rows.step() else { return nil }
    return try (rows.int("number"), rows.int("restores"))
  }
}
