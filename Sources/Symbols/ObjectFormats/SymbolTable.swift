public import Bytes

/// The functions that an object's symbol tables name.
///
/// Names are raw: mangled as the linker saw them, but for Mach-O without the one underscore that its
/// C convention puts before every name, as `llvm-symbolizer --no-demangle` prints them.
public struct SymbolTable: Sendable {
  /// The bytes that ``ObjectSymbol/nameOffset`` counts in.
  public let names: ByteView
  /// Sorted by address, then size; symbols with both equal keep their order in the file.
  public let symbols: [ObjectSymbol]

  /// The name of `symbol` as text; invalid UTF-8 is replaced by U+FFFD.
  ///
  /// - Complexity: O(length).
  public func name(of symbol: ObjectSymbol) -> String {
    let end = symbol.nameOffset.addingReportingOverflow(symbol.nameCount)
    guard !end.overflow else { return "" }
    return names.clamped(symbol.nameOffset..<end.partialValue).text
  }

  /// The same table without the symbols that are not kept.
  ///
  /// - Complexity: O(n).
  public func filter(_ isKept: (ObjectSymbol) -> Bool) -> SymbolTable {
    SymbolTable(names: names, symbols: symbols.filter(isKept))
  }

  /// No functions.
  public static let empty = SymbolTable(names: .empty, symbols: [])

  init(names: ByteView, symbols: [ObjectSymbol]) {
    self.names = names
    self.symbols = symbols
  }

  /// The table with those symbols for which `isKept` is true; it is asked in the order of addresses.
  ///
  /// - Complexity: O(n).
  package func keeping(_ isKept: (ObjectSymbol) -> Bool) -> SymbolTable {
    SymbolTable(names: names, symbols: symbols.filter(isKept))
  }

  /// - Complexity: O(n) but for symbols at one address, which are sorted by comparing.
  init(names: ByteView, sorting symbols: [ObjectSymbol]) {
    var sorted = RadixOrder.indices(of: symbols.map(\.address)).map { symbols[Int($0)] }
    var start = 0
    while start < sorted.count {
      var end = start + 1
      while end < sorted.count && sorted[end].address == sorted[start].address { end += 1 }
      // The library promises that its sort is stable.
      if end - start > 1 { sorted[start..<end].sort { $0.size < $1.size } }
      start = end
    }
    self.init(names: names, symbols: sorted)
  }
}
