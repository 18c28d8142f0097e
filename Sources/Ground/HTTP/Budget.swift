internal import Synchronization

/// Who takes a share of what a server has.
struct Client: Hashable, Sendable {
  /// The address, or the network of one host; empty where nobody knows it.
  let address: String
  /// Whether nobody vouches for it: its requests need no token.
  let isAnonymous: Bool
}

/// So much of something is there for all requests: memory, room, places. One address does not get all of
/// it, nor do all those together for whom nobody vouches.
final class Budget: Sendable {
  struct Limits: Sendable {
    var total: Int
    /// Of one address.
    var address = Int.max
    /// Of all clients for whom nobody vouches, and of one address among them.
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
  /// - Returns: Whether so much was there; else nothing is taken.
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

  /// Gives back what was taken for the same client.
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
