/// Checks of which one has to hold, or with ``isNegated`` none. A query is a list of conditions that all
/// hold.
public struct SegmentCondition: Hashable, Sendable {
  public var checks: [SegmentCheck]
  public var isNegated: Bool

  /// - Parameter checks: Without any, no row meets the condition, and each one its negation.
  public init(_ checks: [SegmentCheck], isNegated: Bool = false) {
    self.checks = checks
    self.isNegated = isNegated
  }
}

/// A check of the value in one column. In a segment without the column, its value is 0.
public enum SegmentCheck: Hashable, Sendable {
  /// The value is in a set: codes, row ids of reports.
  case values(SegmentColumn, ValueSet)
  /// The value is in a range: a time in microseconds since 1970.
  case range(SegmentColumn, ClosedRange<Int>)

  var column: SegmentColumn {
    switch self {
    case .values(let column, _), .range(let column, _): column
    }
  }

  func contains(_ value: Int) -> Bool {
    switch self {
    case .values(_, let values): values.contains(value)
    case .range(_, let range): range.contains(value)
    }
  }
}
