internal import Database

/// A line of a group's history, as it stands in its row.
struct HistoryLine {
  let number: Int
  let group: Int
  let event: String
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
      lines.append(
        HistoryLine(
          number: rows.int("id"), group: rows.int("grp"), event: rows.text("event"),
          detail: rows.text("detail"),
          record: rows.optionalText("data").map { ActionRecord($0) },
          undone: rows.optionalInt("undone")))
    }
    return lines
  }
}
