internal import Bytes
internal import DWARF

/// Resolves nested or overlapping ranges of code into ranges without overlaps.
///
/// Where several cover an address, the one whose entry comes last in its unit counts: an inlined call comes
/// after the function around it. If two units describe the same code (a linker folded equal functions), the
/// first counts.
struct SegmentSweep: ~Copyable {
  struct Open: BitwiseCopyable {
    var end: UInt32
    var scope: UInt32
    /// The first scope of the next unit.
    var unitEnd: UInt32
  }

  private(set) var segments = Table<CodeSegment>()
  private var stack = Table<Open>()
  private let overlapLimit: Int
  /// Ranges that were left out because too many overlap.
  private(set) var droppedCount = 0

  init(overlapLimit: Int) { self.overlapLimit = overlapLimit }

  /// - Parameters:
  ///   - codeRanges: Sorted by start.
  ///   - unitScopes: The first scope of each unit, in order.
  mutating func run(
    _ codeRanges: borrowing Table<CodeRange>, unitScopes: borrowing Table<UInt32>
  ) {
    for index in 0..<codeRanges.count {
      let codeRange = codeRanges[index]
      close(before: codeRange.start)
      if let top = stack.last, codeRange.scope >= top.scope, codeRange.scope < top.unitEnd {
        push(codeRange, at: stack.count, unitEnd: top.unitEnd)
      } else {
        insert(codeRange, unitScopes)
      }
    }
    close(before: .max)
  }

  private mutating func emit(_ start: UInt32, _ scope: UInt32) {
    if let last = segments.last {
      if last.start == start {
        segments.removeLast()
        if segments.last?.scope == scope { return }
      } else if last.scope == scope {
        return
      }
    }
    segments.append(CodeSegment(start: start, scope: scope))
  }

  /// Closes the ranges that end at or before `offset`.
  private mutating func close(before offset: UInt32) {
    while let top = stack.last, top.end <= offset {
      stack.removeLast()
      while let next = stack.last, next.end <= top.end { stack.removeLast() }
      emit(top.end, stack.last?.scope ?? CodeTables.none)
    }
  }

  private mutating func push(_ codeRange: CodeRange, at depth: Int, unitEnd: UInt32) {
    guard stack.count < overlapLimit else {
      droppedCount += 1
      return
    }
    let isTop = depth == stack.count
    stack.insert(Open(end: codeRange.end, scope: codeRange.scope, unitEnd: unitEnd), at: depth)
    if isTop { emit(codeRange.start, codeRange.scope) }
  }

  /// Inserts a range among the open ones: below those of earlier units, and below later entries of its own
  /// unit.
  private mutating func insert(_ codeRange: CodeRange, _ unitScopes: borrowing Table<UInt32>) {
    let unitEnd = Self.unitEnd(of: codeRange.scope, unitScopes)
    // The open ones are sorted in this order, and there may be thousands.
    let depth = stack.lowerBound { open in
      open.unitEnd == unitEnd ? codeRange.scope >= open.scope : unitEnd < open.unitEnd
    }
    push(codeRange, at: depth, unitEnd: unitEnd)
  }

  private static func unitEnd(
    of scope: UInt32, _ unitScopes: borrowing Table<UInt32>
  ) -> UInt32 {
    let low = (0..<unitScopes.count).lowerBound { unitScopes[$0] <= scope }
    return low < unitScopes.count ? unitScopes[low] : .max
  }
}
