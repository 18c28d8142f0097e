internal import Bytes
internal import CrashService
internal import Files
internal import Glibc
internal import Hashing
package import ServerStore
internal import Synchronization

/// How much clients may hand in: a minute's worth at once, then as much as comes back with time.
package final class RateLimits: Sendable {
  /// Whose share a submission takes.
  package enum Client: Hashable, Sendable {
    /// Of one host: see `RequestHead.network`.
    case host(String)
    case app(String)
  }

  private struct Key: Hashable {
    let client: Client
    let isOfBytes: Bool
  }

  private let perMinute: Int
  /// Made anew with each server, so that an address cannot be read out of its name on the disk.
  private let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
  /// Those that took nothing for a minute have all of their share.
  private let buckets = Mutex(TokenBuckets<Key>(memory: 60))

  /// One host must not use up what an app has, whose key anybody may know.
  private static let appShare = 10.0
  /// Minutes that a client waits at the most for what its submissions turned out to hold.
  private static let longestDebt = 10.0
  /// Bytes of a submission, on average over a minute's worth; at least one of the largest may come.
  private static let bytes = (each: 65_536.0, least: 33_554_432.0)

  /// - Parameter perMinute: Submissions of one host; 0 for any number.
  package init(perMinute: Int) { self.perMinute = perMinute }

  /// Counts one submission of `client`.
  ///
  /// - Returns: `nil` if it may come; else after how many seconds it may.
  package func take(_ client: Client, now: Double = RateLimits.now) -> Int? {
    guard perMinute > 0 else { return nil }
    var full = Double(perMinute)
    if case .app = client { full *= Self.appShare }
    return take(Key(client: named(client), isOfBytes: false), 1, least: 1, now, of: full)
  }

  /// A name for the network of a host by which its submissions are charged later.
  package func tag(of network: String) -> String {
    String(SHA256.hex(of: ByteView(salt + Array(network.utf8))).prefix(16))
  }

  /// Counts what submissions turned out to hold: it is taken from what comes back, for ten minutes at the most.
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

  /// Counts bytes of `client`: what is more than it has is taken from what comes back.
  ///
  /// - Returns: As ``take(_:now:)``.
  package func take(bytes: UInt64, of client: Client, now: Double = RateLimits.now) -> Int? {
    guard perMinute > 0 else { return nil }
    let full = byteShare
    // Whatever is announced, a minute's worth is the most that is taken.
    return take(
      Key(client: named(client), isOfBytes: true), min(Double(bytes), full), least: 0, now, of: full
    )
  }

  /// Buckets of hosts have the names by which they are charged.
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

  /// On the monotonic clock, in seconds.
  package static var now: Double { SteadyClock.seconds }
}
