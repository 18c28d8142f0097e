internal import Database
internal import Identifiers

/// Splitting groups by hand, and undoing that.
extension GroupActions {
  /// The part of a group that is split off.
  struct Share {
    /// The keys that lead to the new group from now on.
    var keys: [String] = []
    /// The keys among ``keys`` that reports have.
    var ownKeys: [String] = []
    /// The query that selects new reports; `nil` where keys do.
    var rule: String?
    /// The rows of the reports that move.
    var reports: [RowID<Tables.Reports>] = []
    /// The report that provides the signature of the new group, by name; `nil` for the signature of
    /// the group that is split.
    var example: String?
    /// A description of the selection.
    var words = ""
  }

  /// Splits a share off a group.
  ///
  /// - Returns: The new group.
  func split(
    _ group: RowID<Tables.Groups>, _ share: Share, in database: borrowing Connection
  ) throws -> RowID<Tables.Groups> {
    let app = try app(of: group, in: database)
    let table = GroupsTable(app: app, author: author, now: now)
    let name = try GroupsTable.name(of: group, in: database)
    let new = try open(after: group, of: app, share.example, in: database)
    let newName = try GroupsTable.name(of: new, in: database)
    var record = ActionRecord()
    record.group = new
    record.status = try .read(group, in: database)
    record.mark = try GroupStatuses.mark(in: database)
    let line = try note(group, .split, "\(newName) off, by \(share.words)", record, in: database)
    var other = ActionRecord()
    other.line = line
    try note(new, .split, "off \(name), by \(share.words)", other, in: database)

    var newOrigins: [RowID<Tables.Origins>: Origin] = [:]
    for origin in try Origin.all(where: "origins.grp = ?1", group, in: database)
    where share.rule != nil || origin.rule == nil {
      let newOrigin = try Origin(
        ownGroup: new, parent: origin.id, split: line, rule: share.rule, making: database)
      newOrigins[origin.id] = newOrigin
      for key in share.keys {
        try database.run(
          """
          UPDATE group_keys SET grp = ?4, origin = ?5 WHERE app = ?1 AND key = ?2 AND origin = ?3
          """, app, key, origin.id, new, newOrigin.id)
      }
    }
    for row in share.reports { try move(row, newOrigins, table, in: database) }
    // For reports that were only counted the key is known, but no value that a rule could test.
    for origin in try Origin.all(where: "origins.grp = ?1", group, in: database) {
      guard let newOrigin = newOrigins[origin.id] else { continue }
      for key in share.ownKeys {
        _ = try CountedReports.move(key: key, from: origin, to: newOrigin, in: database)
      }
    }
    try RowNumbers.origins.keep(in: database)
    try database.run(
      """
      DELETE FROM origins WHERE split = ?1 AND rule IS NULL
        AND NOT EXISTS (SELECT 1 FROM reports WHERE grp = ?2 AND origin = origins.id)
        AND NOT EXISTS (SELECT 1 FROM group_keys WHERE origin = origins.id)
      """, line, new)
    for origin in try Origin.all(where: "origins.grp IN (?1, \(new))", group, in: database) {
      try table.refresh(origin, in: database)
    }
    for group in [group, new] {
      try table.recount(group, in: database)
      guard try database.integer("SELECT reports FROM groups WHERE id = ?1", group) == 0 else {
        continue
      }
      throw ActionError.splitsNothing(name, isAll: group != new)
    }
    return new
  }

  private func move(
    _ row: RowID<Tables.Reports>, _ newOrigins: [RowID<Tables.Origins>: Origin],
    _ table: borrowing GroupsTable,
    in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      "SELECT \(CountedReport.columns), origin FROM reports WHERE id = ?1", [row])
    guard try rows.step() else { throw StoreError.damaged("there is no report in row \(row)") }
    // A share of keys leaves reports that rules of earlier splits hold.
    let origin: RowID<Tables.Origins> = try rows.id("origin")
    guard let newOrigin = newOrigins[origin] else { return }
    let old = try Origin.get(origin, in: database)
    try table.move(CountedReport(rows), from: old, to: newOrigin, in: database)
  }

  /// Creates a group without reports, with the signature of a report or otherwise of another group.
  private func open(
    after group: RowID<Tables.Groups>, of app: RowID<Tables.Apps>, _ example: String?,
    in database: borrowing Connection
  ) throws -> RowID<Tables.Groups> {
    let number = try database.requiredInteger(
      "UPDATE apps SET last_group = last_group + 1 WHERE id = ?1 RETURNING last_group", app)
    try database.run(
      """
      INSERT INTO groups (app, number, title, main_key, category, rules, provisional, kind, reason,
        reason_time, first_seen, last_seen, exemplar, exemplar_symbols, created, assignee)
      SELECT app, ?2, title, main_key, category, rules, provisional, kind, reason, reason_time,
        first_seen, last_seen, exemplar, exemplar_symbols, ?3, assignee
      FROM groups WHERE id = ?1
      """, group, number, now.microseconds)
    let new: RowID<Tables.Groups> = database.lastID()
    if let example {
      try database.run(
        """
        UPDATE groups SET (title, main_key, category, rules, provisional, kind) =
          (SELECT signature, key, category, rules, provisional, kind FROM reports WHERE name = ?2)
        WHERE id = ?1
        """, new, example)
    }
    return new
  }

  /// Merges back what was split off, including reports that came since.
  ///
  /// - Parameter own: The line in the history of the group that was split.
  func unsplit(
    _ line: HistoryLine, _ record: ActionRecord, own: RowID<Tables.History>,
    in database: borrowing Connection
  ) throws {
    guard let new = record.group else { return }
    try checkUnchanged(new, in: database)
    let app = try app(of: new, in: database)
    let table = GroupsTable(app: app, author: author, now: now)
    var touched: Set<RowID<Tables.Groups>> = [new]
    for origin in try Origin.all(where: "home = ?1", new, in: database) {
      guard let parent = origin.parent, let target = try Origin.find(parent, in: database) else {
        continue
      }
      touched.insert(target.group)
      try table.move(origin, into: target, in: database)
    }
    try database.run(
      "UPDATE groups SET redirect = ?2, joined = \(GroupJoin.bySymbols.rawValue) WHERE id = ?1",
      new, line.group)
    try table.settle(touched, in: database)
    try regroup(touched.sorted(), in: database)
    let states = GroupStatuses(app: app, now: now)
    try restore(record, of: line.group, since: line.number, states, in: database)
    let name = try GroupsTable.name(of: line.group, in: database)
    try note(new, .undone, "a part of \(name) again", in: database)
    try database.run(
      "UPDATE group_history SET undone = ?2 WHERE grp = ?1 AND event = '\(HistoryEvent.split)' AND undone IS NULL",
      new, own)
  }

  /// Throws if the group was merged, or another was merged into it or split off it.
  private func checkUnchanged(
    _ group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws {
    let name = try GroupsTable.name(of: group, in: database)
    if try database.integer("SELECT redirect FROM groups WHERE id = ?1", group) != nil {
      throw ActionError.changedSince(name, words: "was merged")
    }
    if try database.integer(
      "SELECT 1 FROM groups WHERE redirect = ?1 AND joined = \(GroupJoin.byHand.rawValue)", group)
      != nil
    {
      throw ActionError.changedSince(name, words: "had others merged into it")
    }
    let parts = try database.integer(
      """
      SELECT 1 FROM origins JOIN origins AS parents ON parents.id = origins.parent
      WHERE parents.home = ?1 AND origins.home != ?1
      """, group)
    if parts != nil { throw ActionError.changedSince(name, words: "was split itself") }
  }
}
