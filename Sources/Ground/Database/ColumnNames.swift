/// The positions of the columns of a statement, by name.
///
/// A name is a literal of the program: after the first look-up it is found by its address, without
/// comparing texts, so that reading by name costs a row a few nanoseconds.
final class ColumnNames {
  private let statement: any DriverStatement
  private var known: [(name: UnsafePointer<UInt8>, column: Int)] = []

  init(of statement: any DriverStatement) { self.statement = statement }

  /// - Complexity: O(*n*) in the columns.
  subscript(name: StaticString) -> Int? {
    guard name.hasPointerRepresentation else { return find(String(describing: name)) }
    for entry in known where entry.name == name.utf8Start { return entry.column }
    guard let column = find(String(describing: name)) else { return nil }
    known.append((name.utf8Start, column))
    return column
  }

  private func find(_ name: String) -> Int? {
    (0..<statement.columnCount).first { statement.name(of: $0) == name }
  }
}
