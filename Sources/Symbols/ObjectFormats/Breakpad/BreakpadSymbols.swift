public import Bytes

/// Collects functions and public symbols, which name code that no function covers.
///
/// A public symbol has no size: it extends to the next one, but never across the start of a function, or the
/// end of its own function in the unwind rules (`STACK CFI INIT`); one that begins with a function, or at the
/// same address as an earlier one, is left out. After all functions and rules, or if it is the last, it
/// extends to the end of its page at most: the code is followed by data on other pages (`_fini` would be the
/// name of all of `.data`).
///
/// Breakpad extends it to the next one in any case; in the output of `dump_syms` for system libraries, most
/// of the code in between is static functions.
///
/// Source: Breakpad, src/processor/basic_source_line_resolver.cc, `LookupAddress`.
public struct BreakpadSymbols: ~Copyable {
  private var functions = Table<BreakpadFunction>()
  private var publics = Table<BreakpadPublic>()
  private var unwound: [Range<UInt64>] = []

  /// The smallest page of any system, less one.
  private static let pageMask: UInt64 = 0xfff

  public init() {}

  public mutating func add(_ function: BreakpadFunction) {
    if function.end > function.start { functions.append(function) }
  }

  public mutating func add(_ symbol: BreakpadPublic) { publics.append(symbol) }

  /// Adds a part of a function, as given by a line `STACK CFI INIT`.
  public mutating func add(unwound range: Range<UInt64>) { unwound.append(range) }

  /// The ranges of the unwind rules, with those of one function joined.
  ///
  /// Windows has several adjacent ones for one function; functions begin at multiples of 16 there.
  private static func functions(_ ranges: [Range<UInt64>]) -> FunctionBounds {
    var functions: [Range<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = functions.last, last.upperBound == range.lowerBound,
        !range.lowerBound.isMultiple(of: 16)
      {
        functions[functions.count - 1] = last.lowerBound..<range.upperBound
      } else {
        functions.append(range)
      }
    }
    return FunctionBounds(functions)
  }

  /// The symbols, whose names stay in `file`.
  ///
  /// - Parameter withFunctions: Whether functions are included, or only bound the others.
  public consuming func table(in file: ByteView, withFunctions: Bool) -> SymbolTable {
    var symbols: [ObjectSymbol] = []
    let order = RadixOrder.indices(of: (0..<publics.count).map { UInt64(publics[$0].address) })
    let functionOrder = RadixOrder.indices(
      of: (0..<functions.count).map { UInt64(functions[$0].start) })
    // The function after the last that begins at or before the symbol, and the end of those before it.
    var function = 0
    var reach: UInt32 = 0
    let bounds = Self.functions(unwound)
    var codeEnd = unwound.reduce(0) { max($0, $1.upperBound) }
    for index in 0..<functions.count { codeEnd = max(codeEnd, UInt64(functions[index].end)) }
    let isBehindCode = { (address: UInt32) in codeEnd > 0 && UInt64(address) >= codeEnd }
    for (position, index) in order.enumerated() {
      let symbol = publics[Int(index)]
      if position > 0, publics[Int(order[position - 1])].address == symbol.address { continue }
      var beginsFunction = false
      while function < functionOrder.count {
        let other = functions[Int(functionOrder[function])]
        guard other.start <= symbol.address else { break }
        beginsFunction = other.start == symbol.address
        reach = max(reach, other.end)
        function += 1
      }
      if beginsFunction { continue }
      var end: UInt64 = .max
      if position + 1 < order.count {
        // Symbols at the same address do not end each other.
        let following = order[(position + 1)...].lazy.map { publics[Int($0)].address }
          .first { $0 > symbol.address }
        if let following { end = UInt64(following) }
      }
      if function < functionOrder.count {
        end = min(end, UInt64(functions[Int(functionOrder[function])].start))
      }
      if let bound = bounds.end(of: UInt64(symbol.address)) { end = min(end, bound) }
      if end == .max || isBehindCode(symbol.address) {
        end = min(end, (UInt64(symbol.address) | Self.pageMask) + 1)
      }
      let start = max(symbol.address, reach)
      guard UInt64(start) < end else { continue }
      symbols.append(
        ObjectSymbol(
          address: UInt64(start), size: end - UInt64(start),
          nameOffset: symbol.nameOffset, nameCount: symbol.nameCount, isGlobal: true,
          isWeak: false))
    }
    if withFunctions {
      for index in 0..<functions.count {
        let function = functions[index]
        symbols.append(
          ObjectSymbol(
            address: UInt64(function.start), size: UInt64(function.end - function.start),
            nameOffset: function.nameOffset, nameCount: function.nameCount, isGlobal: true,
            isWeak: false))
      }
    }
    return SymbolTable(names: file, sorting: symbols)
  }
}
