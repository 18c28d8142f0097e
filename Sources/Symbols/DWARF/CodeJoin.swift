internal import Bytes
internal import Workers

/// Joins the tables of several readers into those that one reader would have made:
/// shares in the order of the section, and of several units that describe the same code the first.
///
/// The first part keeps its numbers of functions, files and rows. What needs nothing of each other
/// is made side by side:
///
///     functions, rows, owners of code, sequences
///     of each part the scopes that stay, counted, then with their numbers
///     scopes, ranges of code
struct CodeJoin {
  private let parts: [CodePart]
  private let limits: DWARFLimits
  private let width: Int
  /// All slices in the order of the section.
  private let order: [(part: Int, slice: Int)]

  /// The joined tables; `nil` where limits were reached, whose effect depends on what else was
  /// read, and where that is not known of damage that was met.
  ///
  /// - Parameter notes: Notes from before the first unit was read.
  static func joining(
    _ parts: [CodePart], notes: ParseNotes, limits: DWARFLimits, width: Int
  ) -> CodeTables? {
    guard let first = parts.first, first.allowed.covers(parts.map(\.rest)),
      parts.reduce(0, { $0 + ($1.slices.last?.scopes ?? 0) }) < limits.scopes,
      parts.reduce(0, { $0 + ($1.slices.last?.codeRanges ?? 0) }) < limits.codeRanges,
      parts.reduce(0, { $0 + $1.rowCount }) < limits.rows
    else { return nil }
    // One reader meets the damage of a line table once.
    let hasNotes = parts.contains { $0.notes.count > 0 }
    guard !hasNotes || !share(parts.map(\.lineTables)) else { return nil }
    return CodeJoin(parts, limits: limits, width: width).run(notes)
  }

  private static func share(_ sets: [Set<UInt64>]) -> Bool {
    sets.reduce(into: Set<UInt64>()) { $0.formUnion($1) }.count
      < sets.reduce(0) { $0 + $1.count }
  }

  private init(_ parts: [CodePart], limits: DWARFLimits, width: Int) {
    self.parts = parts
    self.limits = limits
    self.width = width
    var order: [(share: Int, part: Int, slice: Int)] = []
    for (index, part) in parts.enumerated() {
      for (slice, item) in part.slices.enumerated() { order.append((item.share, index, slice)) }
    }
    self.order = order.sorted { $0.share < $1.share }.map { ($0.part, $0.slice) }
  }

  private func run(_ notes: ParseNotes) -> CodeTables? {
    var output = CodeTables()
    output.notes = notes
    for (part, slice) in order {
      output.notes.add(
        parts[part].notes, from: slice > 0 ? parts[part].slices[slice - 1].notes : 0,
        to: parts[part].slices[slice].notes, limit: limits.notes)
    }
    output.skeletonCount = parts.reduce(0) { $0 + $1.skeletonCount }
    guard let files = joinFiles(into: &output) else { return nil }
    var functions: [Numbers?] = []
    var owners: CodeOwners?
    let first = Workers.map(count: 4, width: width) { index -> FirstResult in
      switch index {
      case 0: .functions(joinFunctions(files))
      case 1: .rows(Handover(joinRows(files)))
      case 2: .owners(joinOwners())
      default: .sequences(Handover(joinSequences()))
      }
    }
    for result in first {
      switch result {
      case .functions(let joined):
        functions = joined.numbers
        let names = joined.names.take()
        output.functions = names.functions
        output.scopedNames = names.scoped
      case .rows(let rows): output.rows = rows.take()
      case .owners(let found): owners = found
      case .sequences(let sequences): output.sequences = sequences.take()
      }
    }
    guard let owners else { return nil }
    let marked = Workers.map(count: parts.count, width: width) { parts[$0].marked(owners) }
    var starts = parts.map { [UInt32](repeating: 0, count: $0.slices.count) }
    var scopeCount: UInt32 = 0
    for (part, slice) in order {
      starts[part][slice] = scopeCount
      scopeCount &+= marked[part].counts[slice]
    }
    let numbered = Workers.map(count: parts.count, width: width) { [starts, functions] in
      parts[$0].numbered(
        marked[$0], from: starts[$0], functions: functions[$0], files: files[$0])
    }
    let second = Workers.map(count: 2, width: width) { index -> SecondResult in
      index == 0 ? .scopes(Handover(join(numbered.map(\.scopes)))) : joinCode(numbered)
    }
    for result in second {
      switch result {
      case .scopes(let scopes): output.scopes = scopes.take()
      case .code(let ranges, let unitScopes):
        output.codeRanges = ranges.take()
        output.unitScopes = unitScopes.take()
      }
    }
    return output
  }

  /// The joined numbers by the numbers of a part.
  final class Numbers: Sendable {
    let table: Table<UInt32>

    init(_ table: consuming Table<UInt32>) { self.table = table }

    subscript(number: UInt32) -> UInt32 { table[Int(number)] }
  }

  /// The owner of each range of code that functions have.
  final class CodeOwners: Sendable {
    let owners: RangeOwners

