internal import Bytes
internal import DWARF
internal import DebugInfo

/// Writes the blocks of a range of pages.
struct BlockWriter: ~Copyable, Sendable {
  /// A page that has a block.
  struct Page: BitwiseCopyable, Sendable {
    var number: UInt32
    /// The offset of its block.
    var block: UInt32
  }

  private(set) var blocks = Table<UInt8>()
  private(set) var pages = Table<Page>()
  private let order: ScopeOrder
  private let symbols: SymbolNames
  private let locations: LineLocations
  /// The next change of scope and of symbol.
  private var nextSegment = 0
  private var nextSymbol = 0
  /// The number plus 1 of the current scope.
  private var scope: UInt32 = 0
  /// The page of ``rows``; all ones before the first.
  private var page = UInt32.max
  private var rows = LocationRows()
  private var scopeChanges = Table<Change>()
  private var symbolSlots = Table<UInt8>()

  struct Change: BitwiseCopyable {
    var slot: UInt8
    var scope: UInt32
  }

  init(
    _ code: ObjectCode, _ order: ScopeOrder, _ symbols: SymbolNames, _ locations: LineLocations,
    in range: PageRange
  ) {
    self.order = order
    self.symbols = symbols
    self.locations = locations
    let start = range.first &<< SymbolCacheFormat.pageBits
    nextSegment = Self.search(order.layout.segments.count) {
      order.layout.segments[$0].start < start
    }
    nextSymbol = Self.search(symbols.runs.count) {
      symbols.runs[$0].start < start
    }
    if nextSegment > 0 { scope = Self.number(order.layout.segments[nextSegment - 1], order) }
    addRows(code, from: start, in: range)
    flush(before: range.end)
  }

  /// The first of `count` numbers for which `isBefore` is false; it must be true for all before and
  /// false for all after.
  private static func search(_ count: Int, isBefore: (Int) -> Bool) -> Int {
    (0..<count).lowerBound(where: isBefore)
  }

  @inline(__always)
  private static func number(_ segment: CodeSegment, _ order: ScopeOrder) -> UInt32 {
    segment.scope == CodeTables.none ? 0 : order.numbers[Int(segment.scope)]
  }

  // MARK: Line rows

  private mutating func addRows(_ code: ObjectCode, from start: UInt32, in range: PageRange) {
    let locations = locations
    var index = Self.search(locations.runs.count) { locations.runs[$0].end <= start }
    var end = index > 0 ? locations.runs[index - 1].end : 0
    while index < locations.runs.count {
      let run = locations.runs[index]
      index += 1
      if run.start > end {
        guard end &>> SymbolCacheFormat.pageBits < range.end else { return }
        add(end, 0)
      }
      guard run.start &>> SymbolCacheFormat.pageBits < range.end else { return }
      end = run.end
      let sequence = code.tables.sequences[Int(run.scope)]
      var row = Int(sequence.firstRow)
      let last = row + Int(sequence.rowCount)
      if run.start < start {
        // The value before the first page.
        let first = row
        row += Self.search(last - row) { code.tables.rows[first + $0].address < start }
        if row > first { rows.carry = kept(code.tables.rows[row - 1].location) }
      }
      while row < last {
        let current = code.tables.rows[row]
        row += 1
        if current.address >= run.end { break }
        guard current.address &>> SymbolCacheFormat.pageBits < range.end else { return }
        if current.address < run.start {
          // Only the last row before the start gives the location there.
          if row < last, code.tables.rows[row].address <= run.start { continue }
          add(run.start, current.location)
        } else {
          add(current.address, current.location)
        }
      }
    }
    if end &>> SymbolCacheFormat.pageBits < range.end { add(end, 0) }
  }

  @inline(__always)
  private func kept(_ location: UInt64) -> UInt64 {
    locations.keepsColumns ? location : location & ~0xffff
  }

