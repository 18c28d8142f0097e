internal import Bytes
internal import DWARF
internal import ObjectFormats

/// What all modules of a PDB share while they are read.
struct PDBContext: ~Copyable {
  let file: PDBFile
  var builder: CodeTablesBuilder
  var items: ItemNames
  var names: FileNames

  /// Adds code of a scope, where it is now.
  mutating func addPiece(from start: UInt32, to end: UInt32, of scope: UInt32) {
    file.addresses.moved(from: start, to: end) { start, end, _ in
      builder.addPiece(from: start, to: end, of: scope)
    }
  }

  /// Adds a line of code, where the code is now.
  mutating func addRow(from start: UInt32, to end: UInt32, place: ModuleLines.Place) {
    file.addresses.moved(from: start, to: end) { start, end, _ in
      builder.addRow(
        from: start, to: end, file: place.file, line: place.line, column: place.column)
    }
  }

  /// The tables; their names lie in `strings`.
  consuming func finish(strings: inout ByteView) -> CodeTables {
    builder.finish(strings: &strings)
  }
}
