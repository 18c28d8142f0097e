public import Bytes

/// Shows that a server is alive, which starts a worker when there is work.
public final class ServerLease: Sendable {
  private static let prefix = "server-"
  private let held: LockedName

  /// - Throws: `FileError` when the locked file cannot be created.
  public init(in store: ServerStore) throws(FileError) {
    // Deletes files left by killed servers.
    _ = try Self.living(in: store)
    held = try LockedName(Self.prefix, in: store)
  }

  /// The number of servers running on the home.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  public static func living(in store: ServerStore) throws(FileError) -> Int {
    try LockedName.heldCount(prefix, in: store)
  }
}
