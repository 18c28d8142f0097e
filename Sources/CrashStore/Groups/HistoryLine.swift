internal import Database

/// A line of a group's history, as it stands in its row.
struct HistoryLine {
  let number: Int
  let group: Int
  let event: HistoryEvent
  let detail: String
  /// What undoing it needs; `nil` for what cannot be undone.
  let record: ActionRecord?
  /// The line that undid it.
  let undone: Int?

  /// The lines that a condition holds for.
  static func all(
    _ condition: String, _ value: Int, in database: borrowing Connection
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
          number: rows.int("id"), group: rows.int("grp"), event: event,
          detail: rows.text("detail"),
          record: rows.optionalText("data").map { try ActionRecord($0) },
          undone: rows.optionalInt("undone")))
    }
    return lines
  }
}
