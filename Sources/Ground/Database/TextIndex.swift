/// Which rows of a table hold given texts: an index of every three letters in a row.
public struct TextIndex: Sendable {
  let name: String
  let table: String

  /// - Parameters:
  ///   - name: What the schema calls it.
  ///   - table: The table of the texts, with columns `id` and `text`.
  public init(_ name: String, of table: String) {
    self.name = name
    self.table = table
  }
}

/// The SQL by which a driver keeps and asks a ``TextIndex``.
struct TextIndexStatements {
  /// Adds the text ?2 of row ?1.
  let add: String
  /// Removes the text ?2 of row ?1.
  let remove: String
  /// `id` and `text` of the rows from ?2 to ?3 for which ?1 holds.
  let find: String
}

extension Connection {
  public borrowing func add(
    _ text: String, id: Int, to index: TextIndex
  ) throws(DatabaseError) {
    try run(driver.statements(of: index).add, id, text)
  }

  /// - Parameter text: The text that was added under this id.
  public borrowing func remove(
    _ text: String, id: Int, from index: TextIndex
  ) throws(DatabaseError) {
    try run(driver.statements(of: index).remove, id, text)
  }

  /// `id` and `text` of the rows that hold all of some trigrams.
  ///
  /// - Parameter trigrams: Three letters each, at least one.
  public borrowing func rows(
    of index: TextIndex, holding trigrams: [String], ids: ClosedRange<Int>
  ) throws(DatabaseError) -> Statement {
    try prepare(
      driver.statements(of: index).find,
      [driver.condition(holding: trigrams), ids.lowerBound, ids.upperBound])
  }
}
