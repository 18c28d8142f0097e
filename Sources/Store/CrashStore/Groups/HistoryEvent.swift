internal import Database

/// The event of a line of a group's history, as stored in `group_history.event`.
enum HistoryEvent: String, SQLBindable {
  case opened, titled, moved, symbolicated, regrouped, imported
  case merged, unmerged, split, distinct, undone
  case resolved, reopened, ignored, regressed, returned
  case assigned, noted, ticketed

  /// Returns events as a list in SQL.
  static func list(_ events: [HistoryEvent]) -> String {
    "(" + events.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }
}