  @inline(__always)
  private mutating func add(_ address: UInt32, _ location: UInt64) {
    let location = kept(location)
    if location == rows.carry { return }
    let next = address &>> SymbolCacheFormat.pageBits
    if next != page {
      flush(before: next)
      page = next
    }
    rows.add(UInt8(truncatingIfNeeded: address), location)
  }

  // MARK: Blocks

  /// Writes the blocks of all pages before `end` on which something changes.
  private mutating func flush(before end: UInt32) {
    while true {
      var next = page
      if nextSegment < order.layout.segments.count {
        next = min(
          next, order.layout.segments[nextSegment].start &>> SymbolCacheFormat.pageBits)
      }
      if nextSymbol < symbols.runs.count {
        next = min(
          next, symbols.runs[nextSymbol].start &>> SymbolCacheFormat.pageBits)
      }
      guard next < end else { return }
      pages.append(Page(number: next, block: UInt32(truncatingIfNeeded: blocks.count)))
      writeBlock(of: next)
      if next == page {
        rows.begin()
        page = .max
      }
    }
  }

  private mutating func writeBlock(of page: UInt32) {
    takeScopes(of: page)
    let symbol = UInt32(truncatingIfNeeded: takeSymbols(of: page))
    var least = UInt32.max
    var most: UInt32 = 0
    for index in 0..<scopeChanges.count {
      let scope = scopeChanges[index].scope
      if scope > 0 { least = min(least, scope) }
      most = max(most, scope)
    }
    let isOne = scopeChanges.count == 1
    let base = isOne || most == 0 ? most : least &- 1
    let reach = most &- base
    let size = isOne ? 0 : reach < 1 << 8 ? 1 : reach < 1 << 16 ? 2 : 4
    rows.arrange()
    blocks.append(UInt8(truncatingIfNeeded: rows.count - 1))
    blocks.append(UInt8(truncatingIfNeeded: scopeChanges.count - 1))
    blocks.append(UInt8(truncatingIfNeeded: symbolSlots.count))
    blocks.append(rows.form | UInt8(size == 4 ? 3 : size))
    blocks.put(base)
    blocks.put(symbol)
    for index in 0..<symbolSlots.count { blocks.append(symbolSlots[index]) }
    for index in 1..<scopeChanges.count { blocks.append(scopeChanges[index].slot) }
    for index in 1..<rows.count { blocks.append(rows.slot(index)) }
    if size > 0 {
      for index in 0..<scopeChanges.count {
        let scope = scopeChanges[index].scope
        var number = scope == 0 ? 0 : scope &- base
        for _ in 0..<size {
          blocks.append(UInt8(truncatingIfNeeded: number))
          number &>>= 8
        }
      }
    }
    rows.write(to: &blocks, locations)
  }

  /// The scopes of a page, from its first byte on.
  private mutating func takeScopes(of page: UInt32) {
    scopeChanges.removeAll()
    scopeChanges.append(Change(slot: 0, scope: scope))
    while nextSegment < order.layout.segments.count {
      let segment = order.layout.segments[nextSegment]
      guard segment.start &>> SymbolCacheFormat.pageBits == page else { return }
      nextSegment += 1
      scope = Self.number(segment, order)
      let slot = UInt8(truncatingIfNeeded: segment.start)
      if slot == 0 { scopeChanges.removeAll() }
      scopeChanges.append(Change(slot: slot, scope: scope))
    }
  }

  /// The symbols of a page: the index plus 1 of the first byte's, and the offsets where others
  /// begin.
  private mutating func takeSymbols(of page: UInt32) -> Int {
    symbolSlots.removeAll()
    var symbol = nextSymbol
    while nextSymbol < symbols.runs.count {
      let run = symbols.runs[nextSymbol]
      guard run.start &>> SymbolCacheFormat.pageBits == page else { return symbol }
      nextSymbol += 1
      let slot = UInt8(truncatingIfNeeded: run.start)
      if slot == 0 { symbol = nextSymbol } else { symbolSlots.append(slot) }
    }
    return symbol
  }
}
