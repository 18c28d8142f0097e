/// Amounts to be added to the sums in the rows of a table.
public struct RowSums: Sendable {
  private var amounts: [RowKey: Int] = [:]

  public init() {}

  public var isEmpty: Bool { amounts.isEmpty }

  /// Adds to the amount of a row; sums beyond 64 bits stay at the limit.
  public mutating func add(_ amount: Int, to key: RowKey) {
    var sum = amount
    if let known = amounts[key] {
      let (total, isTooLarge) = known.addingReportingOverflow(amount)
      sum = isTooLarge ? (amount > 0 ? .max : .min) : total
    }
    amounts[key] = sum
  }

  /// Whether there is an amount for a row.
  public func contains(_ key: RowKey) -> Bool { amounts[key] != nil }

  /// The rows and their amounts, in the order of the keys.
  public var sorted: [(key: RowKey, amount: Int)] {
    amounts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// Sums over many rows of other tables, each row of sums written once.
extension Connection {
  /// Adds amounts to the sums of a table, in the order of its keys; rows that do not exist are added.
  ///
  /// - Parameters:
  ///   - key: The columns of the table's key, as in the keys of `sums`.
  ///   - column: The column of the sum.
  /// - Throws: ``DatabaseError`` for the first row that fails; the rows before it are written.
  public borrowing func addMany(
    _ sums: RowSums, to table: String, key: [String], column: String = "count"
  ) throws(DatabaseError) {
    try insertMany(
      into: table, columns: key + [column],
      sums.sorted.flatMap { $0.key.values + [$0.amount.sqlValue] },
      onConflict: """
        ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \
        \(column) = \(table).\(column) + excluded.\(column)
        """)
  }

  /// Adds amounts to the sums of a table as ``addMany(_:to:key:column:)`` does.
  ///
  /// - Returns: The keys of the rows that did not exist.
  /// - Throws: ``DatabaseError`` for the first row that fails; the rows before it are written.
  public borrowing func addManyFindingNew(
    _ sums: RowSums, to table: String, key: [String], column: String = "count"
  ) throws(DatabaseError) -> [RowKey] {
    let conditions = key.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
    let change = """
      UPDATE \(table) SET \(column) = \(column) + ?\(key.count + 1) WHERE \(conditions)
      """
    var new: [RowKey] = []
    guard !sums.isEmpty else { return new }
    let statement = try take(change)
    for (key, amount) in sums.sorted {
      try statement.bind(key.values + [amount.sqlValue])
      while try statement.step() {}
      if changes == 0 { new.append(key) }
    }
    try insertMany(
      into: table, columns: key + [column],
      new.flatMap { row in row.values + [sums.amount(of: row).sqlValue] })
    return new
  }
}

extension RowSums {
  fileprivate func amount(of key: RowKey) -> Int { amounts[key] ?? 0 }
}
