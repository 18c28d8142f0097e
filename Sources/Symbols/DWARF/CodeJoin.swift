internal import Bytes
internal import Workers

/// Joins the tables of several readers into those that one reader would have made:
/// shares in the order of the section, and of several units that describe the same code the first.
struct CodeJoin: ~Copyable {
  /// The tables of a part, and what their numbers become in the joined ones.
  private final class Source: Sendable {
    let contents: CodePart.Contents
    let slices: [CodePart.ShareSlice]
    /// By number in the part: the number in the joined tables.
    let functions: Table<UInt32>
    /// The same for files, from 1.
    let files: Table<UInt32>
    /// Where its line rows begin.
    let firstRow: UInt32

    init(
      _ contents: consuming CodePart.Contents, slices: [CodePart.ShareSlice],
      functions: consuming Table<UInt32>, files: consuming Table<UInt32>, firstRow: Int
    ) {
      self.contents = contents
      self.slices = slices
      self.functions = functions
      self.files = files
      self.firstRow = UInt32(truncatingIfNeeded: firstRow)
    }

    func appendRows(to rows: inout Table<LineRow>) {
      for index in 0..<contents.tables.rows.count {
        let row = contents.tables.rows[index]
        rows.append(row.inFile(files[Int(row.file)]))
      }
    }
  }

  private var output = CodeTables()
  private var rowCount = 0
  private var functions = FunctionTable()
  private var codeOwners = RangeOwners()
  private var lineOwners = RangeOwners()
  /// For each scope of a slice its number in the joined tables; all ones where it is left out.
  private var scopeNumbers = Table<UInt32>()
  private let limits: DWARFLimits

  private init(limits: DWARFLimits) { self.limits = limits }

  /// The joined tables; `nil` where limits were reached, whose effect depends on what else was
  /// read, and where that is not known of damage that was met.
  ///
  /// - Parameter notes: Notes from before the first unit was read.
  static func joining(
    _ parts: [CodePart], notes: ParseNotes, limits: DWARFLimits
  ) -> CodeTables? {
    guard let first = parts.first, first.allowed.covers(parts.map(\.rest)),
      parts.reduce(0, { $0 + ($1.slices.last?.scopes ?? 0) }) < limits.scopes,
      parts.reduce(0, { $0 + ($1.slices.last?.codeRanges ?? 0) }) < limits.codeRanges,
      parts.reduce(0, { $0 + $1.rowCount }) < limits.rows
    else { return nil }
    var join = CodeJoin(limits: limits)
    let sources = parts.indices.compactMap { join.source(parts[$0], isFirst: $0 == 0) }
    guard sources.count == parts.count else { return nil }
    // One reader meets the damage of a line table once.
    let hasNotes = sources.contains { $0.contents.tables.notes.count > 0 }
    guard !hasNotes || !Self.share(parts.map(\.lineTables)) else { return nil }
    return join.run(sources, notes: notes)
  }

  private static func share(_ sets: [Set<UInt64>]) -> Bool {
    sets.reduce(into: Set<UInt64>()) { $0.formUnion($1) }.count
      < sets.reduce(0) { $0 + $1.count }
  }

  /// Numbers the functions and files of a part. The numbers of the first part stay, and its rows.
  private mutating func source(_ part: CodePart, isFirst: Bool) -> Source? {
    var contents = part.take()
    var files = Table<UInt32>(minimumCapacity: contents.tables.files.count + 1)
    var functions = Table<UInt32>(minimumCapacity: contents.tables.functions.count)
    let firstRow = rowCount
    rowCount += contents.tables.rows.count
    files.append(0)
    if isFirst {
      for index in 0..<contents.tables.files.count {
        files.append(UInt32(truncatingIfNeeded: index + 1))
      }
      for index in 0..<contents.tables.functions.count {
        functions.append(UInt32(truncatingIfNeeded: index))
      }
      swap(&output.files, &contents.tables.files)
      swap(&output.functions, &contents.tables.functions)
      swap(&output.rows, &contents.tables.rows)
      swap(&output.scopedNames, &contents.tables.scopedNames)
      swap(&self.functions, &contents.functions)
      output.files.budget = .max
    } else {
      for index in 0..<contents.tables.files.count {
        guard
          let file = output.files.adopt(index, of: contents.tables.files, limit: limits.files)
        else { return nil }
        files.append(UInt32(truncatingIfNeeded: file + 1))
      }
      for index in 0..<contents.tables.functions.count {
        var record = contents.tables.functions[index]
        record.file = files[Int(record.file)]
        if record.name.section == .scoped {
          record.name = output.scopedNames.reference(
            to: contents.tables.scopedNames.name(at: record.name.offset))
        }
        functions.append(self.functions.index(of: record, in: &output.functions))
      }
      contents.tables.files = FileTable()
      contents.tables.functions = Table()
    }
    output.skeletonCount += contents.tables.skeletonCount
    return Source(
      contents, slices: part.slices, functions: functions, files: files, firstRow: firstRow)
  }

