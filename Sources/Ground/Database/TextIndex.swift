/// An index of the texts of a table by trigrams: every three consecutive characters.
public struct TextIndex: Sendable {
  let name: String
  let table: String

  /// - Parameters:
  ///   - name: Its name in the schema.
  ///   - table: The table that holds the texts, with columns `id` and `text`.
  public init(_ name: String, of table: String) {
    self.name = name
    self.table = table
  }
}

/// The SQL by which a driver updates and queries a ``TextIndex``.
struct TextIndexStatements {
  /// Adds the text ?2 of row ?1.
  let add: String
  /// Removes the text ?2 of row ?1.
  let remove: String
  /// `id` and `text` of the rows from ?2 to ?3 that satisfy the condition ?1.
  let find: String
}

extension Connection {
  private borrowing func statements(of index: TextIndex) -> TextIndexStatements {
    if let known = state.textIndexes[index.name] { return known }
    let statements = driver.statements(of: index)
    state.textIndexes[index.name] = statements
    return statements
  }

  /// Adds texts, by the ids of their rows: in the order of the ids they cost least.
  public borrowing func addMany(
    _ texts: [(id: Int, text: String)], to index: TextIndex
  ) throws(DatabaseError) {
    try runMany(statements(of: index).add, texts.map { [$0.id.sqlValue, $0.text.sqlValue] })
  }

  /// Removes texts that were added under these ids.
  public borrowing func removeMany(
    _ texts: [(id: Int, text: String)], from index: TextIndex
  ) throws(DatabaseError) {
    try runMany(statements(of: index).remove, texts.map { [$0.id.sqlValue, $0.text.sqlValue] })
  }

  /// `id` and `text` of the rows that contain all of the trigrams.
  ///
  /// - Parameter trigrams: Three characters each, at least one trigram.
  public borrowing func rows(
    of index: TextIndex, holding trigrams: [String], ids: ClosedRange<Int>
  ) throws(DatabaseError) -> Statement {
    try prepare(
      statements(of: index).find,
      [driver.condition(holding: trigrams), ids.lowerBound, ids.upperBound])
  }
}
