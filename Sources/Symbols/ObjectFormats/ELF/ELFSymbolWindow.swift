internal import Bytes

/// The functions of a symbol table that name some addresses: those that cover one, and the
/// nearest that begin before and after it.
struct ELFSymbolWindow {
  /// Sorted.
  private let addresses: [UInt64]
  private var below: [UInt64?]
  private var above: [UInt64?]
  /// The nearest starts; sorted once all symbols were seen.
  private var nearest: [UInt64] = []

  init(_ addresses: [UInt64]) {
    self.addresses = addresses.sorted()
    below = Array(repeating: nil, count: addresses.count)
    above = below
  }

  /// The number of addresses before `address`.
  private func rank(of address: UInt64) -> Int {
    addresses.lowerBound { $0 < address }
  }

  /// Takes note of a function that begins at `start`.
  mutating func see(_ start: UInt64) {
    let rank = rank(of: start)
    if rank < addresses.count { below[rank] = max(below[rank] ?? 0, start) }
    if rank > 0 { above[rank - 1] = min(above[rank - 1] ?? .max, start) }
  }

  /// Ends the seeing.
  mutating func finish() {
    // The nearest symbol of an address is that of all addresses up to the next one.
    var last: UInt64?
    for index in addresses.indices {
      last = below[index] ?? last
      if let last { nearest.append(last) }
    }
    var next: UInt64?
    for index in addresses.indices.reversed() {
      next = above[index] ?? next
      if let next { nearest.append(next) }
    }
    nearest.sort()
  }

  func keeps(start: UInt64, size: UInt64) -> Bool {
    let rank = rank(of: start)
    if rank < addresses.count, addresses[rank] - start < size { return true }
    let low = nearest.lowerBound { $0 < start }
    return low < nearest.count && nearest[low] == start
  }
}

extension ELFSymbolReader {
  /// The functions of `table` that tell what lies at `addresses`, with the same answers as all of
  /// them.
  ///
  /// Names are looked at only where a symbol is kept: most of a string table is never touched.
  ///
  /// - Returns: `nil` where one of the nearest has no name: then others would be.
  /// - Throws: as ``forEachFunction(of:namesAt:_:)``.
  func functions(
    of table: ELFSymbolRange, namesAt base: Int, near addresses: [UInt64]
  ) throws(ParseError) -> [ObjectSymbol]? {
    var window = ELFSymbolWindow(addresses)
    try forEachCandidate(of: table) { (symbol, _) throws(ParseError) in
      guard let address = address(of: symbol) else { return }
      window.see(address)
    }
    window.finish()
    var names = SymbolNameReader(table.names)
    var symbols: [ObjectSymbol] = []
    var hasNameless = false
    try forEachCandidate(of: table) { (symbol, file) throws(ParseError) in
      guard let address = address(of: symbol), window.keeps(start: address, size: symbol.size)
      else { return }
      guard let count = try names.count(at: UInt64(symbol.nameOffset)), count > 0 else {
        hasNameless = true
        return
      }
      let isLocal = !symbol.isGlobal && !symbol.isWeak
      var isNamed = false
      if isLocal, file > 0, let count = try names.count(at: UInt64(file)) { isNamed = count > 0 }
      symbols.append(
        ObjectSymbol(
          address: address, size: symbol.size, nameOffset: base + Int(symbol.nameOffset),
          nameCount: count, isGlobal: symbol.isGlobal, isWeak: symbol.isWeak,
          fileNameOffset: isNamed ? UInt32(clamping: base + Int(file)) : 0))
    }
    return hasNameless ? nil : symbols
  }

  /// Calls `body` with each symbol that may be a function, and the name of its source file.
  private func forEachCandidate(
    of table: ELFSymbolRange, _ body: (ELFSymbol, UInt32) throws(ParseError) -> Void
  ) throws(ParseError) {
    let stride = ELFSymbol.byteCount(addressSize: file.addressSize)
    var reader = ByteReader(
      table.symbols.bytes, reading: "ELF symbols", endianness: file.endianness)
    var names = SymbolNameReader(table.names)
    var fileName: UInt32 = 0
    while reader.remaining >= stride {
      let symbol = try next(&reader, of: table)
      if symbol.type == ELFSymbol.typeFile { fileName = symbol.nameOffset }
      guard symbol.nameOffset > 0, Int(symbol.nameOffset) < table.names.count else { continue }
      if symbol.isFunction {
        guard isFunction(symbol) else { continue }
      } else {
        guard isLabel(symbol), let count = try names.count(at: UInt64(symbol.nameOffset)),
          count > 0, !isMappingSymbol(table.names, at: Int(symbol.nameOffset), count: count),
          !isLocalLabel(table.names, at: Int(symbol.nameOffset), count: count)
        else { continue }
      }
      try body(symbol, fileName)
    }
  }

  /// Whether a symbol is one that the assembler kept for itself, which names no code and ends none.
  private func isLocalLabel(_ names: ByteView, at offset: Int, count: Int) -> Bool {
    count > 2 && names[offset] == UInt8(ascii: ".") && names[offset + 1] == UInt8(ascii: "L")
  }
}
