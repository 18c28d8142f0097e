/// The state that a connection keeps between statements; used by one thread at a time.
final class ConnectionState {
  var statements: StatementCache
  var inserts = InsertTexts()
  /// The statements of text indexes, by their names.
  var textIndexes: [String: TextIndexStatements] = [:]
  /// See ``Connection/changedTables``.
  var changedTables: Set<String> = []
  /// See ``Connection/statementCosts``; `nil` where costs are not counted.
  let costs: StatementCosts?

  init(path: String, countsWork: Bool) {
    costs = countsWork ? StatementCosts() : nil
    statements = StatementCache(path: path, costs: costs)
  }
}
