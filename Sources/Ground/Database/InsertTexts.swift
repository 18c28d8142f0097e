/// The texts of `INSERT` statements, each put together once: the same insertion, which runs for every report,
/// builds no text.
struct InsertTexts {
  /// The most texts kept; beyond it, all are forgotten.
  private static let limit = 500
  /// A power of two.
  private static let slots = 256

  private struct Known {
    let table: String
    let columns: [String]
    let conflict: String
    let sql: String
  }

  private var known = [[Known]](repeating: [], count: Self.slots)
  private var count = 0

  /// Returns the statement that adds a row.
  ///
  /// - Parameters:
  ///   - columns: At least one, in the order of the parameters.
  ///   - conflict: The clause for a row whose key exists already; without it, that is an error.
  mutating func sql(
    into table: String, _ columns: some Collection<String>, onConflict conflict: String
  ) -> String {
    let slot = Self.slot(of: table, columns.count, conflict)
    for text in known[slot]
    where text.table == table && text.conflict == conflict && text.columns.elementsEqual(columns) {
      return text.sql
    }
    if count >= Self.limit {
      known = [[Known]](repeating: [], count: Self.slots)
      count = 0
    }
    let text = Known(
      table: table, columns: Array(columns), conflict: conflict,
      sql: Self.text(into: table, columns, onConflict: conflict))
    known[slot].append(text)
    count += 1
    return text.sql
  }

  private static func slot(of table: String, _ columnCount: Int, _ conflict: String) -> Int {
    var mark = columnCount &* 31 &+ conflict.utf8.count
    for byte in table.utf8 { mark = mark &* 31 &+ Int(byte) }
    return mark & (slots - 1)
  }

  private static func text(
    into table: String, _ columns: some Collection<String>, onConflict conflict: String
  ) -> String {
    let parameters = (1...columns.count).map { "?\($0)" }
    let sql =
      "INSERT INTO \(table) (" + columns.joined(separator: ", ") + ") VALUES ("
      + parameters.joined(separator: ", ") + ")"
    return conflict.isEmpty ? sql : sql + " " + conflict
  }
}
