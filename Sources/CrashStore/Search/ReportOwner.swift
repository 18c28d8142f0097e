internal import Query
internal import SQLite

/// Everything, one app or one group: reports that an index has in the order of time.
struct ReportOwner {
  let sql: String
  let values: [any SQLBindable]

  /// `nil` where the query asks for something else.
  init?(_ query: Query, in database: borrowing Connection) throws {
    guard let condition = query.conditions.first else {
      sql = "1"
      values = []
      return
    }
    guard query.conditions.count == 1, !condition.isNegated, condition.alternatives.count == 1,
      let alternative = condition.alternatives.first, alternative.sources.count == 1,
      case .text(let pattern) = alternative.test, let name = pattern.exactText
    else { return nil }
    switch alternative.sources[0] {
    case .group:
      let groups = try SearchGroups.rows(matching: alternative.test, .group, in: database)
      guard let group = groups.first else { return nil }
      sql = "grp = ?1"
      values = [group]
    case .app:
      let rows = try database.prepare("SELECT id FROM apps WHERE lower(name) = lower(?1)", [name])
      guard try rows.step() else { return nil }
      sql = "app = ?1"
      values = [rows.int(0)]
      if try rows.step() { return nil }
    default: return nil
    }
  }
}
