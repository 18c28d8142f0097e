internal import Leases

/// The name of a worker, held as long as its process lives: its submissions are taken back as soon as
/// the name is no longer held.
public final class WorkerLease: Sendable {
  private let held: any RoleLease

  /// The name.
  public var name: String { held.name }

  /// - Throws: `FileError` when others could not see it.
  public init(in store: ServerStore) throws { held = try store.leases.join(as: .worker) }

  /// Whether a process with the name is alive.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  static func isHeld(_ name: String, in store: ServerStore) throws -> Bool {
    try store.leases.isAlive(name, as: .worker)
  }

  /// The number of running workers that store submissions of the queue.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  public static func living(in store: ServerStore) throws -> Int {
    try store.leases.count(of: .worker)
  }
}
