public import Bytes

/// The name of a worker, held as long as its process lives: its submissions are taken back as soon as
/// the name is no longer held.
public final class WorkerLease: Sendable {
  private static let prefix = "worker-"
  private let held: LockedName

  /// The name.
  public var name: String { held.text }

  /// - Throws: `FileError` when the locked file cannot be created.
  public init(in store: ServerStore) throws(FileError) {
    held = try LockedName(Self.prefix, in: store)
  }

  /// Whether a process with the name is alive.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  static func isHeld(_ name: String, in store: ServerStore) throws(FileError) -> Bool {
    // A row that was tampered with may name any file.
    guard name.hasPrefix(prefix), BodyFolder.isOwn(name) else { return false }
    return try LockedName.isHeld(name, in: store)
  }

  /// The number of running workers that store submissions of the queue.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  public static func living(in store: ServerStore) throws(FileError) -> Int {
    try LockedName.heldCount(prefix, in: store)
  }
}
