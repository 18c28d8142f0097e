internal import Dispatch
internal import Synchronization

/// Limits how many passwords are hashed at a time, because each takes 19 MiB and a processor, and how many
/// requests wait, because each takes a server thread.
public final class PasswordGate: Sendable {
  private let slots: DispatchSemaphore
  private let present = Mutex(0)
  private let limit: Int
  private let patience: DispatchTimeInterval

  /// - Parameters:
  ///   - width: How many are hashed at a time.
  ///   - queue: How many more may wait.
  ///   - seconds: How long a request waits.
  public init(width: Int = 2, queue: Int = 8, patience seconds: Int = 5) {
    slots = DispatchSemaphore(value: width)
    limit = width + queue
    patience = .seconds(seconds)
  }

  /// - Throws: ``PasswordError/busy``, or what `body` throws.
  public func hash<Result>(_ body: () throws -> Result) throws -> Result {
    let isAdmitted = present.withLock { present in
      guard present < limit else { return false }
      present += 1
      return true
    }
    guard isAdmitted else { throw PasswordError.busy }
    defer { present.withLock { $0 -= 1 } }
    guard slots.wait(timeout: .now() + patience) == .success else { throw PasswordError.busy }
    defer { slots.signal() }
    return try body()
  }
}
