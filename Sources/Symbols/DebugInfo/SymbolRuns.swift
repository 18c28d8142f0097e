internal import Bytes
internal import DWARF
internal import ObjectFormats

/// Lays the symbols of an object side by side: which one names the code from an address on.
///
/// - Of several at one address the largest counts, and of equal ones the last, unless the debug
///   information has a function there that is named like one of them.
/// - Only without debug information does the symbol's source file count: linkers let symbols of
///   files that name none follow another file's name.
/// - A symbol with a size ends there; what it lay within goes on after it.
/// - A symbol without a size reaches to the next symbol, the next function of the debug
///   information, the end of its function in the table for unwinding, or the end of the code,
///   whichever comes first.
struct SymbolRuns: ~Copyable {
  struct Open: BitwiseCopyable {
    var end: UInt32
    var nameOffset: UInt32
    var nameCount: UInt32
    var fileNameOffset: UInt32
  }

  private(set) var runs = Table<SymbolRange>()
  private var stack = Table<Open>()
  private let overlapLimit: Int
  /// How many more bytes of aliases may be compared with names of the debug information.
  private var comparisonBudget = 1 << 28

  init(overlapLimit: Int) { self.overlapLimit = overlapLimit }

  /// The runs.
  consuming func finish() -> Table<SymbolRange> { runs }

  /// - Parameters:
  ///   - codeRanges: Sorted by start.
  ///   - bounds: Where functions end whose symbols have no size.
  mutating func run(
    _ table: SymbolTable, space: CodeSpace, codeRanges: borrowing Table<CodeRange>,
    tables: borrowing CodeTables, sections: DWARFSections?, bounds: FunctionBounds? = nil
  ) {
    let symbols = table.symbols
    let names = table.names.bytes
    var index = 0
    var codeRange = 0
    while index < symbols.count {
      let address = symbols[index].address
      var next = index + 1
      while next < symbols.count, symbols[next].address == address { next += 1 }
      defer { index = next }
      guard let start = space.offset(of: address) else { continue }
      close(before: start)
      // The functions of the debug information that begin here, and the next one.
      while codeRange < codeRanges.count, codeRanges[codeRange].start < start { codeRange += 1 }
      var chosen = -1
      for candidate in index..<next where symbols[candidate].nameCount > 0 {
        if !Self.isLocalLabel(symbols[candidate], names) { chosen = candidate }
      }
      // A label that the assembler kept for itself inside a function ends nothing.
      if chosen < 0, symbols[next - 1].nameCount > 0 { continue }
      if chosen > index, let sections {
        var here = codeRange
        // Enough for folded functions; bounds the comparisons.
        let last = min(codeRanges.count, codeRange + 64)
        search: while here < last, comparisonBudget > 0, codeRanges[here].start == start {
          let scope = tables.scopes[Int(codeRanges[here].scope)]
          here += 1
          guard scope.parent == CodeTables.none else { continue }
          let text = tables.functions[Int(scope.function)].name
          let view = sections.view(of: text)
          for candidate in index..<min(next, index + 256) {
            let symbol = symbols[candidate]
            comparisonBudget -= symbol.nameCount
            if symbol.nameCount > 0, comparisonBudget > 0,
              view.bytes.textLength(from: text.offset, limit: symbol.nameCount + 1)
                == symbol.nameCount,
              view.bytes.matches(
                from: text.offset, count: symbol.nameCount, in: names, from: symbol.nameOffset)
            {
              chosen = candidate
              break search
            }
          }
        }
      }
      guard chosen >= 0, let nameOffset = UInt32(exactly: symbols[chosen].nameOffset) else {
        emit(start, stack.last)
        continue
      }
      let size = symbols[next - 1].size
      var end = UInt32(clamping: UInt64(start) + min(size, UInt64(UInt32.max)))
      if size == 0 {
        end = space.codeEnd(at: start)
        if let bound = bounds?.end(of: address), bound > address,
          let offset = space.offset(of: bound)
        {
          end = min(end, offset)
        }
        // Labels do not end it.
        var following = next
        while following < symbols.count, Self.isLocalLabel(symbols[following], names) {
          following += 1
        }
        if following < symbols.count, let other = space.offset(of: symbols[following].address) {
          end = min(end, other)
        }
        var later = codeRange
        while later < codeRanges.count, codeRanges[later].start < end {
          let candidate = codeRanges[later]
          later += 1
          if candidate.start > start,
            tables.scopes[Int(candidate.scope)].parent == CodeTables.none
          {
            end = candidate.start
          }
        }
      }
      guard end > start, stack.count < overlapLimit else { continue }
      stack.append(
        Open(
          end: end, nameOffset: nameOffset, nameCount: UInt32(clamping: symbols[chosen].nameCount),
          fileNameOffset: sections == nil ? symbols[chosen].fileNameOffset : 0))
      emit(start, stack.last)
    }
    close(before: .max)
  }

  /// Whether a symbol is one of those that compilers make for themselves (`.Lpcrel_hi0`), which
  /// linkers drop except where relaxing code needs them.
  private static func isLocalLabel(_ symbol: ObjectSymbol, _ names: RawSpan) -> Bool {
    let label: UInt16 = 0x4c2e  // ".L"
    guard symbol.size == 0, symbol.nameCount > 2, symbol.nameOffset >= 0,
      symbol.nameOffset <= names.byteCount - 2
    else { return false }
    let start = unsafe names.unsafeLoadUnaligned(fromByteOffset: symbol.nameOffset, as: UInt16.self)
    return UInt16(littleEndian: start) == label
  }

  private mutating func close(before offset: UInt32) {
    while let top = stack.last, top.end <= offset {
      stack.removeLast()
      while let next = stack.last, next.end <= top.end { stack.removeLast() }
      emit(top.end, stack.last)
    }
  }

  private mutating func emit(_ start: UInt32, _ open: Open?) {
    let run = SymbolRange(
      start: start, nameOffset: open?.nameOffset ?? 0, nameCount: open?.nameCount ?? 0,
      fileNameOffset: open?.fileNameOffset ?? 0)
    if let last = runs.last {
      if last.start == start {
        runs.removeLast()
      } else if last.nameOffset == run.nameOffset, last.nameCount == run.nameCount {
        return
      }
    }
    runs.append(run)
  }
}