    init(_ owners: consuming RangeOwners) { self.owners = owners }
  }

  private struct JoinedFunctions: Sendable {
    let names: Handover<CodePart.Names>
    let numbers: [Numbers?]
  }

  private enum FirstResult: Sendable {
    case functions(JoinedFunctions)
    case rows(Handover<Table<LineRow>>)
    case owners(CodeOwners)
    case sequences(Handover<Table<LineSequence>>)
  }

  private enum SecondResult: Sendable {
    case scopes(Handover<Table<ScopeRecord>>)
    case code(Handover<Table<CodeRange>>, Handover<Table<UInt32>>)
  }

  // MARK: What has numbers

  /// The numbers of the files of each part, from 1.
  private func joinFiles(into output: inout CodeTables) -> [Numbers?]? {
    var numbers: [Numbers?] = [nil]
    var files = parts[0].files.take()
    files.budget = .max
    for part in parts.dropFirst() {
      let other = part.files.take()
      var table = Table<UInt32>(minimumCapacity: other.count + 1)
      table.append(0)
      for index in 0..<other.count {
        guard let file = files.adopt(index, of: other, limit: limits.files) else { return nil }
        table.append(UInt32(truncatingIfNeeded: file + 1))
      }
      numbers.append(Numbers(table))
    }
    output.files = files
    return numbers
  }

  private func joinFunctions(_ files: [Numbers?]) -> JoinedFunctions {
    var numbers: [Numbers?] = [nil]
    var names = parts[0].names.take()
    for (part, files) in zip(parts, files).dropFirst() {
      let other = part.names.take()
      var table = Table<UInt32>(minimumCapacity: other.functions.count)
      for index in 0..<other.functions.count {
        var record = other.functions[index]
        if let files { record.file = files[record.file] }
        if record.name.section == .scoped {
          record.name = names.scoped.reference(to: other.scoped.name(at: record.name.offset))
        }
        table.append(names.index.index(of: record, in: &names.functions))
      }
      numbers.append(Numbers(table))
    }
    return JoinedFunctions(names: Handover(names), numbers: numbers)
  }

  private func joinRows(_ files: [Numbers?]) -> Table<LineRow> {
    var rows = parts[0].rows.take()
    rows.reserve(parts.reduce(0) { $0 + $1.rowCount })
    for (part, files) in zip(parts, files).dropFirst() {
      let other = part.rows.take()
      for index in 0..<other.count {
        let row = other[index]
        rows.append(files.map { row.inFile($0[row.file]) } ?? row)
      }
    }
    return rows
  }

  // MARK: What belongs to one unit

  private func joinOwners() -> CodeOwners {
    var owners = parts[0].owners.take()
    for part in parts.dropFirst() {
      _ = part.owners.take()
      for index in 0..<part.ownedRanges.count {
        let range = part.ownedRanges[index]
        owners.assign(start: range.start, end: range.end, forLowest: range.unit)
      }
    }
    return CodeOwners(owners)
  }

  private func joinSequences() -> Table<LineSequence> {
    var owners = RangeOwners()
    var sequences = Table<LineSequence>()
    var firstRows: [UInt32] = []
    var rowCount = 0
    for part in parts {
      firstRows.append(UInt32(truncatingIfNeeded: rowCount))
      rowCount += part.rowCount
    }
    let partCount = UInt32(truncatingIfNeeded: parts.count)
    for (index, slice) in order {
      let start = slice > 0 ? parts[index].slices[slice - 1].sequences : 0
      let part = parts[index]
      for number in start..<part.slices[slice].sequences {
        var sequence = part.sequences[number]
        let owner = part.sequenceOwners[number] &* partCount &+ UInt32(truncatingIfNeeded: index)
        guard owners.assign(start: sequence.start, end: sequence.end, for: owner) else {
          continue
        }
        sequence.firstRow &+= firstRows[index]
        sequences.append(sequence)
      }
    }
    return sequences
  }

  // MARK: In the order of the section

  private func joinCode(_ numbered: [NumberedCode]) -> SecondResult {
    let ranges = join(numbered.map(\.codeRanges))
    return .code(Handover(ranges), Handover(join(numbered.map(\.unitScopes))))
  }

  /// The slices in the order of the section. Those of the first part that come first stay where they are.
  private func join<Element: BitwiseCopyable & Sendable>(
    _ parts: [SlicedTable<Element>]
  ) -> Table<Element> {
    var joined = parts[0].table.take()
    let leading = order.prefix { $0.part == 0 }.count
    let start = leading > 0 ? parts[0].ends[leading - 1] : 0
    var later = Table<Element>(minimumCapacity: joined.count - start)
    for index in start..<joined.count { later.append(joined[index]) }
    joined.truncate(to: start)
    joined.reserve(parts.reduce(0) { $0 + ($1.ends.last ?? 0) })
    let others = [SealedTable(later)] + parts.dropFirst().map { SealedTable($0.table.take()) }
    for (part, slice) in order.dropFirst(leading) {
      let first = part == 0 ? start : 0
      for index in parts[part].range(of: slice) { joined.append(others[part].table[index - first]) }
    }
    return joined
  }
}

