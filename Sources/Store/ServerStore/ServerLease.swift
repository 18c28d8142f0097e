internal import Leases

/// Shows that a server is alive, which starts a worker when there is work.
public final class ServerLease: Sendable {
  private let held: any RoleLease

  /// - Throws: `FileError` when others could not see it.
  public init(in store: ServerStore) throws {
    // Deletes files left by killed servers.
    _ = try Self.living(in: store)
    held = try store.leases.join(as: .server)
  }

  /// The number of servers running on the home.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  public static func living(in store: ServerStore) throws -> Int {
    try store.leases.count(of: .server)
  }
}
