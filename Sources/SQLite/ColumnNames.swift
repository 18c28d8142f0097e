internal import CSQLite
internal import Glibc

/// The positions of the columns of a statement, by name.
///
/// A name is a literal of the program: after the first look-up it is found by its address, without
/// comparing texts, so that reading by name costs a row a few nanoseconds.
final class ColumnNames {
  private let handle: OpaquePointer
  private var known: [(name: UnsafePointer<UInt8>, column: Int)] = []

  init(of handle: OpaquePointer) { self.handle = handle }

  /// - Complexity: O(*n*) in the columns.
  subscript(name: StaticString) -> Int? {
    guard name.hasPointerRepresentation else { return find(String(describing: name)) }
    for entry in known where entry.name == name.utf8Start { return entry.column }
    guard let column = find(String(describing: name)) else { return nil }
    known.append((name.utf8Start, column))
    return column
  }

  private func find(_ name: String) -> Int? {
    (0..<sqlite3_column_count(handle)).first { column in
      sqlite3_column_name(handle, column).map { strcmp($0, name) == 0 } ?? false
    }.map(Int.init)
  }
}
