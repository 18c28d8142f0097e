public import Bytes

/// The name of a worker, held as long as its process lives: what it has taken is taken back as soon as
/// nobody holds the name.
public final class WorkerLease: Sendable {
  private static let prefix = "worker-"
  private let held: HeldName

  /// The name.
  public var name: String { held.text }

  /// - Throws: `FileError` when the file that is held cannot be made.
  public init(in store: ServerStore) throws(FileError) {
    held = try HeldName(Self.prefix, in: store)
  }

  /// Whether a process lives that has the name.
  static func isHeld(_ name: String, in store: ServerStore) -> Bool {
    HeldName.isHeld(name, in: store)
  }

  /// How many workers live that file what the queue holds.
  public static func living(in store: ServerStore) -> Int {
    HeldName.heldCount(prefix, in: store)
  }
}