  private consuming func run(_ sources: [Source], notes: ParseNotes) -> CodeTables {
    output.notes = notes
    var firstRows = Table<LineRow>()
    swap(&firstRows, &output.rows)
    firstRows.reserve(rowCount)
    let rows = Handover(firstRows)
    let joinedRows = Background(isOn: true) {
      var rows = rows.take()
      for source in sources.dropFirst() { source.appendRows(to: &rows) }
      return rows
    }
    var order: [(share: Int, source: Int, slice: Int)] = []
    for (index, source) in sources.enumerated() {
      for (slice, item) in source.slices.enumerated() {
        order.append((item.share, index, slice))
      }
    }
    order.sort { $0.share < $1.share }
    var scopeCount = 0
    var codeRangeCount = 0
    for source in sources {
      scopeCount += source.contents.tables.scopes.count
      codeRangeCount += source.contents.tables.codeRanges.count
    }
    output.scopes = Table(minimumCapacity: scopeCount)
    output.codeRanges = Table(minimumCapacity: codeRangeCount)
    for (_, index, slice) in order {
      let source = sources[index]
      let end = source.slices[slice]
      let start = slice > 0 ? source.slices[slice - 1] : CodePart.ShareSlice(share: 0)
      addSequences(
        of: source, start.sequences..<end.sequences, part: index, partCount: sources.count)
      addScopes(of: source, from: start, to: end)
      output.notes.add(
        source.contents.tables.notes, from: start.notes, to: end.notes, limit: limits.notes)
    }
    output.rows = joinedRows.value()
    return output
  }

  private mutating func addSequences(
    of source: Source, _ range: Range<Int>, part: Int, partCount: Int
  ) {
    for index in range {
      var sequence = source.contents.tables.sequences[index]
      let owner =
        source.contents.sequenceOwners[index] &* UInt32(truncatingIfNeeded: partCount)
        &+ UInt32(truncatingIfNeeded: part)
      guard lineOwners.assign(start: sequence.start, end: sequence.end, for: owner) else {
        continue
      }
      sequence.firstRow &+= source.firstRow
      output.sequences.append(sequence)
    }
  }

  /// Adds the scopes of a slice and their ranges, without the functions that an earlier unit
  /// described and what was inlined into them.
  private mutating func addScopes(
    of source: Source, from start: CodePart.ShareSlice, to end: CodePart.ShareSlice
  ) {
    let first = start.scopes
    scopeNumbers.reset(to: 0, count: end.scopes - first)
    for index in start.ownedRanges..<end.ownedRanges {
      let range = source.contents.ownedRanges[index]
      if !codeOwners.assign(start: range.start, end: range.end, for: range.unit) {
        scopeNumbers[Int(range.scope) - first] = CodeTables.none
      }
    }
    var nextUnit = start.unitScopes
    var isNewUnit = false
    for index in first..<end.scopes {
      if nextUnit < end.unitScopes,
        Int(source.contents.tables.unitScopes[nextUnit]) == index
      {
        isNewUnit = true
        nextUnit += 1
      }
      var scope = source.contents.tables.scopes[index]
      if scope.parent != CodeTables.none {
        scope.parent = scopeNumbers[Int(scope.parent) - first]
        if scope.parent == CodeTables.none { scopeNumbers[index - first] = CodeTables.none }
        scope.callFileOrEntry = source.files[Int(scope.callFileOrEntry)]
      }
      if scopeNumbers[index - first] == CodeTables.none { continue }
      scope.function = source.functions[Int(scope.function)]
      let number = UInt32(truncatingIfNeeded: output.scopes.count)
      scopeNumbers[index - first] = number
      if isNewUnit {
        output.unitScopes.append(number)
        isNewUnit = false
      }
      output.scopes.append(scope)
    }
    for index in start.codeRanges..<end.codeRanges {
      var codeRange = source.contents.tables.codeRanges[index]
      codeRange.scope = scopeNumbers[Int(codeRange.scope) - first]
      if codeRange.scope != CodeTables.none { output.codeRanges.append(codeRange) }
    }
  }
}