/// The code of a part, and which of it stays.
private final class MarkedCode: Sendable {
  let code: Handover<CodePart.Code>
  /// For each scope its number among those of its slice that stay; `none` for the others.
  let numbers: Handover<Table<UInt32>>
  /// How many scopes of each slice stay.
  let counts: [UInt32]

  init(
    _ code: consuming CodePart.Code, numbers: consuming Table<UInt32>, counts: [UInt32]
  ) {
    self.code = Handover(code)
    self.numbers = Handover(numbers)
    self.counts = counts
  }
}

/// A table that does not change any more.
private final class SealedTable<Element: BitwiseCopyable & Sendable>: Sendable {
  let table: Table<Element>

  init(_ table: consuming Table<Element>) { self.table = table }
}

/// A table of a part.
private final class SlicedTable<Element: BitwiseCopyable & Sendable>: Sendable {
  let table: Handover<Table<Element>>
  /// Where it ends with each slice.
  let ends: [Int]

  init(_ table: consuming Table<Element>, ends: [Int]) {
    self.table = Handover(table)
    self.ends = ends
  }

  func range(of slice: Int) -> Range<Int> { (slice > 0 ? ends[slice - 1] : 0)..<ends[slice] }
}

/// The code of a part without the dropped functions, by the joined numbers.
private struct NumberedCode: Sendable {
  let scopes: SlicedTable<ScopeRecord>
  let codeRanges: SlicedTable<CodeRange>
  let unitScopes: SlicedTable<UInt32>
}

extension CodePart {
  /// Drops the functions that an earlier unit described, and what was inlined into them.
  fileprivate func marked(_ owners: CodeJoin.CodeOwners) -> MarkedCode {
    let code = code.take()
    var numbers = Table<UInt32>(repeating: 0, count: code.scopes.count)
    for index in 0..<ownedRanges.count {
      let range = ownedRanges[index]
      if !owners.owners.isOwned(start: range.start, end: range.end, by: range.unit) {
        numbers[Int(range.scope)] = CodeTables.none
      }
    }
    var counts: [UInt32] = []
    var index = 0
    for slice in slices {
      var count: UInt32 = 0
      while index < slice.scopes {
        let parent = code.scopes[index].parent
        if parent != CodeTables.none, numbers[Int(parent)] == CodeTables.none {
          numbers[index] = CodeTables.none
        }
        if numbers[index] != CodeTables.none {
          numbers[index] = count
          count &+= 1
        }
        index += 1
      }
      counts.append(count)
    }
    return MarkedCode(code, numbers: numbers, counts: counts)
  }

  /// Gives what stays the joined numbers, in place.
  ///
  /// - Parameter starts: The number of the first scope of each slice.
  fileprivate func numbered(
    _ marked: MarkedCode, from starts: [UInt32], functions: CodeJoin.Numbers?,
    files: CodeJoin.Numbers?
  ) -> NumberedCode {
    var code = marked.code.take()
    let numbers = marked.numbers.take()
    var units = Table<UInt32>(minimumCapacity: code.unitScopes.count)
    var ends: [ShareSlice] = []
    var end = ShareSlice(share: 0)
    var index = 0
    var rangeIndex = 0
    var unit = 0
    for (number, slice) in slices.enumerated() {
      let start = starts[number]
      var isNewUnit = false
      while index < slice.scopes {
        if unit < slice.unitScopes, Int(code.unitScopes[unit]) == index {
          isNewUnit = true
          unit += 1
        }
        let number = numbers[index]
        if number != CodeTables.none {
          var scope = code.scopes[index]
          if scope.parent != CodeTables.none {
            scope.parent = numbers[Int(scope.parent)] &+ start
            if let files { scope.callFileOrEntry = files[scope.callFileOrEntry] }
          }
          if let functions { scope.function = functions[scope.function] }
          if isNewUnit {
            units.append(number &+ start)
            isNewUnit = false
          }
          code.scopes[end.scopes] = scope
          end.scopes += 1
        }
        index += 1
      }
      while rangeIndex < slice.codeRanges {
        var range = code.codeRanges[rangeIndex]
        let number = numbers[Int(range.scope)]
        if number != CodeTables.none {
          range.scope = number &+ start
          code.codeRanges[end.codeRanges] = range
          end.codeRanges += 1
        }
        rangeIndex += 1
      }
      end.unitScopes = units.count
      ends.append(end)
    }
    code.scopes.truncate(to: end.scopes)
    code.codeRanges.truncate(to: end.codeRanges)
    return NumberedCode(
      scopes: SlicedTable(code.scopes, ends: ends.map(\.scopes)),
      codeRanges: SlicedTable(code.codeRanges, ends: ends.map(\.codeRanges)),
      unitScopes: SlicedTable(units, ends: ends.map(\.unitScopes)))
  }
}
