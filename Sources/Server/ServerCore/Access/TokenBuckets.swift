/// Token buckets, one per key, that refill with time.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
  /// The size of a bucket, and how fast it refills.
  struct Rate: Sendable {
    var full: Double
    var perSecond: Double
  }

  private struct Bucket {
    var left: Double
    /// The time in seconds.
    var time: Double
  }

  private var buckets: [Key: Bucket] = [:]
  /// When full buckets were last removed.
  private var cleared = -Double.infinity
  /// The maximum number of buckets; all other keys share one.
  private let limit = 10_000
  /// The factor by which a bucket in debt is remembered longer.
  private static var debtFactor: Double { 10 }
  /// Seconds after which an unused bucket is full again.
  private let memory: Double

  init(memory: Double) { self.memory = memory }

  /// Takes `count` tokens; if more than the rest is taken, the bucket goes into debt.
  ///
  /// - Parameters:
  ///   - least: The minimum number of tokens that must be available.
  ///   - other: The key to use if there are too many buckets.
  ///   - now: The time in seconds on any monotonic clock.
  /// - Returns: `nil` if the tokens were taken; otherwise, the seconds to wait.
  mutating func take(
    _ key: Key, or other: Key, _ count: Double = 1, least: Double = 1, of rate: Rate, now: Double
  ) -> Int? {
    var key = key
    if buckets.count >= limit, buckets[key] == nil {
      // Only once a second, because there are many.
      if now - cleared >= 1 {
        cleared = now
        buckets = buckets.filter {
          now - $0.value.time < ($0.value.left < 0 ? memory * Self.debtFactor : memory)
        }
      }
      if buckets.count >= limit { key = other }
    }
    let share = buckets[key].map { left($0, rate, now) } ?? rate.full
    guard share >= least, share > 0 else {
      return max(1, Int(((max(least, 1) - share) / rate.perSecond).rounded(.up)))
    }
    buckets[key] = Bucket(left: share - count, time: now)
    return nil
  }

  /// Takes tokens even if too few are available.
  ///
  /// - Parameter floor: The deepest debt.
  mutating func charge(
    _ key: Key, _ count: Double, floor: Double, of rate: Rate, now: Double
  ) {
    guard count > 0, buckets[key] != nil || buckets.count < limit else { return }
    let share = buckets[key].map { left($0, rate, now) } ?? rate.full
    buckets[key] = Bucket(left: max(share - count, min(share, floor)), time: now)
  }

  /// Returns tokens to a bucket.
  mutating func give(_ count: Double, to key: Key, of rate: Rate, now: Double) {
    guard let bucket = buckets[key] else { return }
    let share = left(bucket, rate, now) + count
    buckets[key] = share < rate.full ? Bucket(left: share, time: now) : nil
  }

  private func left(_ bucket: Bucket, _ rate: Rate, _ now: Double) -> Double {
    min(rate.full, bucket.left + max(0, now - bucket.time) * rate.perSecond)
  }
}
