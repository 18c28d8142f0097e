internal import Bytes
internal import DWARF
internal import ObjectFormats

/// Reads the debug information of a program out of the object files that it was linked of, and
/// moves it to where the linker put the code.
///
/// Code that the map does not name was dropped by the linker, or is the same code as a function of
/// another file.
struct DebugMapReader: ~Copyable {
  /// Code of an object file that the linker put elsewhere, as offsets.
  private struct Move {
    var start: UInt32
    /// Exclusive.
    var end: UInt32
    /// Where it begins in the program.
    var target: UInt32
  }

  private var builder: CodeTablesBuilder
  private let space: CodeSpace
  private let limits: DWARFLimits
  private(set) var notes: [String] = []

  /// - Parameter inputSize: The size of all object files together, in bytes.
  init(inputSize: Int, space: CodeSpace, limits: DWARFLimits) {
    builder = CodeTablesBuilder(inputSize: inputSize, limits: limits)
    self.space = space
    self.limits = limits
  }

  /// Adds what `object` shows about the functions of `part`.
  ///
  /// - Parameters:
  ///   - part: What the map says about the object file.
  ///   - map: The map of the program.
  mutating func add(_ object: ObjectFile, as part: DebugMap.Object, of map: DebugMap) {
    guard object.hasDebugInfo else { return }
    var sections = DWARFSections(
      endianness: object.endianness, addressSize: object.addressSize)
    var damage: [String] = []
    sections.load(from: object, notes: &damage)
    let objectSpace = CodeSpace(imageBase: object.imageBase, executable: object.executableRanges)
    let tables = CodeTables.reading(
      sections, space: objectSpace, limits: limits.fitting(storedBytes: object.bytes.count))
    sections.scopedNames = tables.scopedNames.view
    damage += tables.notes.lines
    let symbols = (try? object.symbolTable()) ?? .empty
    let moves = moves(of: part, map, symbols, objectSpace)
    var copy = Copying(tables, moveCount: moves.count, limits: limits)
    copyScopes(tables, sections, moves, &copy)
    copyRows(tables, Self.withoutPadding(moves, tables), &copy)
    if copy.budget <= 0 { damage.append("debug map: more code than the limit") }
    let name = map.path(of: part)
    notes += damage.prefix(limits.notes - min(notes.count, limits.notes)).map { "\(name): \($0)" }
  }

  /// The tables; their names lie in the strings of `sections`.
  consuming func finish(strings: inout ByteView) -> CodeTables {
    builder.finish(strings: &strings)
  }

  /// Where each function of the map lies in the object: sorted, and apart.
  private func moves(
    of part: DebugMap.Object, _ map: DebugMap, _ symbols: SymbolTable, _ objectSpace: CodeSpace
  ) -> [Move] {
    let index = SymbolIndex(symbols)
    var moves: [Move] = []
    for function in part.functions {
      guard let address = index.address(of: map.name(of: function)),
        let start = objectSpace.offset(of: address), objectSpace.holdsCode(at: start),
        let target = space.offset(of: function.address), space.holdsCode(at: target)
      else { continue }
      let limit = min(
        UInt64(objectSpace.codeEnd(at: start) - start), UInt64(space.codeEnd(at: target) - target))
      let size = function.size == 0 ? limit : min(function.size, limit)
      moves.append(Move(start: start, end: start + UInt32(clamping: size), target: target))
    }
    moves.sort { ($0.start, $0.target) < ($1.start, $1.target) }
    var apart: [Move] = []
    for move in moves {
      if let last = apart.last {
        if last.start == move.start { continue }
        apart[apart.count - 1].end = min(last.end, move.start)
      }
      apart.append(move)
    }
    return apart
  }

  /// The moves up to the end of the functions that the debug information has there, as `dsymutil`
  /// takes lines: the instructions that fill the space up to the next function belong to no line.
  private static func withoutPadding(_ moves: [Move], _ tables: borrowing CodeTables) -> [Move] {
    var ends = [UInt32](repeating: 0, count: moves.count)
    for index in 0..<tables.codeRanges.count {
      let codeRange = tables.codeRanges[index]
      guard tables.scopes[Int(codeRange.scope)].parent == CodeTables.none else { continue }
      let low = moves.lowerBound { $0.end <= codeRange.start }
      guard low < moves.count, moves[low].start <= codeRange.start else { continue }
      ends[low] = max(ends[low], min(codeRange.end, moves[low].end))
    }
    return zip(moves, ends).map { move, end in
      end == 0 ? move : Move(start: move.start, end: end, target: move.target)
    }
  }

  /// The known facts about one object file while its tables are copied.
  private struct Copying: ~Copyable {
    /// The numbers in the program's tables, plus 1; 0 until it is asked for.
    var functions: Table<UInt32>
    var files: Table<UInt32>
    /// The numbers in the program's tables; `none` for those that were dropped.
    var scopes: Table<UInt32>
    /// How many more ranges and rows may be copied: overlapping code of the object would be copied
    /// for each function that it reaches over.
    var budget: Int

