internal import Synchronization

/// A client that uses a share of the server's resources.
struct Client: Hashable, Sendable {
  /// The address, or the network of one host; empty where it is unknown.
  let address: String
  /// Whether it is unauthenticated: its requests need no token.
  let isAnonymous: Bool
}

/// A quota shared by all requests: memory, disk space or connections. Neither a single address nor all
/// unauthenticated clients together can use all of it.
final class Budget: Sendable {
  struct Limits: Sendable {
    var total: Int
    /// The limit for one address.
    var address = Int.max
    /// The limits for all unauthenticated clients, and for one address among them.
    var anonymous = Int.max
    var anonymousAddress = Int.max
  }

  private struct Taken {
    var total = 0
    var anonymous = 0
    var addresses: [Client: Int] = [:]
  }

  private let limits: Limits
  private let taken = Mutex(Taken())

  init(_ limits: Limits) { self.limits = limits }

  /// - Parameter count: 0 or more.
  /// - Returns: Whether that much was available; if not, nothing is taken.
  func take(_ count: Int, for client: Client) -> Bool {
    taken.withLock { taken in
      guard count <= limits.total - taken.total else { return false }
      let own = taken.addresses[client] ?? 0
      if client.isAnonymous {
        guard count <= limits.anonymous - taken.anonymous else { return false }
      }
      if !client.address.isEmpty {
        let most = client.isAnonymous ? limits.anonymousAddress : limits.address
        guard count <= most - own else { return false }
        taken.addresses[client] = own + count
      }
      taken.total += count
      if client.isAnonymous { taken.anonymous += count }
      return true
    }
  }

  /// Returns what was taken for the same client.
  func giveBack(_ count: Int, for client: Client) {
    guard count > 0 else { return }
    taken.withLock { taken in
      taken.total -= count
      if client.isAnonymous { taken.anonymous -= count }
      guard let own = taken.addresses[client] else { return }
      taken.addresses[client] = own > count ? own - count : nil
    }
  }
}
