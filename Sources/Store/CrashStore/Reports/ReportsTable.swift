internal import Database

/// Moves rows of `reports` to another group, inside a transaction.
enum ReportsTable {
  /// Moves reports of a group to an origin, with everything that depends on their group: the number of
  /// reports that wait for a debug file, and the search index. ``CountersTable`` is left to the caller.
  ///
  /// - Parameters:
  ///   - values: Column values of the reports to move.
  ///   - group: Their current group.
  ///   - changes: Further column values to set.
  static func move(
    where values: Connection.Values, of group: RowID<Tables.Groups>, to origin: Origin,
    setting changes: Connection.Values = [:], in database: borrowing Connection
  ) throws {
    if group != origin.group {
      try MissingTable.move(where: values, from: group, to: origin.group, in: database)
      try SearchIndex.move(where: values, to: origin.group, in: database)
    }
    let changes: [(column: String, value: any SQLBindable)] =
      [("grp", origin.group), ("origin", origin.id)] + changes.map { ($0.key, $0.value) }
    let assignments = changes.enumerated().map { "\($1.column) = ?\($0 + 1)" }
    let statement = try database.prepare(
      "UPDATE reports SET " + assignments.joined(separator: ", ") + " WHERE "
        + condition(values, from: changes.count + 1),
      changes.map(\.value) + values.map(\.value))
    while try statement.step() {}
  }

  /// A condition that columns have values, with parameters numbered from `first`.
  static func condition(_ values: Connection.Values, from first: Int) -> String {
    values.enumerated().map { "\($1.key) = ?\($0 + first)" }.joined(separator: " AND ")
  }
}
