internal import Bytes

/// A histogram of durations: for each bound, the number of durations up to it.
public struct LatencyHistogram: Equatable, Sendable {
  /// In microseconds, ascending. As counts are stored by bound, a bound may be removed but not moved.
  public static let bounds = [
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
    300_000_000, 1_800_000_000, 7_200_000_000,
  ]

  /// Number of durations up to the bound at the same index and above the one before it; at the end
  /// those above all bounds.
  public private(set) var counts = Array(repeating: 0, count: Self.bounds.count + 1)
  /// Sum of all durations, in microseconds.
  public private(set) var total = 0

  public init() {}

  public var count: Int { counts.reduce(0) { $0.addingClamped($1) } }

  /// Adds a duration; a negative one, after the clock was set back, counts as 0.
  public mutating func add(microseconds: Int) {
    let time = max(0, microseconds)
    add(1, upTo: time, total: time)
  }

  /// Adds several durations of at most `bound` microseconds.
  mutating func add(_ count: Int, upTo bound: Int, total: Int) {
    let bucket = Self.bounds.firstIndex { bound <= $0 } ?? Self.bounds.count
    counts[bucket] = counts[bucket].addingClamped(count)
    self.total = self.total.addingClamped(total)
  }
}
