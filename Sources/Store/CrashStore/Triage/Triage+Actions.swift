public import CrashModel
internal import Database

/// What people do to groups. Each call does it to all groups that are named, or to none; a name that
/// leads to another group stands for that. Each returns the groups as they are then, in the order of
/// their names, each once.
///
/// All throw ``StoreError/notFound(_:)`` for a group that is not there, ``ActionError`` for what
/// cannot be done, and `DatabaseError`.
extension CrashStore.Triage {
  /// The most bytes of a name of an author or assignee.
  public static let nameLimit = 200
  /// The most bytes of a note.
  public static let noteLimit = 64 << 10

  /// Marks groups as fixed. A report from a release in which that should be so brings one back.
  @discardableResult
  public func resolve(
    _ names: [String], _ resolution: Resolution = .afterNewestSeen, by author: String
  ) throws -> [GroupSummary] {
    try act(on: names, by: author) { try $0.resolve($1, resolution, in: $2) }
  }

  /// Makes groups open, whatever they were.
  @discardableResult
  public func reopen(_ names: [String], by author: String) throws -> [GroupSummary] {
    try act(on: names, by: author) { try $0.reopen($1, in: $2) }
  }

  /// Leaves groups alone until they come back by themselves.
  @discardableResult
  public func ignore(
    _ names: [String], _ condition: IgnoreCondition = IgnoreCondition(), by author: String
  ) throws -> [GroupSummary] {
    try act(on: names, by: author) { try $0.ignore($1, condition, in: $2) }
  }

  /// Notes who looks after groups; `nil` for nobody.
  @discardableResult
  public func assign(
    _ names: [String], to assignee: String?, by author: String
  ) throws -> [GroupSummary] {
    try assignee.map(Self.check(name:))
    return try act(on: names, by: author) { try $0.assign($1, assignee, in: $2) }
  }

  /// Adds a note to groups.
  @discardableResult
  public func note(
    _ names: [String], _ text: String, by author: String
  ) throws -> [GroupSummary] {
    guard text.contains(where: { !$0.isWhitespace }) else { throw ActionError.emptyNote }
    guard text.utf8.count <= Self.noteLimit else {
      throw ActionError.tooLong("the note", limit: Self.noteLimit)
    }
    return try act(on: names, by: author) { try $0.write(text, to: $1, in: $2) }
  }

  /// Merges groups into one; their names lead there from then on. `undo` without a line takes back all of them.
  ///
  /// A name that leads to another group by a merge or by likeness is refused: nobody named that group. So are two
  /// groups of which somebody said that they are not the same.
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

  /// Takes groups out of the one that they were merged into, with the reports that have come since.
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

  /// Undoes the last thing that was done to each group, or the one of a line of the history.
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
      // What was split off and put back is another name of the group now.
      var shown: [RowID<Tables.Groups>] = []
      for row in rows {
        let root = try GroupsTable.root(of: row, in: database)
        if !shown.contains(root) { shown.append(root) }
      }
      return try shown.map { try CrashStore.Groups.summary(of: $0, in: database) }
    }
  }
}
