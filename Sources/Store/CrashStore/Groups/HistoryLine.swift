internal import Database

/// A line of a group's history, as stored in its row.
struct HistoryLine {
  let number: RowID<Tables.History>
  let group: RowID<Tables.Groups>
  let event: HistoryEvent
  let detail: String
  /// The data for undoing it; `nil` if it cannot be undone.
  let record: ActionRecord?
  /// The line that undid it.
  let undone: RowID<Tables.History>?

  /// Returns the lines for which a condition holds.
  static func all(
    _ condition: String, _ value: any SQLBindable, in database: borrowing Connection
  ) throws -> [HistoryLine] {
    let rows = try database.prepare(
      "SELECT id, grp, event, detail, data, undone FROM group_history WHERE " + condition, [value])
    var lines: [HistoryLine] = []
    while try rows.step() {
      guard let event = try HistoryEvent(rawValue: rows.text("event")) else {
        throw StoreError.damaged("line \(try rows.int("id")) of group_history has no known event")
      }
      try lines.append(
        HistoryLine(
          number: rows.id("id"), group: rows.id("grp"), event: event,
          detail: rows.text("detail"),
          record: rows.optionalText("data").map { try ActionRecord($0) },
          undone: rows.optionalID("undone")))
    }
    return lines
  }
}
