/// How often each value of a field was seen in a group and in others of its app.
struct ValueCounts {
  struct Count {
    var own = 0
    var other = 0
    /// The sum of a number of each report: values with equal sums belong to the same reports.
    var mark: UInt64 = 0

    static func += (left: inout Count, right: Count) {
      left.own += right.own
      left.other += right.other
      left.mark &+= right.mark
    }
  }

  /// Counts by the code of the value.
  private var usual: [Count] = []
  /// Limit above which codes are not an index: modified rows may contain any number.
  private static let most = 1 << 24
  private var odd: [Int: Count] = [:]

  mutating func add(_ code: Int, _ count: Count) {
    guard code >= 0, code < Self.most else {
      odd[code, default: Count()] += count
      return
    }
    if code >= usual.count {
      usual += repeatElement(Count(), count: max(code + 1 - usual.count, usual.count))
    }
    usual[code] += count
  }

  /// Counts of the values that were seen, in the order of their codes.
  var counts: [(code: Int, count: Count)] {
    (usual.enumerated().map { ($0.offset, $0.element) }
      + odd.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      .filter { $0.1.own + $0.1.other > 0 }
  }
}
