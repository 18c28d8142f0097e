public import Bytes

/// The name of a worker, held as long as its process lives: what it has taken is taken back as soon as
/// nobody holds the name.
public final class WorkerLease: Sendable {
  private static let prefix = "worker-"
  private let held: LockedName

  /// The name.
  public var name: String { held.text }

  /// - Throws: `FileError` when the file that is held cannot be made.
  public init(in store: ServerStore) throws(FileError) {
    held = try LockedName(Self.prefix, in: store)
  }

  /// Whether a process lives that has the name.
  ///
  /// - Throws: `FileError` where it cannot be found out.
  static func isHeld(_ name: String, in store: ServerStore) throws(FileError) -> Bool {
    // A row that was changed may name any file.
    guard name.hasPrefix(prefix), BodyFolder.isOwn(name) else { return false }
    return try LockedName.isHeld(name, in: store)
  }

  /// How many workers live that file what the queue holds.
  ///
  /// - Throws: `FileError` where it cannot be found out.
  public static func living(in store: ServerStore) throws(FileError) -> Int {
    try LockedName.heldCount(prefix, in: store)
  }
}
