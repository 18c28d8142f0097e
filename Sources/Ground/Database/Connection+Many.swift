/// Statements for many rows at a time, whose values a database behind a network takes in one exchange.
extension Connection {
  /// Runs a statement once for each row of values, in their order.
  ///
  /// - Parameter rows: The values of the parameters, the first for `?1`.
  /// - Returns: How many rows of the database it changed.
  /// - Throws: ``DatabaseError`` for the first row that fails; the rows before it have taken effect.
  @discardableResult
  public borrowing func runMany(
    _ sql: String, _ rows: some Sequence<[SQLValue]>
  ) throws(DatabaseError) -> Int {
    var count = 0
    var iterator = rows.makeIterator()
    guard var values = iterator.next() else { return 0 }
    let statement = try take(sql)
    while true {
      try statement.bind(values)
      while try statement.step() {}
      count += changes
      guard let next = iterator.next() else { return count }
      values = next
    }
  }

  /// Reads the rows that a query finds for each of many keys, in the order of the keys.
  ///
  /// - Parameters:
  ///   - keys: The values of the parameters, the first for `?1`.
  ///   - body: Called for each row, with the key that it was found for.
  /// - Throws: ``DatabaseError``, and what `body` throws.
  public borrowing func readMany(
    _ sql: String, _ keys: some Collection<RowKey>,
    _ body: (_ key: RowKey, _ row: borrowing Statement) throws -> Void
  ) throws {
    guard !keys.isEmpty else { return }
    let statement = try take(sql)
    for key in keys {
      try statement.bind(key.values)
      while try statement.step() { try body(key, statement) }
    }
  }
}
