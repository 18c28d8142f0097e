import CrashModel
import Synchronization

/// How much one client may hand in: a minute's worth at once, then as much as comes back with time.
final class RateLimits: Sendable {
  private let perMinute: Int
  private let buckets = Mutex<[String: (left: Double, time: Timestamp)]>([:])

  /// The most clients that are counted; with more, those that have all of their share are forgotten.
  private static let limit = 10_000

  /// - Parameter perMinute: 0 for any number.
  init(perMinute: Int) { self.perMinute = perMinute }

  /// Counts one submission of `client`.
  ///
  /// - Returns: Whether it may come; else after how many seconds it may.
  func take(_ client: String, now: Timestamp) -> Int? {
    guard perMinute > 0 else { return nil }
    let full = Double(perMinute)
    return buckets.withLock { buckets in
      func left(_ bucket: (left: Double, time: Timestamp)) -> Double {
        min(full, bucket.left + max(0, bucket.time.seconds(until: now)) * full / 60)
      }
      if buckets.count >= Self.limit, buckets[client] == nil {
        buckets = buckets.filter { left($0.value) < full }
        // All of them are at it: whoever they are, the queue's own limit holds.
        if buckets.count >= Self.limit { return nil }
      }
      let share = buckets[client].map(left) ?? full
      guard share >= 1 else {
        buckets[client] = (share, now)
        return max(1, Int(((1 - share) * 60 / full).rounded(.up)))
      }
      buckets[client] = (share - 1, now)
      return nil
    }
  }
}

extension Timestamp {
  fileprivate func seconds(until other: Timestamp) -> Double {
    Double(other.seconds - seconds) + Double(other.nanoseconds - nanoseconds) / 1e9
  }
}
