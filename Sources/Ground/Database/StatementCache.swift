/// A driver's statement with what is known of its columns; used by one thread at a time.
final class PreparedStatement {
  let driver: any DriverStatement
  /// Which column has which name, found out once and kept for as long as the statement is.
  private(set) lazy var columns = ColumnNames(of: driver)

  init(_ driver: any DriverStatement) { self.driver = driver }
}

/// Statements that were prepared before and are not in use: preparing one costs more than most of
/// them take to run. Used by one connection, and so by one thread at a time.
final class StatementCache {
  /// The most statements kept. The program has fewer, lists with their filters included.
  private static let limit = 100
  private var idle: [String: PreparedStatement] = [:]
  /// See ``Connection/changedTables``.
  var changedTables: Set<String> = []

  /// See ``Connection/statementCosts``; `nil` where nobody counts.
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
