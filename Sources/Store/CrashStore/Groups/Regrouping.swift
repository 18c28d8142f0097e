internal import Database

/// Finds the groups of reports whose keys have changed, inside a transaction.
///
/// It begins when all reports of an app that were waiting for reprocessing have been reprocessed, so that it
/// sees complete origins: the order and the batches of reprocessing do not matter. Origins of other apps have
/// no part in it. All origins of the app pass a phase before any goes on to the next:
///
/// 1. Keys that no report of their origin has any more are marked as such.
/// 2. An origin whose reports no longer have a key of their own takes over the key of most of them; where the
///    key already leads to another origin, the two are merged.
/// 3. Reports whose keys lead elsewhere move there, or into new groups. The title follows.
/// 4. Readings of the keys join origins or separate them.
///
/// Groups that a user merged or split by hand stay so: no report is moved out of a split-off group, or out of
/// one that others were merged into.
struct Regrouping: ~Copyable {
  /// The origin, one that keys lead to.
  let origin: Origin
  let keys: KeysTable
  private let table: GroupsTable

  private let rules: SplitRules

  init(_ origin: Origin, _ rules: SplitRules, in database: borrowing Connection) throws {
    self.origin = origin
    self.rules = rules
    let app: RowID<Tables.Apps> = try database.requiredID(
      "SELECT app FROM groups WHERE id = ?1", origin.ownGroup)
    table = GroupsTable(app: app, author: "mayday")
    keys = KeysTable(app: app, now: table.now)
  }

  /// Takes the origin through one phase.
  ///
  /// - Returns: The number of examined reports.
  func run(phase: RegroupPhase, in database: borrowing Connection) throws -> Int {
    let classes = try KeyClass.all(of: origin, in: database)
    switch phase {
    case .verifyKeys: try verifyKeys(classes, in: database)
    case .claim: try claim(classes, in: database)
    case .reassign: try reassign(classes, in: database)
    case .arrange: try arrange(in: database)
    }
    return classes.reduce(0) { $0 + $1.count }
  }

  // MARK: The phases

  /// Some reports may have kept a key that others have left; and a key that was only a reading of reports may
  /// be the key of some of them now.
  private func verifyKeys(
    _ classes: [KeyClass], in database: borrowing Connection
  ) throws {
    let kept = classes.filter(\.isOwn).map(\.key)
    for key in try kept + KeyClass.keys(ofRulesFrom: origin, in: database) {
      try database.run(
        """
        UPDATE group_keys SET is_main = 1, is_left = 0
        WHERE origin = ?1 AND key = ?2 AND (is_main = 0 OR is_left = 1)
        """, origin.id, key)
    }
    try finish(.verifyKeys, in: database)
  }

  private func claim(
    _ classes: [KeyClass], in database: borrowing Connection
  ) throws {
    guard !origin.isSplitOff, !classes.contains(where: \.isOwn),
      let most = KeyClass.most(of: classes)
    else { return try finish(.claim, in: database) }
    guard let owner = try keys.owner(of: most.key, in: database)?.origin, owner != origin else {
      try keys.give(most, to: origin, in: database)
      return try finish(.claim, in: database)
    }
    guard !owner.isSplitOff else { return try finish(.claim, in: database) }
    if try owner.isPinned(in: database), try !origin.isPinned(in: database) {
      // Everything would stay in a group that a user merged: reports that belong elsewhere move first.
      for stranger in classes where stranger.key != most.key {
        try move(stranger, in: database)
      }
    }
    let (kept, gone) = origin.ownGroup < owner.ownGroup ? (origin, owner) : (owner, origin)
    try database.run(
      """
      UPDATE reports SET found_by = ?3, found_detail = ?4
      WHERE grp = ?1 AND origin = ?2 AND found_by = ?5
      """, gone.group, gone.id, MatchReason.merged(from: "").word,
      try GroupsTable.name(of: gone.ownGroup, in: database), MatchReason.followed.word)
    let id = try GroupMerge(table).merge(origin, owner, in: database)
    if let merged = try Origin.find(id, in: database) ?? Origin.find(kept.id, in: database) {
      try keys.give(most, to: merged, in: database)
      // A key that was only a reading of the one's reports may be the key of some of the other's.
      try Self.examine(merged, in: database)
    }
  }

