internal import CrashModel
internal import Database

extension CrashStore {
  /// What happened to a group and to those that were merged into it, oldest first.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func history(ofGroup name: String) throws -> [GroupEvent] {
    try read { database in
      let row = try Self.groupRow(named: name, in: database)
      let rows = try database.prepare(
        Self.tree + """
          SELECT group_history.id, apps.prefix || '-' || groups.number, time, author, event, detail,
            undone, data IS NOT NULL AND undone IS NULL
          FROM group_history JOIN groups ON groups.id = grp JOIN apps ON apps.id = groups.app
          WHERE grp IN tree ORDER BY group_history.id
          """, [row])
      var events: [GroupEvent] = []
      while try rows.step() {
        events.append(
          GroupEvent(
            number: rows.int(0), group: rows.text(1), time: Timestamp(microseconds: rows.int(2)),
            author: rows.text(3), event: rows.text(4), detail: rows.text(5),
            undone: rows.optionalInt(6), isAction: rows.int(7) != 0))
      }
      return events
    }
  }

  /// The group of a row and all that show under it.
  private static let tree = """
    WITH RECURSIVE tree (id) AS (
      SELECT ?1 UNION SELECT groups.id FROM groups JOIN tree ON groups.redirect = tree.id)

    """

  /// The names of the groups that were merged into one by hand.
  static func merged(into row: Int, in database: borrowing Connection) throws -> [String] {
    guard try database.integer("SELECT 1 FROM groups WHERE redirect = ?1", row) != nil else {
      return []
    }
    let rows = try database.prepare(
      Self.tree + """
        SELECT apps.prefix || '-' || groups.number FROM groups JOIN apps ON apps.id = groups.app
        WHERE groups.id IN tree AND joined = 1 AND groups.id != ?1 ORDER BY groups.id
        """, [row])
    var names: [String] = []
    while try rows.step() { names.append(rows.text(0)) }
    return names
  }
}
