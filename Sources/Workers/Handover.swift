internal import Synchronization

/// A value that one thread leaves for another: whoever asks first gets it, and nobody after.
public final class Handover<Value: ~Copyable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  public init(_ value: consuming Value) { self.value = Mutex(value) }

  /// The value; `nil` where it has been taken.
  public func take() -> Value? { value.withLock { $0.take() } }
}
