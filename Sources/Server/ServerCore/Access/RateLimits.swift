internal import Bytes
internal import CrashService
internal import Crypto
internal import Files
internal import Glibc
package import ServerStore
internal import Synchronization

/// Limits how much clients may submit: a minute's worth at once, then as much as is regained over time.
package final class RateLimits: Sendable {
  /// The client to which a submission is charged.
  package enum Client: Hashable, Sendable {
    /// One host: see `RequestHead.network`.
    case host(String)
    case app(String)
  }

  private struct Key: Hashable {
    let client: Client
    let isOfBytes: Bool
  }

  private let perMinute: Int
  /// Created anew with each server, so that an address cannot be derived from its name on disk.
  private let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
  /// Clients that sent nothing for a minute have their full share.
  private let buckets = Mutex(TokenBuckets<Key>(memory: 60))

  /// One host must not use up the share of an app, whose key anyone may know.
  private static let appShare = 10.0
  /// The maximum number of minutes that a client must wait because of what its submissions contained.
  private static let longestDebt = 10.0
  /// The average bytes of a submission over a minute's worth; at least one of the maximum size is always
  /// allowed.
  private static let bytes = (each: 65_536.0, least: 33_554_432.0)

  /// - Parameter perMinute: Submissions per host; 0 for no limit.
  package init(perMinute: Int) { self.perMinute = perMinute }

  /// Counts one submission of `client`.
  ///
  /// - Returns: `nil` if it is allowed; otherwise the seconds until it is.
  package func take(_ client: Client, now: Double = RateLimits.now) -> Int? {
    guard perMinute > 0 else { return nil }
    var full = Double(perMinute)
    if case .app = client { full *= Self.appShare }
    return take(Key(client: named(client), isOfBytes: false), 1, least: 1, now, of: full)
  }

  /// Returns a name for a host's network, to which its submissions are charged later.
  package func tag(of network: String) -> String {
    String(SHA256.hex(of: ByteView(salt + Array(network.utf8))).prefix(16))
  }

  /// Charges the content of submissions: it reduces what is regained, for ten minutes at most.
  package func charge(_ charge: IntakeCharge, now: Double = RateLimits.now) {
    guard perMinute > 0 else { return }
    let full = Double(perMinute)
    let app = Client.app(charge.app)
    buckets.withLock { buckets in
      func take(_ client: Client, isOfBytes: Bool, _ count: Int, of full: Double) {
        buckets.charge(
          Key(client: client, isOfBytes: isOfBytes), Double(count),
          floor: -full * Self.longestDebt, of: .init(full: full, perSecond: full / 60), now: now)
      }
      take(.host(charge.client), isOfBytes: false, charge.reports, of: full)
      take(.host(charge.client), isOfBytes: true, charge.bytes, of: byteShare)
      if !charge.app.isEmpty {
        take(app, isOfBytes: false, charge.reports, of: full * Self.appShare)
      }
    }
  }

  /// A minute's worth of bytes.
  private var byteShare: Double { max(Double(perMinute) * Self.bytes.each, Self.bytes.least) }

  /// Counts bytes of `client`: any excess reduces what is regained.
  ///
  /// - Returns: See ``take(_:now:)``.
  package func take(bytes: UInt64, of client: Client, now: Double = RateLimits.now) -> Int? {
    guard perMinute > 0 else { return nil }
    let full = byteShare
    // At most a minute's worth is charged, whatever was announced.
    return take(
      Key(client: named(client), isOfBytes: true), min(Double(bytes), full), least: 0, now, of: full
    )
  }

  /// Returns a host's bucket under the name to which it is charged.
  private func named(_ client: Client) -> Client {
    guard case .host(let network) = client else { return client }
    return .host(tag(of: network))
  }

  private func take(
    _ key: Key, _ count: Double, least: Double, _ now: Double, of full: Double
  ) -> Int? {
    buckets.withLock {
      $0.take(
        key, or: Key(client: .host(""), isOfBytes: key.isOfBytes), count, least: least,
        of: .init(full: full, perSecond: full / 60), now: now)
    }
  }

  /// The monotonic clock, in seconds.
  package static var now: Double { SteadyClock.seconds }
}
