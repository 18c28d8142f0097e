internal import Bytes
internal import DWARF

/// The inlined calls of one function.
///
/// A call of level n lies in whatever call of level n-1 covers the same code. Some writers sort the
/// records by address, and join calls that look alike, so that one record may lie in several calls;
/// it becomes a call in each.
///
/// Source: Breakpad, docs/symbol_files.md, "INLINE records"; mozilla/dump_syms writes the sorted form.
struct BreakpadCalls: ~Copyable {
  struct Call: BitwiseCopyable {
    var function: UInt32
    var file: UInt32
    var line: UInt32
    /// The scope that was made of it last, and in which.
    var parent = CodeTables.none
    var scope = CodeTables.none
  }

  struct Range: BitwiseCopyable {
    var start: UInt32
    var end: UInt32
    var level: UInt32
    var call: UInt32
  }

  /// Ranges that may come of one that a function has: written files stay near 1.
  private static let expansion = 8
  private static let slack = 1_024

  private var calls = Table<Call>()
  private var ranges: [Range] = []
  private var outer = Table<CodeRange>()
  private var inner = Table<CodeRange>()
  /// Whether the ranges stand by level and then by start.
  private var isSorted = true

  var isEmpty: Bool { ranges.isEmpty }

  mutating func removeAll() {
    guard calls.count > 0 else { return }
    calls.removeAll()
    ranges.removeAll(keepingCapacity: true)
    isSorted = true
  }

  /// Begins a call and returns its number.
  mutating func begin(of function: UInt32, file: UInt32, line: UInt32) -> UInt32 {
    calls.append(Call(function: function, file: file, line: line))
    return UInt32(truncatingIfNeeded: calls.count &- 1)
  }

  mutating func addRange(from start: UInt32, to end: UInt32, of call: UInt32, level: UInt32) {
    guard end > start else { return }
    let range = Range(start: start, end: end, level: level, call: call)
    if let last = ranges.last, !Self.isBefore(last, range) { isSorted = false }
    ranges.append(range)
  }

  /// By level, then by start, then as they came.
  private static func isBefore(_ left: Range, _ right: Range) -> Bool {
    (UInt64(left.level) &<< 32 | UInt64(left.start), left.call)
      <= (UInt64(right.level) &<< 32 | UInt64(right.start), right.call)
  }

  /// Adds the calls to a function that covers `start..<end`; false when some were left out.
  mutating func add(
    to builder: inout CodeTablesBuilder, scope: UInt32, from start: UInt32, to end: UInt32
  ) -> Bool {
    if !isSorted { ranges.sort { !Self.isBefore($1, $0) } }
    var budget = ranges.count * Self.expansion + Self.slack
    outer.removeAll()
    outer.append(CodeRange(start: start, end: end, scope: scope))
    var index = 0
    var level: UInt32 = 0
    while index < ranges.count {
      // A level that is missing leaves those above it without a place.
      guard ranges[index].level == level else { return true }
      var next = index
      while next < ranges.count, ranges[next].level == level { next += 1 }
      inner.removeAll()
      guard nest(index..<next, &builder, &budget) else { return false }
      swap(&outer, &inner)
      index = next
      level &+= 1
    }
    return true
  }

  /// Cuts the ranges of one level along the ranges of the level below, both sorted by start.
  private mutating func nest(
    _ indices: Swift.Range<Int>, _ builder: inout CodeTablesBuilder, _ budget: inout Int
  ) -> Bool {
    var codeRange = 0
    var reach: UInt32 = 0
    for index in indices {
      let range = ranges[index]
      let start = max(range.start, reach)
      guard range.end > start else { continue }
      reach = range.end
      while codeRange < outer.count, outer[codeRange].end <= start { codeRange += 1 }
      var other = codeRange
      while other < outer.count, outer[other].start < range.end {
        let around = outer[other]
        guard budget > 0, let scope = self.scope(of: range.call, in: around.scope, &builder)
        else { return false }
        budget -= 1
        let low = max(start, around.start)
        let high = min(range.end, around.end)
        inner.append(CodeRange(start: low, end: high, scope: scope))
        builder.addCodeRange(from: low, to: high, of: scope)
        if around.end > range.end { break }
        other += 1
      }
    }
    return true
  }

  private mutating func scope(
    of call: UInt32, in parent: UInt32, _ builder: inout CodeTablesBuilder
  ) -> UInt32? {
    var record = calls[Int(call)]
    if record.parent == parent { return record.scope }
    guard
      let scope = builder.addCall(
        of: record.function, in: parent, file: record.file, line: record.line)
    else { return nil }
    record.parent = parent
    record.scope = scope
    calls[Int(call)] = record
    return scope
  }
}
