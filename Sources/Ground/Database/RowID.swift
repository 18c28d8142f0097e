/// The number of a row of a table, such as `RowID<Group>`: that of another table does not fit.
public struct RowID<Row>: Hashable, Comparable, Sendable {
  public let rawValue: Int

  public init(_ rawValue: Int) { self.rawValue = rawValue }

  public static func < (left: RowID, right: RowID) -> Bool { left.rawValue < right.rawValue }
}

extension RowID: SQLBindable {
  public var sqlValue: SQLValue { .integer(Int64(rawValue)) }
}

extension RowID: CustomStringConvertible {
  public var description: String { String(rawValue) }
}

extension Connection {
  /// The first column of the first row as the number of a row; `nil` without a row or for NULL.
  ///
  /// - Throws: ``DatabaseError`` when the statement fails.
  public borrowing func id<Row>(
    _ sql: String, _ values: any SQLBindable..., of table: Row.Type = Row.self
  ) throws(DatabaseError) -> RowID<Row>? {
    let statement = try prepare(sql, values)
    return try statement.first.map { RowID($0) }
  }

  /// The same where there must be one.
  ///
  /// - Throws: ``DatabaseError``, of kind ``DatabaseError/Kind/corrupt`` without a row or for NULL.
  public borrowing func requiredID<Row>(
    _ sql: String, _ values: any SQLBindable..., of table: Row.Type = Row.self
  ) throws(DatabaseError) -> RowID<Row> {
    let statement = try prepare(sql, values)
    guard let number = try statement.first else { throw DatabaseError(missingIn: sql, path: path) }
    return RowID(number)
  }

  /// The number of the row that was inserted last.
  public borrowing func lastID<Row>(of table: Row.Type = Row.self) -> RowID<Row> { RowID(lastRow) }
}
