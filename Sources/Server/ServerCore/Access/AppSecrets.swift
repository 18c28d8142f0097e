internal import CrashService
package import CrashStore
internal import Synchronization

/// The App-Secrets that may submit logs. Anyone can make up secrets, and each unknown one becomes an app, so
/// their number is limited.
package final class AppSecrets: Sendable {
  private let store: CrashStore
  private let policy: UnknownApps
  private let limit: Int
  /// Two caches, so that made-up secrets do not evict those of apps.
  private let welcome = RecentAnswers<Bool>(lifetime: 60, limit: 10_000)
  private let refused = RecentAnswers<Bool>(lifetime: 2, limit: 10_000)
  private let unknown = Mutex(Unknown())

  private struct Unknown {
    /// Secrets that were admitted and may have no app yet.
    var admitted: Set<String> = []
    /// The number of unnamed apps, and when they were counted.
    var apps = 0
    var time = -Double.infinity
  }

  /// Seconds between two counts.
  private static let interval = 5.0
  /// Seconds after which an empty app may be replaced by another one.
  private static let leastAge = 3_600

  /// - Parameter limit: The maximum number of unnamed apps.
  package init(_ store: CrashStore, _ policy: UnknownApps, limit: Int) {
    self.store = store
    self.policy = policy
    self.limit = limit
  }

  /// Whether logs with a secret are accepted.
  ///
  /// - Parameter secret: The secret in its normalized spelling.
  /// - Throws: `DatabaseError`
  package func admits(_ secret: String, now: Double = RateLimits.now) throws -> Bool {
    if welcome.answer(to: secret, now: now) != nil { return true }
    if refused.answer(to: secret, now: now) != nil { return false }
    let isWelcome =
      switch try store.apps.knowledge(ofSecret: secret) {
      case .named: true
      case .unnamed: policy == .keep
      case .none: try policy == .keep && hasRoom(for: secret, now)
      }
    (isWelcome ? welcome : refused).keep(isWelcome, for: secret, now: now)
    return isWelcome
  }

  /// Whether one more secret may become an app; if so, it counts from now on.
  private func hasRoom(for secret: String, _ now: Double) throws -> Bool {
    let admitted: Set<String>? = unknown.withLock { unknown in
      guard now - unknown.time >= Self.interval else { return nil }
      unknown.time = now
      return unknown.admitted
    }
    // One of the concurrent requests counts; the others use the previous count.
    if let admitted {
      var apps = try store.apps.unnamedCount()
      if apps + admitted.count >= limit {
        apps -= try store.apps.removeEmptyUnnamed(olderThan: Self.leastAge, atMost: 100)
      }
      let stored = try admitted.filter { try store.apps.knowledge(ofSecret: $0) != .none }
      let count = apps
      unknown.withLock { unknown in
        unknown.apps = count
        unknown.admitted.subtract(stored)
      }
    }
    return unknown.withLock { unknown in
      if unknown.admitted.contains(secret) { return true }
      guard unknown.apps + unknown.admitted.count < limit else { return false }
      unknown.admitted.insert(secret)
      return true
    }
  }
}
