/// Rows written by the names of their columns, so that no value can meet the wrong one.
extension Connection {
  /// A column and what it gets.
  public typealias Values = KeyValuePairs<String, any SQLBindable>

  /// Adds a row.
  ///
  /// - Parameter conflict: What is done where a row has the key already, such as
  ///   `ON CONFLICT (app, digest) DO UPDATE SET problem = excluded.problem`; an error if empty.
  /// - Throws: ``DatabaseError`` when it fails.
  public borrowing func insert(
    into table: String, _ values: Values, onConflict conflict: String = ""
  ) throws(DatabaseError) {
    let sql = state.inserts.sql(
      into: table, values.lazy.map { $0.key }, onConflict: conflict)
    let statement = try take(sql)
    var index = 1
    for (_, value) in values {
      try statement.bind(value.sqlValue, at: index)
      index += 1
    }
    while try statement.step() {}
  }

  /// Adds many rows, one after another: in the order of the table's key they cost least.
  ///
  /// - Parameters:
  ///   - columns: The columns, at least one.
  ///   - values: The values of the first row in the order of `columns`, then those of the next.
  ///   - conflict: As for a single row.
  /// - Throws: ``DatabaseError`` for the first row that fails; the rows before it are added.
  public borrowing func insertMany(
    into table: String, columns: [String], _ values: [SQLValue], onConflict conflict: String = ""
  ) throws(DatabaseError) {
    precondition(values.count.isMultiple(of: columns.count), "a row of \(table) is incomplete")
    guard !values.isEmpty else { return }
    let statement = try take(
      state.inserts.sql(into: table, columns, onConflict: conflict))
    var column = 0
    for value in values {
      column += 1
      try statement.bind(value, at: column)
      guard column == columns.count else { continue }
      while try statement.step() {}
      statement.reset()
      column = 0
    }
  }
}
