internal import Bytes
internal import DWARF
internal import ObjectFormats

extension SymbolTable {
  /// The symbols of a WebAssembly module without those that the debug information has functions for.
  ///
  /// Linkers write readable names into the name section (`shop::total(int)`), which are no names of the
  /// linker any more; those of the debug information are. llvm-symbolizer takes them too.
  func withoutFunctions(of tables: borrowing CodeTables, in space: CodeSpace) -> SymbolTable {
    var starts: Set<UInt32> = []
    for index in 0..<tables.codeRanges.count {
      let codeRange = tables.codeRanges[index]
      let scope = tables.scopes[Int(codeRange.scope)]
      if scope.parent == CodeTables.none, !tables.functions[Int(scope.function)].name.isNone {
        starts.insert(codeRange.start)
      }
    }
    return filter { symbol in
      space.offset(of: symbol.address).map { !starts.contains($0) } ?? false
    }
  }
}
