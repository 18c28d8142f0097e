public import Bytes

extension Segment {
  /// The rows that meet all conditions.
  ///
  /// - Parameter deleted: Rows to leave out; of this segment, otherwise traps.
  /// - Throws: ``ParseError`` where a column that is needed is damaged.
  /// - Complexity: O(n), less for columns that the order of the rows follows.
  public func rows(
    matching conditions: [SegmentCondition], except deleted: RowSet? = nil
  ) throws(ParseError) -> RowSet {
    var live = RowSet(allOf: rowCount)
    if let deleted { live.subtract(deleted) }
    guard rowCount > 0 else { return live }
    for condition in ordered(conditions) {
      let found = try matches(of: condition, among: live)
      if condition.isNegated { live.subtract(found) } else { live = found }
    }
    return live
  }

  /// Conditions with those first that cost little and leave parts of the others out.
  private func ordered(_ conditions: [SegmentCondition]) -> [SegmentCondition] {
    guard conditions.count > 1 else { return conditions }
    let sizes = Dictionary(uniqueKeysWithValues: columnSizes.map { ($0.column, $0.size) })
    let costs = conditions.map { condition in
      condition.checks.reduce(0) { $0 + (sizes[$1.column] ?? 0) }
    }
    return costs.indices.sorted { costs[$0] < costs[$1] }.map { conditions[$0] }
  }

  /// The rows of `live` for which one of the checks holds.
  private func matches(
    of condition: SegmentCondition, among live: RowSet
  ) throws(ParseError) -> RowSet {
    var found = RowSet(rowCount: rowCount)
    guard condition.checks.count > 1 else {
      if let check = condition.checks.first { try find(check, among: live, &found) }
      return found
    }
    var left = live
    for check in condition.checks {
      try find(check, among: left, &found)
      left.subtract(found)
    }
    return found
  }

  private func find(
    _ check: SegmentCheck, among live: RowSet, _ found: inout RowSet
  ) throws(ParseError) {
    let data = try column(check.column)
    if data.isNumber {
      data.scanNumbers(check, live.words.span, &found.words)
    } else {
      data.scanCodes(check, live.words.span, &found.words)
    }
  }
}
