internal import Database

/// Declaring two groups distinct.
extension GroupActions {
  /// Declares two groups distinct, so that they are neither linked nor shown as related.
  func tellApart(
    _ group: RowID<Tables.Groups>, from other: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    guard try !isToldApart(group, from: other, in: database) else { return }
    let names = (
      group: try GroupsTable.name(of: group, in: database),
      other: try GroupsTable.name(of: other, in: database)
    )
    let (keys, others) = try keys(of: group, and: other, in: database)
    guard keys.count * others.count <= DistinctKeys.pairLimit else {
      throw ActionError.tooManyKeys(names.group, names.other)
    }
    let apps: Set = [try app(of: group, in: database), try app(of: other, in: database)]
    for key in keys {
      for another in others { try DistinctKeys.add(key, another, of: apps, in: database) }
    }
    var record = ActionRecord()
    record.group = other
    let line = try note(group, .distinct, "from \(names.other)", record, in: database)
    var second = ActionRecord()
    second.line = line
    try note(other, .distinct, "from \(names.group)", second, in: database)
  }

  /// Forgets that two groups are distinct, whoever declared it; links may then join them.
  ///
  /// - Throws: ``ActionError/notDistinct(_:_:)`` where they were not declared distinct.
  func forgetDistinct(
    _ group: RowID<Tables.Groups>, from other: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    let names = (
      group: try GroupsTable.name(of: group, in: database),
      other: try GroupsTable.name(of: other, in: database)
    )
    guard try isToldApart(group, from: other, in: database) else {
      throw ActionError.notDistinct(names.group, names.other)
    }
    let own = try note(group, .undone, "distinct from \(names.other)", in: database)
    let another = try note(other, .undone, "distinct from \(names.group)", in: database)
    for (group, other, line) in [(group, other, own), (other, group, another)] {
      for said in try HistoryLine.all(
        "event = '\(HistoryEvent.distinct)' AND undone IS NULL AND grp = ?1", group, in: database)
      where try said.record?.group.map({ try GroupsTable.root(of: $0, in: database) }) == other {
        try closeBoth(said.number, of: other, by: line, in: database)
      }
    }
    try relate(group, to: other, in: database)
  }

  /// Undoes a line that declares two groups distinct.
  ///
  /// - Parameter own: The history line of this undo.
  func undoDistinct(
    _ line: HistoryLine, _ record: ActionRecord, own: RowID<Tables.History>,
    in database: borrowing Connection
  ) throws {
    guard let said = record.group else { return }
    let (group, other) = (
      try GroupsTable.root(of: line.group, in: database),
      try GroupsTable.root(of: said, in: database)
    )
    let name = try GroupsTable.name(of: group, in: database)
    try note(other, .undone, "distinct from \(name)", in: database)
    try closeBoth(line.number, of: said, by: own, in: database)
    if group != other { try relate(group, to: other, in: database) }
  }

  /// Marks a line as undone, and its counterpart in the history of the other group.
  private func closeBoth(
    _ line: RowID<Tables.History>, of other: RowID<Tables.Groups>, by own: RowID<Tables.History>,
    in database: borrowing Connection
  ) throws {
    try close(line, by: own, in: database)
    for twin in try HistoryLine.all(
      "event = '\(HistoryEvent.distinct)' AND undone IS NULL AND grp = ?1", other, in: database)
    where twin.record?.line == line { try close(twin.number, by: own, in: database) }
  }

  /// Allows keys of two groups to be linked again.
  private func relate(
    _ group: RowID<Tables.Groups>, to other: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    let (keys, others) = try keys(of: group, and: other, in: database)
    let apps: Set = [try app(of: group, in: database), try app(of: other, in: database)]
    for key in keys {
      for another in others { try DistinctKeys.remove(key, another, of: apps, in: database) }
    }
    guard apps.count == 1, let app = apps.first else { return }
    for key in keys { try KeyStacks(of: app).relink(key, in: database) }
    var arrangement = KeyRegrouping(of: app, now: now, SplitRules(reader: reader))
    try arrangement.run(around: keys, in: database)
  }

  /// Returns the user who declared two groups distinct; `nil` where only parts of them were declared so.
  func whoTold(
    _ group: RowID<Tables.Groups>, from other: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws -> String? {
    for (one, another) in [(group, other), (other, group)] {
      for said in try HistoryLine.all(
        "event = '\(HistoryEvent.distinct)' AND undone IS NULL AND grp = ?1 ORDER BY id DESC", one,
        in: database)
      where try said.record?.group.map({ try GroupsTable.root(of: $0, in: database) }) == another {
        return try database.text("SELECT author FROM group_history WHERE id = ?1", said.number)
      }
    }
    return nil
  }

  func isToldApart(
    _ group: RowID<Tables.Groups>, from other: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws -> Bool {
    let partners = try DistinctKeys.partners(ofGroup: group, in: database)
    return try !partners.isDisjoint(with: DistinctKeys.keys(ofGroup: other, in: database))
  }

  private func keys(
    of group: RowID<Tables.Groups>, and other: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws -> ([String], [String]) {
    (
      try DistinctKeys.keys(ofGroup: group, in: database).sorted(),
      try DistinctKeys.keys(ofGroup: other, in: database).sorted()
    )
  }
}
