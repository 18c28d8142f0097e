internal import Query
internal import Database

/// The conditions of a query on groups only, as a condition on rows of `groups`.
struct GroupFilter {
  private(set) var sql = "redirect IS NULL"
  private(set) var values: [any SQLBindable] = []

  /// `nil` where no group can match.
  init?(_ query: Query, in database: borrowing Connection) throws {
    for condition in query.conditions {
      var tests: [String] = []
      for alternative in condition.alternatives {
        for source in alternative.sources {
          guard
            let test = try SearchGroups.filter(
              alternative.test, source, from: values.count + 1, in: database)
          else { continue }
          tests.append(test.sql)
          values += test.values
        }
      }
      if tests.isEmpty {
        guard condition.isNegated else { return nil }
      } else {
        let any = tests.joined(separator: " OR ")
        sql += condition.isNegated ? " AND NOT (\(any))" : " AND (\(any))"
      }
    }
  }
}
