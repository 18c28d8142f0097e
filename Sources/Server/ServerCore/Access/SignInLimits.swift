internal import Files
internal import Synchronization

/// Limits password attempts: for one account from anywhere, and from one host for any account.
///
/// Guessing passwords uses up the attempts of that account. Its owner can still sign in with a link, to which
/// these limits do not apply.
package final class SignInLimits: Sendable {
  private enum Key: Hashable {
    case account(String)
    case host(String)
  }

  /// Ten attempts at once, then one every five minutes: fewer than 300 guesses a day.
  private static let account = TokenBuckets<Key>.Rate(full: 10, perSecond: 1 / 300)
  /// A higher limit, because many people may share one address.
  private static let host = TokenBuckets<Key>.Rate(full: 30, perSecond: 1 / 10)

  private let buckets = Mutex(TokenBuckets<Key>(memory: 3_600))

  package init() {}

  /// Counts an attempt as failed until ``succeeded(_:from:now:)`` is called, so that simultaneous attempts
  /// count too.
  ///
  /// - Parameters:
  ///   - name: The account's name, whether the account exists or not.
  ///   - network: See `RequestHead.network`.
  /// - Returns: `nil` if the attempt is allowed; otherwise, the seconds to wait.
  package func take(
    _ name: String, from network: String, now: Double = SteadyClock.seconds
  ) -> Int? {
    buckets.withLock { buckets in
      if let wait = buckets.take(.host(network), or: .host(""), of: Self.host, now: now) {
        return wait
      }
      return buckets.take(.account(name), or: .account(""), of: Self.account, now: now)
    }
  }

  /// Returns the attempt of a correct password.
  package func succeeded(
    _ name: String, from network: String, now: Double = SteadyClock.seconds
  ) {
    buckets.withLock { buckets in
      buckets.give(1, to: .host(network), of: Self.host, now: now)
      buckets.give(1, to: .account(name), of: Self.account, now: now)
    }
  }
}
