internal import Database

extension CrashStore {
  /// Takes an app away with everything that was ever stored, counted or remembered of it, as if it had
  /// never been. For apps that somebody made to try something only.
  ///
  /// - Returns: Whether it was there.
  /// - Throws: `DatabaseError`.
  @discardableResult
  public func clear(app name: String) throws -> Bool {
    try write { database in
      let row = try AppsTable.find(name, in: database)?.row
      try Self.clear(row, name, in: database)
      return row != nil
    }
  }

  /// - Parameter row: `nil` for a name that only stands in the ledger.
  static func clear(_ row: Int?, _ name: String, in database: borrowing Connection) throws {
    for table in StoreTable.all.reversed() {
      guard let condition = try condition(for: table, in: database) else { continue }
      try database.run(
        "DELETE FROM \(table.name) WHERE (\(condition)) AND ?2 = ?2", row, name)
      // A report that goes leaves a trace by a trigger.
      if table.name == "reports" {
        try database.run("DELETE FROM search_past WHERE origin IN (\(origins))", row)
      }
    }
  }

  private static let groups = "SELECT id FROM groups WHERE app = ?1"
  private static let origins = "SELECT id FROM origins WHERE grp IN (\(groups))"

  /// Which rows of a table are those of app ?1, of name ?2; `nil` where they belong to no app.
  private static func condition(
    for table: StoreTable, in database: borrowing Connection
  ) throws -> String? {
    if table.name == "apps" { return "id = ?1" }
    var types: [String: String] = [:]
    let rows = try database.prepare(
      "SELECT name, type FROM pragma_table_info(?1)", [table.name])
    while try rows.step() { types[rows.text("name")] = rows.text("type") }
    if let type = types["app"] { return type == "TEXT" ? "app = ?2" : "app = ?1" }
    if types["grp"] != nil { return "grp IN (\(groups))" }
    if types["origin"] != nil { return "origin IN (\(origins))" }
    if let column = table.reportColumn ?? (types["report"] == nil ? nil : "report") {
      return "\(column) IN (SELECT id FROM reports WHERE app = ?1)"
    }
    return nil
  }
}
