internal import CrashModel
internal import Query
internal import Database

/// The rules with which groups were split, inside a transaction: where they lead a report on to from
/// where its key leads.
struct SplitRules {
  let reader: StoredReader

  /// The origin of a report that is in the store, found from where its key leads. The oldest rule that
  /// it matches counts, and then those of the group that was split off by it.
  ///
  /// A report whose document cannot be read matches none.
  func follow(
    from origin: Origin, report row: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws -> Origin {
    try follow(from: origin, in: database) {
      try StoredReader.place(row, in: database).flatMap { try reader.values(of: $0) }
    }
  }

  /// The same of a report of which `read` tells what rules can ask for.
  func follow(
    from origin: Origin, in database: borrowing Connection,
    _ read: () throws -> ReportValues?
  ) throws -> Origin {
    var origin = origin
    var values: ReportValues?
    while true {
      let next = try Origin.all(
        where: "parent IS NOT NULL AND parent = ?1 AND rule IS NOT NULL", origin.id, in: database)
      if next.isEmpty { return origin }
      if values == nil {
        guard let found = try read() else { return origin }
        values = found
      }
      guard let values,
        let match = try next.first(where: { try Self.matches(values, $0, in: database) })
      else { return origin }
      origin = match
    }
  }

  private static func matches(
    _ values: ReportValues, _ origin: Origin, in database: borrowing Connection
  ) throws -> Bool {
    guard let rule = origin.rule else { return false }
    // Times in it are counted from when the group was split.
    let time = try database.requiredInteger(
      """
      SELECT time FROM group_history JOIN origins ON origins.split = group_history.id
      WHERE origins.id = ?1
      """, origin.id)
    // A rule that a newer program wrote may be unknown here; reports stay where they are then.
    guard let query = try? Query(rule, now: Timestamp(microseconds: time)) else { return false }
    return query.matches(values)
  }
}