    init(_ tables: borrowing CodeTables, moveCount: Int, limits: DWARFLimits) {
      functions = Table(repeating: 0, count: tables.functions.count)
      files = Table(repeating: 0, count: tables.files.count + 1)
      scopes = Table(repeating: CodeTables.none, count: tables.scopes.count)
      let parts = tables.codeRanges.count + tables.rows.count + tables.sequences.count + moveCount
      budget = limits.slack / 16 + limits.expansion * parts
    }
  }

  private mutating func copyScopes(
    _ tables: borrowing CodeTables, _ sections: DWARFSections, _ moves: [Move],
    _ copy: inout Copying
  ) {
    var codeRange = 0
    var moved: [Range<UInt32>] = []
    for scope in 0..<tables.scopes.count {
      moved.removeAll(keepingCapacity: true)
      while codeRange < tables.codeRanges.count, Int(tables.codeRanges[codeRange].scope) <= scope {
        if Int(tables.codeRanges[codeRange].scope) == scope {
          let code = tables.codeRanges[codeRange]
          Self.move(code.start, code.end, by: moves, &copy.budget) { start, end, target in
            moved.append(target..<(target + (end - start)))
          }
        }
        codeRange += 1
      }
      let record = tables.scopes[scope]
      var number: UInt32?
      if record.parent == CodeTables.none {
        guard let first = moved.first else { continue }
        var entry = first.lowerBound
        let start = record.callFileOrEntry
        var one = 1
        Self.move(start, start == .max ? start : start + 1, by: moves, &one) { _, _, target in
          entry = target
        }
        number = builder.addScope(
          of: function(record.function, tables, sections, &copy), entry: entry)
      } else {
        guard Int(record.parent) < scope, copy.scopes[Int(record.parent)] != CodeTables.none else {
          continue
        }
        number = builder.addCall(
          of: function(record.function, tables, sections, &copy),
          in: copy.scopes[Int(record.parent)],
          file: file(record.callFileOrEntry, tables, &copy), line: record.callLine,
          column: record.callColumn)
      }
      guard let number else { continue }
      copy.scopes[scope] = number
      for range in moved {
        builder.addCodeRange(from: range.lowerBound, to: range.upperBound, of: number)
      }
    }
  }

  private mutating func copyRows(
    _ tables: borrowing CodeTables, _ moves: [Move], _ copy: inout Copying
  ) {
    for index in 0..<tables.sequences.count {
      let sequence = tables.sequences[index]
      let last = Int(sequence.firstRow) + Int(sequence.rowCount) - 1
      guard sequence.rowCount > 0, last < tables.rows.count else { continue }
      for number in Int(sequence.firstRow)...last {
        let row = tables.rows[number]
        let end = number < last ? tables.rows[number + 1].address : sequence.end
        let path = file(UInt32(truncatingIfNeeded: row.location &>> 42), tables, &copy)
        Self.move(row.address, end, by: moves, &copy.budget) { start, end, target in
          builder.addRow(
            from: target, to: target + (end - start), file: path,
            line: UInt32(truncatingIfNeeded: row.location &>> 16) & 0x3ff_ffff,
            column: UInt32(truncatingIfNeeded: row.location & 0xffff))
        }
      }
    }
  }

  /// Calls `body` with each part of the code from `start` to `end` that was moved, and its target.
  private static func move(
    _ start: UInt32, _ end: UInt32, by moves: [Move], _ budget: inout Int,
    body: (_ start: UInt32, _ end: UInt32, _ target: UInt32) -> Void
  ) {
    guard end > start else { return }
    var low = moves.lowerBound { $0.end <= start }
    while low < moves.count, moves[low].start < end, budget > 0 {
      let move = moves[low]
      low += 1
      let first = max(start, move.start)
      let last = min(end, move.end)
      guard last > first else { continue }
      budget -= 1
      body(first, last, move.target + (first - move.start))
    }
  }

  private mutating func function(
    _ index: UInt32, _ tables: borrowing CodeTables, _ sections: DWARFSections,
    _ copy: inout Copying
  ) -> UInt32 {
    let known = copy.functions[Int(index)]
    if known != 0 { return known - 1 }
    let record = tables.functions[Int(index)]
    let text = sections.view(of: record.name.section)
    let rest = text.clamped(min(record.name.offset, text.count)..<text.count)
    let number = builder.addFunction(
      named: builder.addName(rest.bytes), file: file(record.file, tables, &copy),
      line: record.line)
    copy.functions[Int(index)] = number + 1
    return number
  }

  private mutating func file(
    _ index: UInt32, _ tables: borrowing CodeTables, _ copy: inout Copying
  ) -> UInt32 {
    guard index > 0, Int(index) < copy.files.count else { return 0 }
    let known = copy.files[Int(index)]
    if known != 0 { return known - 1 }
    let path = tables.files.range(of: Int(index) - 1)
    let bytes = unsafe tables.files.bytes.span.bytes
    let number = builder.addFile(bytes.extracting(path))
    copy.files[Int(index)] = number + 1
    return number
  }
}
