internal import Database
public import TriageModel

/// Users' actions on groups. Each call acts on all groups that are named, or on none; a name that leads to
/// another group means that group. Each returns the groups in their new state, in the order of the names,
/// without repetition.
///
/// All throw ``StoreError/notFound(_:)`` for an unknown group, ``ActionError`` for an action that is not
/// possible, and `DatabaseError`.
extension CrashStore.Triage {
  /// Maximum number of bytes in the name of an author or assignee.
  public static let nameLimit = 200
  /// Maximum number of bytes in a note.
  public static let noteLimit = 64 << 10

  /// Marks groups as resolved. A report from a release in which a group should be fixed reopens it as
  /// regressed.
  @discardableResult
  public func resolve(
    _ names: [String], _ resolution: Resolution = .afterNewestSeen, by author: String
  ) throws -> [GroupSummary] {
    try act(on: names, by: author) { try $0.resolve($1, resolution, in: $2) }
  }

  /// Opens groups, whatever their state.
  @discardableResult
  public func reopen(_ names: [String], by author: String) throws -> [GroupSummary] {
    try act(on: names, by: author) { try $0.reopen($1, in: $2) }
  }

  /// Ignores groups until their condition is met.
  @discardableResult
  public func ignore(
    _ names: [String], _ condition: IgnoreCondition = IgnoreCondition(), by author: String
  ) throws -> [GroupSummary] {
    try act(on: names, by: author) { try $0.ignore($1, condition, in: $2) }
  }

  /// Assigns groups; `nil` for no assignee.
  @discardableResult
  public func assign(
    _ names: [String], to assignee: String?, by author: String
  ) throws -> [GroupSummary] {
    try assignee.map(Self.check(name:))
    return try act(on: names, by: author) { try $0.assign($1, assignee, in: $2) }
  }

  /// Links groups to an issue in a tracker; `nil` removes the link.
  ///
  /// - Throws: ``ActionError/invalidTicket(_:)`` for an address that is not one of the web.
  @discardableResult
  public func setTicket(
    _ names: [String], to ticket: GroupTicket?, by author: String
  ) throws -> [GroupSummary] {
    if let ticket, !GroupTicket.isURL(ticket.url) { throw ActionError.invalidTicket(ticket.url) }
    return try act(on: names, by: author) { try $0.set(ticket, of: $1, in: $2) }
  }

  /// Adds a note to groups.
  @discardableResult
  public func note(
    _ names: [String], _ text: String, by author: String
  ) throws -> [GroupSummary] {
    guard text.contains(where: { !$0.isWhitespace }) else { throw ActionError.emptyNote }
    let text = text.withUnixLineEnds
    guard text.utf8.count <= Self.noteLimit else {
      throw ActionError.tooLong("the note", limit: Self.noteLimit)
    }
    return try act(on: names, by: author) { try $0.write(text, to: $1, in: $2) }
  }

  /// Merges groups into one; their names lead there from then on. `undo` without a line reverts all of the
  /// call's merges.
  ///
  /// A name that leads to another group by a merge or by likeness is refused, because the user did not name
  /// that group. So are two groups that were marked as distinct.
  @discardableResult
  public func merge(
    _ parts: [String], into whole: String, by author: String
  ) throws -> GroupSummary {
    try Self.check(name: author)
    return try store.act(.global) { database, now in
      let actions = GroupActions(
        author: author, now: now, reader: StoredReader(contents: store.contents))
      let target = try CrashStore.Groups.groupRow(named: whole, in: database)
      var first: RowID<Tables.History>?
      for name in parts {
        let part = try CrashStore.Groups.groupRow(named: name, in: database)
        guard part != target else { throw ActionError.sameGroup(whole, name) }
        guard try actions.app(of: part, in: database) == actions.app(of: target, in: database)
        else {
          throw ActionError.otherApp(whole, name)
        }
        try actions.checkMerge(of: name, part, into: target, in: database)
        let line = try actions.merge(part, into: target, batch: first, in: database)
        first = first ?? line
      }
      return try CrashStore.Groups.summary(of: target, in: database)
    }
  }

  /// Separates groups from the one that they were merged into, with the reports that came since.
  ///
  /// - Returns: The groups that were taken out.
  @discardableResult
  public func unmerge(_ parts: [String], by author: String) throws -> [GroupSummary] {
    try Self.check(name: author)
    return try store.act(.global) { database, now in
      let actions = GroupActions(
        author: author, now: now, reader: StoredReader(contents: store.contents))
      var rows: [RowID<Tables.Groups>] = []
      for name in parts {
        let part = try CrashStore.Groups.namedRow(name, in: database)
        try actions.unmerge(part, named: name, in: database)
        rows.append(part)
      }
      return try rows.map { try CrashStore.Groups.summary(of: $0, in: database) }
    }
  }

  /// Undoes the last action on each group, or the one in a line of the history.
  @discardableResult
  public func undo(
    _ names: [String], line: Int? = nil, by author: String
  ) throws -> [GroupSummary] {
    try act(on: names, by: author) { try $0.undo($1, line: line, in: $2) }
  }

  static func check(name: String) throws(ActionError) {
    guard name.utf8.count <= nameLimit else { throw .tooLong("a name", limit: nameLimit) }
    guard AppName.isValid(name), name.contains(where: { !$0.isWhitespace }) else {
      throw .invalidName(name)
    }
  }

  private func act(
    on names: [String], by author: String,
    _ body: (borrowing GroupActions, RowID<Tables.Groups>, borrowing Connection) throws -> Void
  ) throws -> [GroupSummary] {
    try Self.check(name: author)
    return try store.act(.global) { database, now in
      let actions = GroupActions(
        author: author, now: now, reader: StoredReader(contents: store.contents))
      var rows: [RowID<Tables.Groups>] = []
      for name in names {
        let row = try CrashStore.Groups.groupRow(named: name, in: database)
        if !rows.contains(row) { rows.append(row) }
      }
      for row in rows { try body(actions, row, database) }
      // A group that was merged back after a split is now another name of the original group.
      var shown: [RowID<Tables.Groups>] = []
      for row in rows {
        let root = try GroupsTable.root(of: row, in: database)
        if !shown.contains(root) { shown.append(root) }
      }
      return try shown.map { try CrashStore.Groups.summary(of: $0, in: database) }
    }
  }
}
