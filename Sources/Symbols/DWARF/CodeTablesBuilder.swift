public import Bytes

/// Fills ``CodeTables`` from a format other than DWARF: functions, inlined calls and lines, in any order of
/// addresses. The same calls always give the same tables.
///
/// Names and paths are copied, so the input may be released. Addresses are offsets from the image base;
/// callers omit anything beyond 32 bits. No input traps: anything that makes no sense, or exceeds a limit, is
/// left out.
///
///     var builder = CodeTablesBuilder(inputSize: text.count)
///     let path = builder.addFile(bytes(of: "/src/main.c"))
///     let main = builder.addFunction(named: builder.addName(bytes(of: "main")))
///     let swap = builder.addFunction(named: builder.addName(bytes(of: "swap")))
///     // main has the code 0x1000..<0x1100, with swap inlined in line 7 at 0x1010..<0x1020.
///     if let scope = builder.addScope(of: main, entry: 0x1000) {
///       builder.addCodeRange(from: 0x1000, to: 0x1100, of: scope)
///       if let call = builder.addCall(of: swap, in: scope, file: path, line: 7) {
///         builder.addCodeRange(from: 0x1010, to: 0x1020, of: call)
///       }
///     }
///     builder.addRow(from: 0x1000, to: 0x1010, file: path, line: 6)
///     builder.addRow(from: 0x1010, to: 0x1020, file: path, line: 2)
///     builder.addRow(from: 0x1020, to: 0x1100, file: path, line: 8)
///     let tables = builder.finish(strings: &sections.strings)
///
/// Where functions overlap, the one added first wins; where calls of one function overlap, the one added
/// last; where rows overlap, those of the sequence that begins first, to its end.
public struct CodeTablesBuilder: ~Copyable {
  private var tables = CodeTables()
  private var strings = Table<UInt8>()
  private var functions = FunctionTable()
  /// The depth of each scope of the current function, the function itself first.
  private var depths = Table<UInt32>()
  private var firstScope = 0
  private var nameBudget: Int
  private let limits: DWARFLimits

  /// - Parameter inputSize: The size of the input in bytes: names and paths may take up a multiple of it.
  public init(inputSize: Int, limits: DWARFLimits = DWARFLimits()) {
    self.limits = limits
    nameBudget = inputSize * limits.expansion + limits.slack
    tables.files.budget = inputSize * limits.expansion + limits.pathSlack
    tables.files.room = inputSize * limits.expansion + limits.pathRoom
  }

  // MARK: Names

  /// Adds a name up to its first NUL, cut at ``DWARFLimits/nameLength``; returns `none` for an empty one and
  /// at the limit. Equal names are not merged: call this once for each name that the format numbers.
  public mutating func addName(_ text: RawSpan) -> TextReference {
    let count = text.textLength(from: 0, limit: limits.nameLength)
    guard count > 0, count < nameBudget else { return .none }
    nameBudget -= count
    let reference = TextReference(.strings, strings.count)
    strings.append(contentsOf: text.extracting(0..<count))
    strings.append(0)
    return reference
  }

  /// The number of a path, from 1; equal paths have one number, also an empty one (for lines of an unknown
  /// file). 0, for no file, at a limit.
  public mutating func addFile(_ path: RawSpan) -> UInt32 {
    let begin = tables.files.begin()
    let count = min(path.byteCount, limits.pathLength)
    tables.files.append(path, from: 0, count: count, to: begin)
    guard let index = tables.files.finish(begin, limit: limits.files - 1) else { return 0 }
    return UInt32(truncatingIfNeeded: index) &+ 1
  }

  /// The number of a function with a name and, where known, the location of its declaration.
  public mutating func addFunction(
    named name: TextReference, file: UInt32 = 0, line: UInt32 = 0
  ) -> UInt32 {
    functions.index(
      of: FunctionRecord(name: name, file: file, line: line), in: &tables.functions)
  }

