internal import Query
internal import Database

/// Everything, one app or one group: selections of reports that an index has in order of time.
struct ReportOwner {
  /// A condition on `reports`.
  let sql: String
  let values: [any SQLBindable]
  /// The equivalent condition on `groups`.
  private let groups: String

  /// `nil` where the query has other conditions.
  init?(_ query: Query, in database: borrowing Connection) throws {
    var conditions: [(reports: String, groups: String, row: any SQLBindable)] = []
    for condition in query.conditions {
      guard !condition.isNegated, condition.alternatives.count == 1,
        let alternative = condition.alternatives.first, alternative.sources.count == 1
      else { return nil }
      switch (alternative.sources[0], alternative.test) {
      case (.group, .text(let pattern)) where pattern.exactText != nil:
        let rows = try SearchGroups.rows(matching: alternative.test, .group, in: database)
        guard let group = rows.first else { return nil }
        conditions.append(("grp", "groups.id", group))
      case (.app, .exact(let name)):
        let app = try database.integer("SELECT id FROM apps WHERE name = ?1", name)
        guard let app else { return nil }
        conditions.append(("app", "groups.app", app))
      default: return nil
      }
    }
    func joined(_ columns: [String]) -> String {
      let terms = columns.enumerated().map { "\($1) = ?\($0 + 1)" }
      return terms.isEmpty ? "true" : terms.joined(separator: " AND ")
    }
    sql = joined(conditions.map(\.reports))
    groups = joined(conditions.map(\.groups))
    values = conditions.map(\.row)
  }

  /// Returns the number of reports from the counts of groups: scanning millions of rows would
  /// dominate the time for a page.
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
