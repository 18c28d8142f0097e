internal import Database
public import TriageModel

extension CrashStore.Triage {
  /// Declares groups distinct from another: their keys are never linked with its keys, and neither is shown
  /// as related to the other. A group that likeness joined to the other is separated.
  ///
  /// - Parameter isUndone: Whether to undo earlier declarations instead.
  /// - Returns: The groups, the other last, and the names of those that were separated.
  /// - Throws: ``StoreError/notFound(_:)``; ``ActionError``; `DatabaseError`.
  @discardableResult
  public func distinguish(
    _ names: [String], from other: String, isUndone: Bool = false, by author: String
  ) throws -> (groups: [GroupSummary], separated: [String]) {
    try Self.check(name: author)
    return try store.act(.global) { database, now in
      let actions = GroupActions(
        author: author, now: now, reader: StoredReader(contents: store.contents))
      var separated: [String] = []
      var shown: [RowID<Tables.Groups>] = []
      let whole = try CrashStore.Groups.namedRow(other, in: database)
      for name in names {
        let part = try CrashStore.Groups.namedRow(name, in: database)
        guard part != whole else { throw ActionError.distinctFromItself(name) }
        let roots = (
          try GroupsTable.root(of: part, in: database),
          try GroupsTable.root(of: whole, in: database)
        )
        if isUndone {
          guard roots.0 != roots.1 else { throw ActionError.notDistinct(name, other) }
          try actions.forgetDistinct(roots.0, from: roots.1, in: database)
        } else if roots.0 != roots.1 {
          try actions.tellApart(roots.0, from: roots.1, in: database)
        } else {
          try separated.append(
            Self.separate(part, whole, under: roots.0, actions, in: database))
        }
        shown.append(part)
      }
      var rows: [RowID<Tables.Groups>] = []
      for row in shown + [whole] {
        let root = try GroupsTable.root(of: row, in: database)
        if !rows.contains(root) { rows.append(root) }
      }
      return (
        try rows.map { try CrashStore.Groups.summary(of: $0, in: database) }, separated
      )
    }
  }

  /// Separates one of two groups that show as one, if likeness joined it.
  ///
  /// - Returns: Its name.
  private static func separate(
    _ part: RowID<Tables.Groups>, _ whole: RowID<Tables.Groups>, under root: RowID<Tables.Groups>,
    _ actions: borrowing GroupActions, in database: borrowing Connection
  ) throws -> String {
    for group in [part, whole] {
      let joined = try database.integer(
        "SELECT joined FROM groups WHERE id = ?1 AND redirect IS NOT NULL", group)
      guard joined == GroupJoin.byLikeness.rawValue else { continue }
      try actions.unlink(group, from: root, in: database)
      let name = try GroupsTable.name(of: group, in: database)
      guard try GroupsTable.root(of: group, in: database) == group else {
        throw ActionError.oneBySymbols(name, with: try GroupsTable.name(of: root, in: database))
      }
      return name
    }
    // The redirected one was merged by hand, or symbols showed that both are one.
    let below = part == root ? whole : part
    let names = (
      try GroupsTable.name(of: below, in: database), try GroupsTable.name(of: root, in: database)
    )
    let joined = try database.integer("SELECT joined FROM groups WHERE id = ?1", below)
    throw joined == GroupJoin.byHand.rawValue
      ? ActionError.partOf(names.0, whole: names.1)
      : ActionError.oneBySymbols(names.0, with: names.1)
  }
}
