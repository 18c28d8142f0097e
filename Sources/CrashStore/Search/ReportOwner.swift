internal import Query
internal import Database

/// Everything, one app or one group: reports that an index has in the order of time.
struct ReportOwner {
  /// A condition on `reports`.
  let sql: String
  let values: [any SQLBindable]
  /// The same on `groups`.
  private let groups: String

  /// `nil` where the query asks for something else.
  init?(_ query: Query, in database: borrowing Connection) throws {
    guard let condition = query.conditions.first else {
      (sql, groups) = ("true", "true")
      values = []
      return
    }
    guard query.conditions.count == 1, !condition.isNegated, condition.alternatives.count == 1,
      let alternative = condition.alternatives.first, alternative.sources.count == 1
    else { return nil }
    switch (alternative.sources[0], alternative.test) {
    case (.group, .text(let pattern)) where pattern.exactText != nil:
      let rows = try SearchGroups.rows(matching: alternative.test, .group, in: database)
      guard let group = rows.first else { return nil }
      (sql, groups) = ("grp = ?1", "groups.id = ?1")
      values = [group]
    case (.app, .exact(let name)):
      let app = try database.integer("SELECT id FROM apps WHERE name = ?1", name)
      guard let app else { return nil }
      (sql, groups) = ("app = ?1", "groups.app = ?1")
      values = [app]
    default: return nil
    }
  }

  /// How many reports there are, by what groups count: going through millions of rows takes longer
  /// than anything else that a page needs.
  ///
  /// - Throws: `DatabaseError`.
  func count(in database: borrowing Connection) throws -> Int {
    guard
      let stored = try database.prepare(
        "SELECT coalesce(sum(reports), 0) FROM groups WHERE " + groups, values
      ).first
    else { throw StoreError.damaged("a sum has no value") }
    guard
      let past = try database.prepare(
        """
        SELECT coalesce(sum(count), 0) FROM past_reports JOIN origins ON origins.id = past_reports.origin
          JOIN groups ON groups.id = origins.grp WHERE \(groups)
        """, values
      ).first
    else { throw StoreError.damaged("a sum has no value") }
    return stored - past
  }
}
