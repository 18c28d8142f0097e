internal import Files
internal import Synchronization

/// How often passwords may be tried: for one account from anywhere, and from one host for any account.
///
/// Whoever tries the passwords of somebody else uses up what that account has; its owner then signs in by a link, for
/// which these limits do not hold.
package final class SignInLimits: Sendable {
  private enum Key: Hashable {
    case account(String)
    case host(String)
  }

  /// Ten at once, then one every five minutes: fewer than 300 guesses a day.
  private static let account = TokenBuckets<Key>.Rate(full: 10, perSecond: 1 / 300)
  /// Many people may be behind one address.
  private static let host = TokenBuckets<Key>.Rate(full: 30, perSecond: 1 / 10)

  private let buckets = Mutex(TokenBuckets<Key>(memory: 3_600))

  package init() {}

  /// Counts a try, which is one that fails until ``succeeded(_:from:now:)`` says otherwise: tries at the same time
  /// count, too.
  ///
  /// - Parameters:
  ///   - name: Of the account, whether it is there or not.
  ///   - network: See `RequestHead.network`.
  /// - Returns: `nil` if it may be made; else after how many seconds it may.
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

  /// Gives back what a right password took.
  package func succeeded(
    _ name: String, from network: String, now: Double = SteadyClock.seconds
  ) {
    buckets.withLock { buckets in
      buckets.give(1, to: .host(network), of: Self.host, now: now)
      buckets.give(1, to: .account(name), of: Self.account, now: now)
    }
  }
}
