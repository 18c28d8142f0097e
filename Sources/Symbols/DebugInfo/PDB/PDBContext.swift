internal import Bytes
internal import DWARF
internal import ObjectFormats

/// State that all modules of a PDB share while they are read.
struct PDBContext: ~Copyable {
  let file: PDBFile
  var builder: CodeTablesBuilder
  var items: ItemNames
  var names: FileNames
  var others: CrossModuleItems
  /// How many more blocks of moved code may be looked at: many may come from one.
  var moves: Int

  var isExhausted: Bool { moves <= 0 }

  /// Keeps a word about damage in a module.
  mutating func note(_ error: ParseError, module index: Int) {
    builder.note("PDB module \(index): \(error)")
  }

  /// The number of a function that was inlined into a module with these imports.
  mutating func function(_ item: UInt32, imports: [CrossModuleItems.Import]) -> UInt32 {
    // 0 is not an item, and has no name.
    let item = others.item(item, imports: imports, names, file) ?? 0
    return items.function(item, in: &builder)
  }

  /// Adds code of a scope, where it is now.
  mutating func addCodeRange(from start: UInt32, to end: UInt32, of scope: UInt32) {
    file.addresses.moved(from: start, to: end, budget: &moves) { start, end in
      builder.addCodeRange(from: start, to: end, of: scope)
    }
  }

  /// Adds a line of code, where the code is now.
  mutating func addRow(from start: UInt32, to end: UInt32, location: ModuleLines.Location) {
    file.addresses.moved(from: start, to: end, budget: &moves) { start, end in
      builder.addRow(
        from: start, to: end, file: location.file, line: location.line, column: location.column)
    }
  }

  /// The tables; their names lie in `strings`.
  consuming func finish(strings: inout ByteView) -> CodeTables {
    builder.finish(strings: &strings)
  }
}
