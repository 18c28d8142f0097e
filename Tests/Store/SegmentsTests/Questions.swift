import Segments
import TestSupport

/// Random conditions, and what they mean.
struct Questions {
  var random: SplitMix
  let rows: [[Int]]

  private mutating func value(of column: SegmentColumn) -> Int {
    guard !rows.isEmpty, random.below(8) > 0 else {
      return random.pick([0, -1, 1, 7, Int.min, Int.max])
    }
    return Rows.value(random.pick(rows), column)
  }

  private mutating func column() -> SegmentColumn {
    random.below(30) == 0 ? SegmentColumn(rawValue: 60) : random.pick(Rows.columns).column
  }

  mutating func check() -> SegmentCheck {
    let column = column()
    if random.below(3) == 0 {
      let (one, other) = (value(of: column), value(of: column))
      return .range(column, min(one, other)...max(one, other))
    }
    let count = random.pick([0, 1, 1, 2, 5, 40, 3_000])
    let values = (0..<count).map { _ in value(of: column) }
    return .values(column, ValueSet(values, isInverted: random.below(4) == 0))
  }

  mutating func conditions() -> [SegmentCondition] {
    (0..<random.pick([0, 1, 1, 2, 3])).map { _ in
      let checks = (0..<random.pick([0, 1, 1, 1, 2, 4])).map { _ in check() }
      return SegmentCondition(checks, isNegated: random.below(3) == 0)
    }
  }

  /// Whether a row meets conditions, looked at one by one.
  static func holds(_ conditions: [SegmentCondition], for row: [Int]) -> Bool {
    conditions.allSatisfy { condition in
      let isMet = condition.checks.contains { check in
        switch check {
        case .values(let column, let set):
          set.values.contains(Rows.value(row, column)) != set.isInverted
        case .range(let column, let range): range.contains(Rows.value(row, column))
        }
      }
      return isMet != condition.isNegated
    }
  }
}
