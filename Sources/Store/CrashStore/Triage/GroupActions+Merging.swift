internal import Database
internal import TriageModel

/// Merging groups by hand, and unmerging them.
extension GroupActions {
  /// Merges a group into another, which then shows all its reports and answers to its name.
  ///
  /// - Parameter batch: The line of the first merge of the same call.
  /// - Returns: The line of this merge.
  @discardableResult
  func merge(
    _ part: RowID<Tables.Groups>, into whole: RowID<Tables.Groups>,
    batch: RowID<Tables.History>? = nil, in database: borrowing Connection
  ) throws -> RowID<Tables.History> {
    let names = (
      part: try GroupsTable.name(of: part, in: database),
      whole: try GroupsTable.name(of: whole, in: database)
    )
    var record = ActionRecord()
    record.group = part
    record.mark = try GroupStatuses.mark(in: database)
    let status = try GroupStatus.read(whole, in: database)
    record.status = status
    record.assignee = try assignee(of: whole, in: database)
    record.ticket = try GroupTickets.ticket(of: whole, in: database)
    record.batch = batch
    let was = try GroupStatus.read(part, in: database).state
    let line = try note(
      whole, .merged,
      "\(names.part) into \(names.whole)" + (was == status.state ? "" : "; it was \(was)"),
      record, in: database)
    try note(part, .merged, "into \(names.whole)", in: database)
    try join(part, to: whole, in: database)
    if record.assignee == nil {
      try assign(whole, to: assignee(of: part, in: database), in: database)
    }
    if record.ticket == nil {
      try GroupTickets.set(
        GroupTickets.ticket(of: part, in: database), of: whole, in: database)
    }
    return line
  }

  /// Refuses to merge a name that leads to a group the user did not name, and groups that were marked as
  /// distinct.
  func checkMerge(
    of name: String, _ part: RowID<Tables.Groups>, into whole: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    var row = try CrashStore.Groups.namedRow(name, in: database)
    while row != part {
      // If symbols showed that two groups are one, both names mean it.
      let joined = try database.integer("SELECT joined FROM groups WHERE id = ?1", row)
      if joined != GroupJoin.bySymbols.rawValue {
        throw ActionError.partOf(name, whole: try GroupsTable.name(of: part, in: database))
      }
      guard
        let above: RowID<Tables.Groups> = try database.id(
          "SELECT redirect FROM groups WHERE id = ?1", row)
      else { break }
      row = above
    }
    guard try isToldApart(part, from: whole, in: database) else { return }
    throw ActionError.toldApart(
      try GroupsTable.name(of: whole, in: database), try GroupsTable.name(of: part, in: database),
      by: try whoTold(part, from: whole, in: database))
  }

