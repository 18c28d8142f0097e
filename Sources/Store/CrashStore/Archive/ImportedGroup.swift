internal import Database
internal import Identifiers
internal import TriageModel

/// A group of another store, as far as it is imported.
struct ImportedGroup {
  /// Columns with the users' decisions about a group; a group created by the import takes them over. The
  /// others follow from its reports, or belong to the other store.
  static let decisions = [
    "state", "state_time", "state_author", "fixed_how", "fixed_version", "fixed_build",
    "ignore_reports", "ignore_users", "ignore_until", "assignee",
  ]
  /// Event of a history line that a user wrote by hand.
  private static let note = HistoryEvent.noted.rawValue

  private struct Key {
    let key: String
    let rules: String
    let isMain: Bool
  }

  private struct Line {
    let id: RowID<Tables.History>
    let time: Timestamp
    let author: String
    let event: String
    let detail: String
    let undone: RowID<Tables.History>?
    /// The release of the report that caused it.
    let version: String?
    let build: String?
  }

  private let name: String
  /// The key of the title first, then by name.
  private let keys: [Key]
  private let values: [SQLValue]
  private let ticket: GroupTicket?
  private let history: [Line]

  /// - Parameter row: The group's row in the other store.
  init(_ row: RowID<Tables.Groups>, in other: borrowing Connection) throws {
    name = try GroupsTable.name(of: row, in: other)
    var keys: [Key] = []
    let keyRows = try other.prepare(
      """
      SELECT key, group_keys.rules, is_main FROM group_keys JOIN groups ON groups.id = grp
      WHERE grp = ?1 ORDER BY key != main_key, key
      """, [row])
    while try keyRows.step() {
      try keys.append(
        Key(key: keyRows.text("key"), rules: keyRows.text("rules"), isMain: keyRows.bool("is_main"))
      )
    }
    self.keys = keys
    var values: [SQLValue] = []
    for column in Self.decisions {
      let rows = try other.prepare("SELECT \(column) AS value FROM groups WHERE id = ?1", [row])
      guard try rows.step(), try !rows.isNull("value") else {
        values.append(.null)
        continue
      }
      try values.append(
        rows.isInteger("value") ? .integer(Int64(rows.int("value"))) : .text(rows.text("value")))
    }
    self.values = values
    ticket = try GroupTickets.ticket(of: row, in: other)
    var history: [Line] = []
    let lines = try other.prepare(
      """
      SELECT id, time, author, event, detail, undone, version, build FROM group_history
      WHERE grp = ?1 ORDER BY id
      """, [row])
    while try lines.step() {
      try history.append(
        Line(
          id: lines.id("id"), time: lines.timestamp("time"), author: lines.text("author"),
          event: lines.text("event"),
          detail: lines.text("detail"), undone: lines.optionalID("undone"),
          version: lines.optionalText("version"), build: lines.optionalText("build")))
    }
    self.history = history
  }

  /// Adds an unknown signature of a report to the origin that another main key of the group leads to.
  func meet(
    _ report: ReportRow, _ table: borrowing GroupsTable, in database: borrowing Connection
  ) throws {
    guard try table.find(report.signature, in: database).origin == nil else { return }
    for key in keys where key.isMain {
      if let origin = try table.owner(of: key.key, mainOnly: true, in: database) {
        try table.add(report.signature, to: origin, in: database)
        return
      }
    }
  }

  /// Copies keys, decisions and history into a group that was created for one of its reports.
  ///
  /// - Parameter isKeyed: Whether the keys belong to the same app, and are copied.
  func adopt(
    into group: RowID<Tables.Groups>, origin: RowID<Tables.Origins>, isKeyed: Bool = true,
    _ table: borrowing GroupsTable,
    in database: borrowing Connection
  ) throws {
    for key in isKeyed ? keys : [] {
      try database.insert(
        into: "group_keys",
        [
          "app": table.app, "key": key.key, "grp": group, "origin": origin, "rules": key.rules,
          "is_main": key.isMain, "created": table.now.microseconds,
        ],
        onConflict: "ON CONFLICT DO NOTHING")
    }
    for (column, value) in zip(Self.decisions, values) {
      try database.run("UPDATE groups SET \(column) = ?2 WHERE id = ?1", group, value)
    }
    try GroupTickets.set(ticket, of: group, in: database)
    try KnownFixes.changed(group, in: database)
    try RowNumbers.history.keep(in: database)
    try database.run("DELETE FROM group_history WHERE grp = ?1", group)
    var rows: [RowID<Tables.History>: RowID<Tables.History>] = [:]
    for line in history {
      try add(line, to: group, of: table.app, in: database)
      rows[line.id] = database.lastID()
    }
    for line in history {
      guard let undone = line.undone.flatMap({ rows[$0] }), let row = rows[line.id] else {
        continue
      }
      try database.run("UPDATE group_history SET undone = ?2 WHERE id = ?1", row, undone)
    }
    try table.note(group, .imported, "as \(name)", in: database)
  }

  /// Adds the notes of users to a group that was here before, unless it has them.
  func addNotes(
    to group: RowID<Tables.Groups>, of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    for line in history where line.event == Self.note {
      let known = try database.integer(
        """
        SELECT 1 FROM group_history
        WHERE grp = ?1 AND time = ?2 AND author = ?3 AND event = ?4 AND detail = ?5
        """, group, line.time.microseconds, line.author, line.event, line.detail)
      if known == nil { try add(line, to: group, of: app, in: database) }
    }
  }

  private func add(
    _ line: Line, to group: RowID<Tables.Groups>, of app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "group_history",
      [
        "id": RowNumbers.history.next(in: database), "app": app, "grp": group,
        "time": line.time.microseconds, "author": line.author, "event": line.event,
        "detail": line.detail, "version": line.version, "build": line.build,
      ])
  }
}
