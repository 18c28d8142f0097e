internal import Bytes

/// How long something took, many times: how many times at most so long.
public struct TimeSpread: Equatable, Sendable {
  /// In microseconds, ascending. Of what is stored each bound may come to be left out, none be moved.
  public static let bounds = [
    1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
    300_000_000, 1_800_000_000, 7_200_000_000,
  ]

  /// How many took at most as long as the bound in the same place, and longer than the one before it;
  /// at the end those that took longer than all.
  public private(set) var counts = Array(repeating: 0, count: Self.bounds.count + 1)
  /// Of all of them together, in microseconds.
  public private(set) var total = 0

  public init() {}

  public var count: Int { counts.reduce(0) { $0.addingClamped($1) } }

  /// Adds a time; a clock that was set back makes it none.
  public mutating func add(microseconds: Int) {
    let time = max(0, microseconds)
    add(1, upTo: time, total: time)
  }

  /// Adds several that took at most `bound` microseconds.
  mutating func add(_ count: Int, upTo bound: Int, total: Int) {
    let place = Self.bounds.firstIndex { bound <= $0 } ?? Self.bounds.count
    counts[place] = counts[place].addingClamped(count)
    self.total = self.total.addingClamped(total)
  }
}