  private func reassign(
    _ classes: [KeyClass], in database: borrowing Connection
  ) throws {
    let isPinned = try origin.isPinned(in: database)
    for stranger in classes where !stranger.isOwn {
      if !isPinned {
        try move(stranger, in: database)
      } else if try keys.leading(stranger.key, in: database) == nil {
        // Also where the key could be read as another's: reports that have it go where these are.
        try keys.give(stranger, to: origin, in: database)
      }
    }
    for key in try KeyClass.ownerless(ofRulesFrom: origin, in: database) {
      try keys.give(key, to: origin, in: database)
    }
    try retitle(in: database)
    try refresh(origin, in: database)
    try ReplacementRecords.tell(origin, table, in: database)
    try finish(.reassign, in: database)
  }

  /// Recounts the group of an origin, and those that rules lead to from there.
  private func refresh(_ origin: Origin, in database: borrowing Connection) throws {
    try table.refresh(origin, in: database)
    try table.recount(origin.group, in: database)
    let parts = try Origin.all(
      where: "origins.parent = ?1 AND origins.rule IS NOT NULL", origin.id, in: database)
    for part in parts { try refresh(part, in: database) }
  }

  /// Moves reports to where their key leads, or into a new group.
  private func move(_ stranger: KeyClass, in database: borrowing Connection) throws {
    let owner = try keys.owner(of: stranger.key, in: database)?.origin
    let target = try owner ?? table.open(for: stranger, in: database)
    try keys.give(stranger, to: target, in: database)
    guard target != origin else { return }
    try Self.note(target.id, of: table.app, from: .arrange, in: database)
    try GroupMove(key: stranger.key, from: origin, to: target).run(table, rules, in: database)
  }

  /// Checks all keys of the origin, and the readings of those that reports have left.
  private func arrange(in database: borrowing Connection) throws {
    var changed: [String] = []
    do {
      let rows = try database.prepare(
        "SELECT key FROM group_keys WHERE app = ?1 AND origin = ?2 ORDER BY key",
        [table.app, origin.id])
      while try rows.step() { try changed.append(rows.text("key")) }
    }
    try Self.forget(origin.id, in: database)
    var arrangement = KeyRegrouping(of: table.app, now: table.now, rules)
    try arrangement.run(around: changed, in: database)
  }

  private func finish(_ phase: RegroupPhase, in database: borrowing Connection) throws {
    try database.run(
      "UPDATE regroup SET phase = ?2 WHERE origin = ?1", origin.id, phase.rawValue + 1)
  }

