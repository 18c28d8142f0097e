internal import Bytes
internal import ObjectFormats

/// Finds the functions of an object by their names.
struct SymbolIndex {
  /// A longer name is not looked for: names may share their bytes, so that a small file could ask for
  /// the same long one again and again.
  private static let nameLimit = 1 << 16

  private let symbols: SymbolTable
  /// For the hash of a name the index of the last symbol with it.
  private var byHash: [UInt64: Int] = [:]

  init(_ symbols: SymbolTable) {
    self.symbols = symbols
    for (index, symbol) in symbols.symbols.enumerated() {
      if let hash = Self.hash(symbols.names, symbol.nameOffset, symbol.nameCount) {
        byHash[hash] = index
      }
    }
  }

  func address(of name: ByteView) -> UInt64? {
    guard let hash = Self.hash(name, 0, name.count), let index = byHash[hash] else { return nil }
    let symbol = symbols.symbols[index]
    guard symbol.nameCount == name.count,
      symbols.names.bytes.matches(
        from: symbol.nameOffset, count: name.count, in: name.bytes, from: 0)
    else { return nil }
    return symbol.address
  }

  private static func hash(_ view: ByteView, _ offset: Int, _ count: Int) -> UInt64? {
    guard count > 0, count <= nameLimit else { return nil }
    return view.bytes.contentHash(from: offset, count: count)
  }
}
