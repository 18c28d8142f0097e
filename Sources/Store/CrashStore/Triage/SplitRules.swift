internal import Database
internal import Identifiers
internal import Query

/// The rules by which groups were split, inside a transaction: they lead a report from the origin of
/// its key to another origin.
struct SplitRules {
  let reader: StoredReader

  /// The origin of a stored report, starting from the origin of its key. The oldest rule that the
  /// report matches applies first, then the rules of the group that was split off by it.
  ///
  /// A report whose document cannot be read matches no rule.
  func follow(
    from origin: Origin, report row: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws -> Origin {
    try follow(from: origin, in: database) {
      try StoredReader.storedRow(row, in: database).flatMap { try reader.values(of: $0) }
    }
  }

  /// The origin of a report whose values `read` returns.
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
    // Relative times in it count from when the group was split.
    let time = try database.requiredInteger(
      """
      SELECT time FROM group_history JOIN origins ON origins.split = group_history.id
      WHERE origins.id = ?1
      """, origin.id)
    // A rule from a newer program may be unknown here; reports then stay in place.
    guard let query = try? Query(stored: rule, now: Timestamp(microseconds: time)) else {
      return false
    }
    return query.matches(values)
  }
}
