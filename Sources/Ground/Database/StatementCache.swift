/// A driver's statement with its column names; used by one thread at a time.
final class PreparedStatement {
  let driver: any DriverStatement
  /// The columns by name, looked up once for the lifetime of the statement.
  private(set) lazy var columns = ColumnNames(of: driver)

  init(_ driver: any DriverStatement) { self.driver = driver }
}

/// Prepared statements that are not in use: preparing one costs more than most take to run. Used by
/// one connection, and so by one thread at a time.
final class StatementCache {
  /// The most statements kept. The program has fewer, including lists with filters.
  private static let limit = 100
  private var idle: [String: PreparedStatement] = [:]
  /// See ``Connection/changedTables``.
  var changedTables: Set<String> = []

  /// See ``Connection/statementCosts``; `nil` where costs are not counted.
  var costs: [String: StatementCost]?

  func take(_ sql: String) -> PreparedStatement? { idle.removeValue(forKey: sql) }

  func giveBack(_ prepared: PreparedStatement, sql: String) {
    if costs != nil {
      costs?[sql, default: StatementCost()].add(steps: prepared.driver.takeSteps())
    }
    prepared.driver.reset()
    prepared.driver.clearBindings()
    if idle[sql] == nil, idle.count < Self.limit { idle[sql] = prepared }
  }
}
