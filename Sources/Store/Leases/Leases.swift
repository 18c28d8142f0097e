/// Names that the processes of a home hold, so that they know of each other.
///
/// A name is held as long as its lease is referenced, unless its process ends first.
public protocol Leases: Sendable {
  /// Takes a name.
  ///
  /// - Parameters:
  ///   - isShared: Whether others may share the name meanwhile; otherwise it is held alone.
  ///   - waits: Whether to wait for other holders.
  /// - Returns: `nil` when another holder prevents it and `waits` is `false`.
  /// - Throws: If that cannot be determined.
  func take(_ name: LeaseName, isShared: Bool, waits: Bool) throws -> (any Lease)?

  /// Takes a new name for this process, which shows that it is alive.
  ///
  /// - Throws: If others could not see it.
  func join(as role: LeaseRole) throws -> any RoleLease

  /// Whether the process to which ``join(as:)`` gave the name is alive. `false` for any other text: the
  /// name may be from a row that was tampered with.
  ///
  /// - Throws: If that cannot be determined.
  func isAlive(_ name: String, as role: LeaseRole) throws -> Bool

  /// The number of living processes with a role.
  ///
  /// - Throws: If that cannot be determined.
  func count(of role: LeaseRole) throws -> Int
}

extension Leases {
  /// Takes a name alone, unless another process holds it.
  public func take(_ name: LeaseName) throws -> (any Lease)? {
    try take(name, isShared: false, waits: false)
  }
}

/// A name that is held as long as this object lives.
public protocol Lease: AnyObject, Sendable {}

/// A name that only this process has.
public protocol RoleLease: Lease {
  var name: String { get }
}
