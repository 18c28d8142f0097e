internal import Database

extension CrashStore.Apps {
  /// Deletes an app with everything that was ever stored, counted or remembered of it, as if it had never
  /// existed. Meant for apps that were created only as a test.
  ///
  /// - Returns: Whether the app existed.
  /// - Throws: `DatabaseError`.
  @discardableResult
  public func clear(app name: String) throws -> Bool {
    try store.write(.global) { database in
      let row = try AppsTable.find(name, in: database)?.row
      try Self.clear(row, name, in: database)
      try DistributionHistory.raiseGeneration(in: database)
      return row != nil
    }
  }

  /// - Parameter row: `nil` for a name that appears only in the ledger.
  static func clear(
    _ row: RowID<Tables.Apps>?, _ name: String, in database: borrowing Connection
  ) throws {
    if let row { try SearchIndex.clear(app: row, in: database) }
    for numbers in RowNumbers.allCases { try numbers.keep(in: database) }
    for table in StoreTable.all.reversed() {
      guard let condition = try condition(for: table, in: database) else { continue }
      try database.run(
        "DELETE FROM \(table.name) WHERE \(condition.sql)",
        condition.isByName ? name.sqlValue : row.sqlValue)
    }
  }

  private static let groups = "SELECT id FROM groups WHERE app = ?1"
  private static let origins = "SELECT id FROM origins WHERE grp IN (\(groups))"

  /// Returns the condition for the rows of an app, whose row or name is ?1; `nil` for a table whose rows
  /// belong to no app.
  private static func condition(
    for table: StoreTable, in database: borrowing Connection
  ) throws -> (sql: String, isByName: Bool)? {
    if table.name == "apps" { return ("id = ?1", false) }
    let columns = try database.columns(of: table.name)
    func has(_ name: String) -> Bool { columns.contains { $0.name == name } }
    if let app = columns.first(where: { $0.name == "app" }) {
      return ("app = ?1", app.type == "TEXT")
    }
    if has("grp") { return ("grp IN (\(groups))", false) }
    if has("origin") { return ("origin IN (\(origins))", false) }
    if let column = table.reportColumn ?? (has("report") ? "report" : nil) {
      return ("\(column) IN (SELECT id FROM reports WHERE app = ?1)", false)
    }
    return nil
  }
}
