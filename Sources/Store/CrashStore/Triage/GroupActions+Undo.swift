internal import Database

/// Undoing users' actions.
extension GroupActions {
  /// Undoes a line of a group's history: the one with a number, or the last one that can be undone.
  func undo(
    _ group: RowID<Tables.Groups>, line number: Int?, in database: borrowing Connection
  ) throws {
    let line = try line(number, of: group, in: database)
    try undo(line, in: database)
    // Without a number, all merges of one call are undone.
    guard number == nil, line.event == .merged, let record = line.record else { return }
    let batch = record.batch ?? line.number
    while let next = try HistoryLine.all(
      "grp = ?1 AND data IS NOT NULL AND undone IS NULL ORDER BY id DESC LIMIT 1", line.group,
      in: database
    ).first, next.number < line.number, next.number == batch || next.record?.batch == batch {
      try undo(next, in: database)
    }
  }

  private func undo(_ line: HistoryLine, in database: borrowing Connection) throws {
    guard let record = line.record else {
      throw ActionError.cannotUndo(line.number.rawValue, event: line.event.rawValue)
    }
    let detail = line.detail.isEmpty ? "" : " " + line.detail
    let own = try note(
      line.group, .undone, "#\(line.number), \(line.event)\(detail)", in: database)
    switch line.event {
    case .resolved, .reopened, .ignored:
      try refuseLater(line, than: Self.stateEvents, in: database)
      let states = GroupStatuses(app: try app(of: line.group, in: database), now: now)
      let isRestored = try restore(
        record, of: line.group, since: line.number, states, in: database)
      if !isRestored {
        throw ActionError.metSince(
          line.number.rawValue, name: try GroupsTable.name(of: line.group, in: database))
      }
    case .assigned:
      try refuseLater(line, than: [.assigned], in: database)
      try assign(line.group, to: record.assignee, in: database)
    case .ticketed:
      try refuseLater(line, than: [.ticketed], in: database)
      try GroupTickets.set(record.ticket, of: line.group, in: database)
    case .merged: try unmerge(line, record, in: database)
    case .unmerged: try mergeAgain(line, record, in: database)
    case .split:
      try unsplit(line, record, own: own, in: database)
    case .distinct: try undoDistinct(line, record, own: own, in: database)
    default: break
    }
    try close(line.number, by: own, in: database)
  }

  /// The line to undo, after checking that it can be undone.
  private func line(
    _ number: Int?, of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> HistoryLine {
    let name = try GroupsTable.name(of: group, in: database)
    guard let number else {
      let last = try HistoryLine.all(
        "grp = ?1 AND data IS NOT NULL AND undone IS NULL ORDER BY id DESC LIMIT 1", group,
        in: database
      ).first
      guard let last else { throw ActionError.nothingToUndo(name) }
      return try whole(last, in: database)
    }
    guard let found = try HistoryLine.all("id = ?1", number, in: database).first,
      try GroupsTable.root(of: found.group, in: database) == group
    else { throw ActionError.noSuchLine(number, in: name) }
    guard found.undone == nil else { throw ActionError.undoneBefore(number) }
    if found.group != group && found.event != .noted {
      throw ActionError.partOf(
        try GroupsTable.name(of: found.group, in: database), whole: name)
    }
    return try whole(found, in: database)
  }

  /// The line about the same action in the history of the group that it was done to.
  private func whole(
    _ line: HistoryLine, in database: borrowing Connection
  ) throws -> HistoryLine {
    guard let other = line.record?.line,
      let found = try HistoryLine.all("id = ?1", other, in: database).first
    else { return line }
    guard found.undone == nil else { throw ActionError.undoneBefore(line.number.rawValue) }
    return found
  }

  /// Throws if a later line of the same kind is still in effect.
  private func refuseLater(
    _ line: HistoryLine, than events: [HistoryEvent], in database: borrowing Connection
  ) throws {
    let later = try database.integer(
      """
      SELECT max(id) FROM group_history WHERE grp = ?1 AND id > ?2 AND event IN \(HistoryEvent.list(events))
        AND data IS NOT NULL AND undone IS NULL
      """, line.group, line.number)
    guard let later else { return }
    throw ActionError.undoFirst(
      line.number.rawValue, later: later, in: try GroupsTable.name(of: line.group, in: database))
  }

  private func unmerge(
    _ line: HistoryLine, _ record: ActionRecord, in database: borrowing Connection
  ) throws {
    guard let part = record.group,
      try database.integer(
        "SELECT 1 FROM groups WHERE id = ?1 AND redirect = ?2 AND joined = \(GroupJoin.byHand.rawValue)",
        part, line.group)
        != nil
    else {
      throw ActionError.metSince(
        line.number.rawValue, name: try GroupsTable.name(of: line.group, in: database))
    }
    try separate(part, from: line.group, line, in: database)
    let name = try GroupsTable.name(of: line.group, in: database)
    try note(part, .unmerged, "out of \(name)", in: database)
  }

  private func mergeAgain(
    _ line: HistoryLine, _ record: ActionRecord, in database: borrowing Connection
  ) throws {
    guard let part = record.group else { return }
    guard try GroupsTable.root(of: part, in: database) == part else {
      throw ActionError.changedSince(
        try GroupsTable.name(of: part, in: database), words: "was merged")
    }
    try merge(part, into: line.group, in: database)
    let states = GroupStatuses(app: try app(of: line.group, in: database), now: now)
    try restore(record, of: line.group, since: line.number, states, in: database)
    try assign(line.group, to: record.assignee, in: database)
    try GroupTickets.set(record.ticket, of: line.group, in: database)
  }
}
