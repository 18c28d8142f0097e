internal import Database

/// What a line of a group's history is about, as `group_history.event` has it.
enum HistoryEvent: String, SQLBindable {
  case opened, titled, moved, symbolicated, regrouped, imported
  case merged, unmerged, split, distinct, undone
  case resolved, reopened, ignored, regressed, returned
  case assigned, noted

  /// Events as a list in SQL.
  static func list(_ events: [HistoryEvent]) -> String {
    "(" + events.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }
}
