internal import Bytes
internal import DWARF
internal import DebugInfo

/// The code of an object without overlaps, and its scopes numbered in the order of their code,
/// enclosing ones before those inside; also the functions and files that they name.
final class ScopeOrder: Sendable {
  /// A scope that refers to others by their numbers.
  struct Scope: BitwiseCopyable, Sendable {
    /// From 0.
    var function: UInt32
    /// The distance back to the scope around it; 0 where there is none.
    var distance: UInt32
    /// For an inlined call the file of the call, from 1; for a function the offset of its entry.
    var fileOrEntry: UInt32
    var line: UInt32
    var column: UInt32
  }

  let layout: CodeLayout
  /// For each scope of the object its number plus 1; 0 for those without code.
  let numbers: Table<UInt32>
  /// By number.
  let scopes: Table<Scope>
  /// The functions of the object by number.
  let functions: Table<UInt32>
  /// The files that functions and scopes name.
  let paths: PathTable

  init(_ code: ObjectCode, _ codeRanges: SortedCodeRanges) {
    let layout = code.layout(of: codeRanges)
    var numbering = ScopeNumbering(code)
    for index in 0..<layout.segments.count {
      numbering.add(layout.segments[index].scope, of: code.tables)
    }
    self.layout = layout
    numbers = numbering.numbers
    scopes = numbering.scopes
    functions = numbering.functions
    paths = numbering.paths
  }
}

/// Numbers scopes, and their functions and files, in the order in which they are added.
private struct ScopeNumbering: ~Copyable {
  var numbers: Table<UInt32>
  var scopes: Table<ScopeOrder.Scope>
  var functions = Table<UInt32>()
  var paths: PathTable
  /// For each function of the object its number plus 1; 0 for those that no scope refers to.
  private var functionNumbers: Table<UInt32>
  /// The scopes around a scope that have no number yet, innermost first.
  private var open = Table<UInt32>()

  init(_ code: ObjectCode) {
    numbers = Table(repeating: 0, count: code.tables.scopes.count)
    scopes = Table(minimumCapacity: code.tables.scopes.count)
    paths = PathTable(fileCount: code.tables.files.count)
    functionNumbers = Table(repeating: 0, count: code.tables.functions.count)
  }

  /// Adds a scope and those around it, unless they have been added.
  mutating func add(_ scope: UInt32, of tables: borrowing CodeTables) {
    var scope = scope
    while scope != CodeTables.none, numbers[Int(scope)] == 0 {
      open.append(scope)
      scope = tables.scopes[Int(scope)].parent
    }
    while !open.isEmpty { append(open.removeLast(), of: tables) }
  }

  private mutating func append(_ scope: UInt32, of tables: borrowing CodeTables) {
    let record = tables.scopes[Int(scope)]
    let number = UInt32(truncatingIfNeeded: scopes.count) &+ 1
    numbers[Int(scope)] = number
    let function = self.number(of: record.function, in: tables)
    if record.parent == CodeTables.none {
      scopes.append(
        ScopeOrder.Scope(
          function: function, distance: 0, fileOrEntry: record.callFileOrEntry, line: 0, column: 0))
    } else {
      scopes.append(
        ScopeOrder.Scope(
          function: function, distance: number &- numbers[Int(record.parent)],
          fileOrEntry: paths.number(of: record.callFileOrEntry), line: record.callLine,
          column: record.callColumn))
    }
  }

  private mutating func number(of function: UInt32, in tables: borrowing CodeTables) -> UInt32 {
    let known = functionNumbers[Int(function)]
    if known != 0 { return known &- 1 }
    functions.append(function)
    functionNumbers[Int(function)] = UInt32(truncatingIfNeeded: functions.count)
    _ = paths.number(of: tables.functions[Int(function)].file)
    return UInt32(truncatingIfNeeded: functions.count &- 1)
  }
}
