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
    var sql = "INSERT INTO \(table) (\(values[0].key)"
    for value in values.dropFirst() { sql += ", " + value.key }
    sql += ") VALUES (?1"
    for number in 1..<values.count { sql += ", ?\(number + 1)" }
    sql += ")"
    if !conflict.isEmpty { sql += " " + conflict }
    let statement = try prepare(sql, values.map(\.value))
    while try statement.step() {}
  }
}
