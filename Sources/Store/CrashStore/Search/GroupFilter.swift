internal import Database
internal import Query
internal import TriageModel

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

  /// Narrows it to groups in some states.
  mutating func limit(to states: Set<GroupState>) {
    let names = states.map(\.rawValue).sorted()
    let placeholders = names.indices.map { "?\(values.count + 1 + $0)" }.joined(separator: ", ")
    sql += " AND groups.state IN (\(placeholders))"
    values += names
  }
}
