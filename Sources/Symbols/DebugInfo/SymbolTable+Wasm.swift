internal import Bytes
internal import DWARF
internal import ObjectFormats

extension SymbolTable {
  /// The symbols of a WebAssembly module without those for which the debug information has functions.
  ///
  /// Linkers write demangled names into the name section (`shop::total(int)`), which are not linkage names
  /// any more; those of the debug information are. llvm-symbolizer prefers them too.
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
