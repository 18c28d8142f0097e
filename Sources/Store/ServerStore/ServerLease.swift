public import Bytes

/// Tells that a server lives, which starts a worker when there is work.
public final class ServerLease: Sendable {
  private static let prefix = "server-"
  private let held: LockedName

  /// - Throws: `FileError` when the file that is held cannot be made.
  public init(in store: ServerStore) throws(FileError) {
    // Deletes what killed servers left.
    _ = try Self.living(in: store)
    held = try LockedName(Self.prefix, in: store)
  }

  /// How many servers live on the home.
  ///
  /// - Throws: `FileError` where it cannot be found out.
  public static func living(in store: ServerStore) throws(FileError) -> Int {
    try LockedName.heldCount(prefix, in: store)
  }
}
