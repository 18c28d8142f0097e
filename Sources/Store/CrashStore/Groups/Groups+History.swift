internal import Database

extension CrashStore.Groups {
  /// Returns the history of a group and of those that were merged into it, oldest first.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func history(ofGroup name: String) throws -> [GroupEvent] {
    try store.read { database in
      let row = try Self.groupRow(named: name, in: database)
      let rows = try database.prepare(
        Self.tree + """
          SELECT group_history.id, apps.prefix || '-' || groups.number AS group_name, time, author,
            event, detail, undone, (data IS NOT NULL AND undone IS NULL) AS is_action
          FROM group_history JOIN groups ON groups.id = grp JOIN apps ON apps.id = groups.app
          WHERE grp IN (SELECT id FROM tree) ORDER BY group_history.id
          """, [row])
      var events: [GroupEvent] = []
      while try rows.step() {
        let event = try rows.text("event")
        let detail = try rows.text("detail")
        try events.append(
          GroupEvent(
            number: rows.int("id"), group: rows.text("group_name"),
            time: rows.timestamp("time"),
            author: rows.text("author"), event: event,
            // Notes of version 0.1.0 may have the line ends of a browser.
            detail: event == HistoryEvent.noted.rawValue ? detail.withUnixLineEnds : detail,
            undone: rows.optionalInt("undone"), isAction: rows.bool("is_action")))
      }
      return events
    }
  }

  /// The group of a row and all that redirect to it.
  private static let tree = """
    WITH RECURSIVE tree (id) AS (
      SELECT CAST(?1 AS BIGINT) UNION
      SELECT groups.id FROM groups JOIN tree ON groups.redirect = tree.id)

    """

  /// Returns the names of the groups that were merged into one by hand.
  static func merged(
    into row: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> [String] {
    guard try database.integer("SELECT 1 FROM groups WHERE redirect = ?1", row) != nil else {
      return []
    }
    let rows = try database.prepare(
      Self.tree + """
        SELECT apps.prefix || '-' || groups.number AS group_name
        FROM groups JOIN apps ON apps.id = groups.app
        WHERE groups.id IN (SELECT id FROM tree) AND joined = \(GroupJoin.byHand.rawValue) AND groups.id != ?1 ORDER BY groups.id
        """, [row])
    var names: [String] = []
    while try rows.step() { try names.append(rows.text("group_name")) }
    return names
  }
}
