internal import Synchronization

/// How often a debug file was asked, and whether its symbol cache was there; shelves may share one.
public final class CacheUse: Sendable {
  public struct Counts: Equatable, Sendable {
    /// The cache was there.
    public var ready = 0
    /// It had to be made.
    public var made = 0
    /// None could be made of the file.
    public var damaged = 0
  }

  let ready = Atomic<Int>(0)
  let made = Atomic<Int>(0)
  let damaged = Atomic<Int>(0)

  public init() {}

  /// The counts since the last call.
  public func take() -> Counts {
    Counts(
      ready: ready.exchange(0, ordering: .relaxed), made: made.exchange(0, ordering: .relaxed),
      damaged: damaged.exchange(0, ordering: .relaxed))
  }
}