  /// Makes a group part of another, and checks what its reports imply for the other's state.
  func join(
    _ part: RowID<Tables.Groups>, to whole: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws {
    let app = try app(of: whole, in: database)
    let examples = try Self.newestOfEachRelease(in: part, of: database)
    try database.run(
      "UPDATE groups SET redirect = ?2, joined = \(GroupJoin.byHand.rawValue) WHERE id = ?1", part,
      whole)
    try GroupsTable(app: app, author: author, now: now).settle([whole, part], in: database)
    let states = GroupStatuses(app: app, now: now)
    for report in examples { try states.moved(report, to: whole, of: database) }
  }

  /// The newest report of each release; together they determine the effect of all reports on a state.
  static func newestOfEachRelease(
    in group: RowID<Tables.Groups>, of database: borrowing Connection
  ) throws -> [CountedReport] {
    let rows = try database.prepare(
      """
      SELECT \(CountedReport.columns) FROM (
        SELECT \(CountedReport.columns), row_number() OVER
          (PARTITION BY version, build ORDER BY time DESC, id DESC) AS place, id
        FROM reports WHERE grp = ?1) AS newest WHERE place = 1 ORDER BY id
      """, [group])
    var reports: [CountedReport] = []
    while try rows.step() { try reports.append(CountedReport(rows)) }
    return reports
  }

  /// Separates a group that was merged by hand, as if it had not been merged.
  ///
  /// - Parameter former: The group's identity when it was merged, if it has been joined with another since.
  func unmerge(
    _ part: RowID<Tables.Groups>, named name: String, former: RowID<Tables.Groups>? = nil,
    in database: borrowing Connection
  ) throws {
    guard
      let above: RowID<Tables.Groups> = try database.id(
        "SELECT redirect FROM groups WHERE id = ?1", part)
    else {
      let parts = try CrashStore.Groups.merged(into: part, in: database)
      throw parts.isEmpty ? ActionError.notMerged(name) : ActionError.holds(name, parts)
    }
    let whole = try GroupsTable.root(of: above, in: database)
    let names = (
      part: try GroupsTable.name(of: part, in: database),
      whole: try GroupsTable.name(of: whole, in: database)
    )
    let joined = try database.integer("SELECT joined FROM groups WHERE id = ?1", part)
    if joined == GroupJoin.byLikeness.rawValue {
      return try unlink(part, from: whole, in: database)
    }
    guard joined == GroupJoin.byHand.rawValue else {
      if joined == GroupJoin.bySymbols.rawValue, above != whole {
        // It is another name of a group that is part of the whole in its place.
        return try unmerge(
          above, named: try GroupsTable.name(of: above, in: database), former: part, in: database)
      }
      throw ActionError.oneBySymbols(names.part, with: names.whole)
    }
    let line = try mergeLine(of: part, or: former ?? part, in: database)
    var record = ActionRecord()
    record.group = part
    record.status = try .read(whole, in: database)
    record.assignee = try assignee(of: whole, in: database)
    record.ticket = try GroupTickets.ticket(of: whole, in: database)
    record.mark = try GroupStatuses.mark(in: database)
    try separate(part, from: whole, line, in: database)
    let own = try note(
      whole, .unmerged, "\(names.part) is by itself again", record, in: database)
    try note(part, .unmerged, "out of \(names.whole)", in: database)
    if let line { try close(line.number, by: own, in: database) }
  }

  /// The line of a group's merge, under its present or former identity.
  private func mergeLine(
    of part: RowID<Tables.Groups>, or former: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws -> HistoryLine? {
    try HistoryLine.all(
      """
      event = '\(HistoryEvent.merged)' AND data IS NOT NULL AND undone IS NULL
        AND grp = (SELECT redirect FROM groups WHERE id = ?1) ORDER BY id DESC
      """, part, in: database
    ).first { [part, former].contains($0.record?.group) }
  }

  /// Separates a group from the one that it is part of, and repeats the effects that reports have had on
  /// both meanwhile.
  ///
  /// - Parameter line: The line of the merge.
  func separate(
    _ part: RowID<Tables.Groups>, from whole: RowID<Tables.Groups>, _ line: HistoryLine?,
    in database: borrowing Connection
  ) throws {
    let app = try app(of: whole, in: database)
    try database.run(
      "UPDATE groups SET redirect = NULL, joined = \(GroupJoin.bySymbols.rawValue) WHERE id = ?1",
      part)
    try GroupsTable(app: app, author: author, now: now).settle([whole], in: database)
    try regroup([part, whole], in: database)
    guard let line, let record = line.record, let mark = record.mark else { return }
    let states = GroupStatuses(app: app, now: now)
    try states.replay(after: mark, in: part, of: database)
    guard line.group == whole else { return }
    try restore(record, of: whole, since: line.number, states, in: database)
    if try !hasLater(.assigned, in: whole, than: line, database) {
      try assign(whole, to: record.assignee, in: database)
    }
    if try !hasLater(.ticketed, in: whole, than: line, database) {
      try GroupTickets.set(record.ticket, of: whole, in: database)
    }
  }

  /// Whether a later line of a group's history with this event is in effect.
  private func hasLater(
    _ event: HistoryEvent, in group: RowID<Tables.Groups>, than line: HistoryLine,
    _ database: borrowing Connection
  ) throws -> Bool {
    try database.integer(
      """
      SELECT 1 FROM group_history WHERE grp = ?1 AND id > ?2 AND event = '\(event)'
        AND undone IS NULL
      """, group, line.number) != nil
  }

  /// Applies effects of symbols that were deferred while a user's action held the groups' reports.
  ///
  /// - Parameter groups: Groups of one app.
  func regroup(_ groups: [RowID<Tables.Groups>], in database: borrowing Connection) throws {
    guard let first = groups.first else { return }
    let app = try app(of: first, in: database)
    for group in groups {
      for origin in try Origin.all(
        where: "parent IS NULL AND origins.grp = ?1", group, in: database)
      {
        try Regrouping.examine(origin, in: database)
      }
    }
    let rules = SplitRules(reader: reader)
    while try Regrouping.step(app, rules, in: database) != nil {}
  }

  /// Gives a group the state that it would have without a line of its history, unless a user has decided
  /// about it since.
  ///
  /// - Returns: Whether the state was restored.
  @discardableResult
  func restore(
    _ record: ActionRecord, of group: RowID<Tables.Groups>, since line: RowID<Tables.History>,
    _ states: borrowing GroupStatuses,
    in database: borrowing Connection
  ) throws -> Bool {
    guard let status = record.status, let mark = record.mark,
      try !isDecided(group, since: line, in: database)
    else { return false }
    try status.write(to: group, in: database)
    try states.replay(after: mark, in: group, of: database)
    return true
  }

  /// Whether a user has decided about a group's state after a line of its history.
  private func isDecided(
    _ group: RowID<Tables.Groups>, since line: RowID<Tables.History>,
    in database: borrowing Connection
  ) throws -> Bool {
    try database.integer(
      """
      SELECT 1 FROM group_history WHERE grp = ?1
        AND (id > ?2 AND (event IN \(HistoryEvent.list(Self.stateEvents)) AND undone IS NULL
            OR event = '\(HistoryEvent.merged)' AND author = 'mayday')
          OR id < ?2 AND event IN \(HistoryEvent.list(Self.stateEvents)) AND undone > ?2)
      """, group, line) != nil
  }

  /// Marks a line as undone by another line.
  func close(
    _ line: RowID<Tables.History>, by own: RowID<Tables.History>, in database: borrowing Connection
  ) throws {
    try database.run("UPDATE group_history SET undone = ?2 WHERE id = ?1", line, own)
  }
}