  /// Where no report has the key of the title any more, or a real signature has replaced a provisional one,
  /// takes the title of most reports.
  private func retitle(in database: borrowing Connection) throws {
    let isDue = try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM groups JOIN group_keys
          ON group_keys.app = groups.app AND group_keys.key = groups.main_key
          WHERE groups.id = ?1 AND (group_keys.is_left = 1 AND group_keys.origin = ?2
            OR group_keys.origin != ?2 AND NOT ?3))
        OR EXISTS (SELECT 1 FROM groups, reports WHERE groups.id = ?1 AND reports.grp = ?4
          AND reports.origin = ?2 AND groups.provisional = 1 AND reports.provisional = 0)
      """, origin.ownGroup, origin.id, origin.isSplitOff, origin.group)
    guard isDue == 1,
      let best = KeyClass.best(of: try KeyClass.all(of: origin, in: database))
    else { return }
    let old = try database.requiredText("SELECT title FROM groups WHERE id = ?1", origin.ownGroup)
    try database.run(
      """
      UPDATE groups SET (title, main_key, rules, provisional) =
        (SELECT signature, key, rules, provisional FROM reports WHERE id = ?2)
      WHERE id = ?1
      """, origin.ownGroup, best.oldest)
    let new = try database.requiredText("SELECT title FROM groups WHERE id = ?1", origin.ownGroup)
    guard old != new else { return }
    try table.note(origin.ownGroup, .titled, "\(new); before: \(old)", in: database)
  }
}

extension Regrouping {
  /// The first app with origins to look through, or with a roll-back to go on with, of which no report waits
  /// for reprocessing; `nil` when there is none.
  static func nextApp(
    in database: borrowing Connection
  ) throws -> (row: RowID<Tables.Apps>, name: String)? {
    let rows = try database.prepare(
      """
      SELECT id, name FROM apps
      WHERE (EXISTS (SELECT 1 FROM regroup WHERE app = apps.id)
          OR EXISTS (SELECT 1 FROM rule_sets WHERE app = apps.id AND restores != 0))
        AND NOT EXISTS (SELECT 1 FROM redo WHERE app = apps.id AND problem IS NULL)
      ORDER BY id LIMIT 1
      """)
    return try rows.step() ? (rows.id("id"), rows.text("name")) : nil
  }

  /// Takes the next origin of an app through its next phase. Does nothing while reports of the app are waiting
  /// for reprocessing.
  ///
  /// - Returns: The number of examined reports; `nil` when there is nothing to do.
  static func step(
    _ app: RowID<Tables.Apps>, _ rules: SplitRules, in database: borrowing Connection
  ) throws -> Int? {
    let waiting = try database.integer(
      "SELECT 1 FROM redo WHERE app = ?1 AND problem IS NULL LIMIT 1", app)
    if waiting != nil { return nil }
    if try RuleSetSnapshot.begin(of: app, in: database) { return 0 }
    guard let (id, phase) = try next(of: app, in: database) else {
      return try RuleSetSnapshot.end(of: app, in: database) ? 0 : nil
    }
    guard let origin = try Origin.find(id, in: database) else {
      try forget(id, in: database)
      return 0
    }
    return try Regrouping(origin, rules, in: database).run(phase: phase, in: database)
  }

  private static func next(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> (id: RowID<Tables.Origins>, phase: RegroupPhase)? {
    let rows = try database.prepare(
      "SELECT origin, phase FROM regroup WHERE app = ?1 ORDER BY phase, origin LIMIT 1", [app])
    guard try rows.step() else { return nil }
    let id: RowID<Tables.Origins> = try rows.id("origin")
    let number = try rows.int("phase")
    guard let phase = RegroupPhase(rawValue: number) else {
      throw StoreError.damaged("phase \(number) of origin \(id) in regroup")
    }
    return (id, phase)
  }

  /// Has an origin examined from a phase on, unless it is to be examined already.
  static func note(
    _ origin: RowID<Tables.Origins>, of app: RowID<Tables.Apps>, from phase: RegroupPhase,
    in database: borrowing Connection
  ) throws {
    try database.run(
      "INSERT INTO regroup (app, origin, phase) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", app,
      origin, phase)
  }

  /// Has an origin examined from the first phase on.
  static func examine(_ origin: Origin, in database: borrowing Connection) throws {
    try database.run(
      """
      INSERT INTO regroup (app, origin, phase)
      SELECT app, CAST(?1 AS BIGINT), CAST(?2 AS BIGINT) FROM groups WHERE id = ?3
      ON CONFLICT (origin) DO UPDATE SET phase = excluded.phase
      """, origin.id, RegroupPhase.verifyKeys, origin.ownGroup)
  }

  /// Discards all pending work for an origin.
  static func forget(_ origin: RowID<Tables.Origins>, in database: borrowing Connection) throws {
    try database.run("DELETE FROM regroup WHERE origin = ?1", origin)
    try database.run("DELETE FROM regroup_changes WHERE origin = ?1", origin)
  }

  /// Transfers the pending work for an origin to the one that it was merged into.
  static func follow(
    _ old: RowID<Tables.Origins>, to new: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO regroup (app, origin, phase) SELECT app, ?2, phase FROM regroup WHERE origin = ?1
      ON CONFLICT (origin) DO UPDATE SET phase = CASE WHEN excluded.phase < regroup.phase
        THEN excluded.phase ELSE regroup.phase END
      """, old, new)
    try database.run(
      """
      INSERT INTO regroup_changes (origin, old_text, new_text, arrived, reports)
      SELECT ?2, old_text, new_text, arrived, reports FROM regroup_changes WHERE origin = ?1
      ON CONFLICT (origin, old_text, new_text, arrived) DO UPDATE SET reports = regroup_changes.reports + excluded.reports
      """, old, new)
    try forget(old, in: database)
  }
}
