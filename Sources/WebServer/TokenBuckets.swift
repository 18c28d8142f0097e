/// Shares that are taken and come back with time, by whose they are.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
  /// How large a share is, and how fast it comes back.
  struct Rate: Sendable {
    var full: Double
    var perSecond: Double
  }

  private struct Bucket {
    var left: Double
    /// In seconds.
    var time: Double
  }

  private var buckets: [Key: Bucket] = [:]
  /// When full ones were last forgotten.
  private var cleared = -Double.infinity
  /// The most that are counted; all others share one bucket.
  private let limit = 10_000
  /// Seconds after which whoever took nothing has all of the share again.
  private let memory: Double

  init(memory: Double) { self.memory = memory }

  /// Takes `count` of a share; what is more than is left is taken from what comes back.
  ///
  /// - Parameters:
  ///   - least: What must be left.
  ///   - other: Whose share it is where too many are counted.
  ///   - now: In seconds, of any clock that does not go back.
  /// - Returns: `nil` if it was taken; else after how many seconds it can be.
  mutating func take(
    _ key: Key, or other: Key, _ count: Double = 1, least: Double = 1, of rate: Rate, now: Double
  ) -> Int? {
    var key = key
    if buckets.count >= limit, buckets[key] == nil {
      // Looked for once a second, for they are many.
      if now - cleared >= 1 {
        cleared = now
        buckets = buckets.filter { now - $0.value.time < memory }
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

  /// Gives some of a share back.
  mutating func give(_ count: Double, to key: Key, of rate: Rate, now: Double) {
    guard let bucket = buckets[key] else { return }
    let share = left(bucket, rate, now) + count
    buckets[key] = share < rate.full ? Bucket(left: share, time: now) : nil
  }

  private func left(_ bucket: Bucket, _ rate: Rate, _ now: Double) -> Double {
    min(rate.full, bucket.left + max(0, now - bucket.time) * rate.perSecond)
  }
}