  // MARK: Code

  /// Begins a function with code: the calls inlined into it follow, before the next function.
  ///
  /// - Parameters:
  ///   - function: From ``addFunction(named:file:line:)``.
  ///   - entry: The address of its entry.
  /// - Returns: The scope's number; `nil` at the limit.
  public mutating func addScope(of function: UInt32, entry: UInt32) -> UInt32? {
    let scope = append(
      ScopeRecord(
        function: function, parent: CodeTables.none, callFileOrEntry: entry, callLine: 0,
        callColumn: 0))
    guard let scope else { return nil }
    firstScope = Int(scope)
    depths.removeAll()
    depths.append(0)
    tables.unitScopes.append(scope)
    return scope
  }

  /// Adds a call that was inlined into a scope.
  ///
  /// - Parameters:
  ///   - function: The function that was called.
  ///   - parent: A scope of the function that was begun last.
  ///   - file: The file of the call in the parent, which `line` and `column` refer to; 0 where unknown.
  /// - Returns: The scope's number; `nil` at a limit, or for a parent of another function.
  public mutating func addCall(
    of function: UInt32, in parent: UInt32, file: UInt32, line: UInt32, column: UInt32 = 0
  ) -> UInt32? {
    let depthIndex = Int(parent) - firstScope
    guard depthIndex >= 0, depthIndex < depths.count, depths[depthIndex] < limits.inlineDepth else {
      return nil
    }
    let scope = append(
      ScopeRecord(
        function: function, parent: parent, callFileOrEntry: file, callLine: line,
        callColumn: column))
    if scope != nil { depths.append(depths[depthIndex] &+ 1) }
    return scope
  }

  private mutating func append(_ record: ScopeRecord) -> UInt32? {
    guard tables.scopes.count < limits.scopes, Int(record.function) < tables.functions.count else {
      return nil
    }
    tables.scopes.append(record)
    return UInt32(truncatingIfNeeded: tables.scopes.count - 1)
  }

  /// Adds a code range of a scope; `end` is exclusive.
  public mutating func addCodeRange(from start: UInt32, to end: UInt32, of scope: UInt32) {
    guard end > start, Int(scope) < tables.scopes.count else { return }
    tables.codeRanges.append(CodeRange(start: start, end: end, scope: scope))
  }

  // MARK: Lines

  /// Adds the location of code; `end` is exclusive. Adjacent rows without gaps are cheapest.
  ///
  /// - Parameters:
  ///   - file: From ``addFile(_:)``; 0 for code without a source.
  ///   - line: 0 where unknown.
  ///   - column: 0 where unknown.
  public mutating func addRow(
    from start: UInt32, to end: UInt32, file: UInt32, line: UInt32, column: UInt32 = 0
  ) {
    guard end > start else { return }
    let location = LineRow.location(file: file, line: UInt64(line), column: UInt64(column))
    let count = tables.sequences.count
    if count > 0, tables.sequences[count - 1].end == start {
      tables.sequences[count - 1].end = end
      if tables.rows.last?.location == location { return }
      tables.sequences[count - 1].rowCount &+= 1
    } else {
      tables.sequences.append(
        LineSequence(
          start: start, end: end, firstRow: UInt32(truncatingIfNeeded: tables.rows.count),
          rowCount: 1))
    }
    tables.rows.append(LineRow(address: start, location: location))
  }

  // MARK: The end

  /// Adds a note about damage, up to ``DWARFLimits/notes`` of them.
  public mutating func note(_ line: @autoclosure () -> String) {
    tables.notes.add(line(), limit: limits.notes)
  }

  /// The tables; their names are in `strings`, to be used as ``DWARFSections/strings``.
  public consuming func finish(strings view: inout ByteView) -> CodeTables {
    tables.unitCount = tables.unitScopes.count
    view = ByteView(taking: strings)
    return tables
  }
}
