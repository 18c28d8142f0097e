internal import Synchronization

/// A value that one thread leaves for another, which alone gets it.
public final class Handover<Value: ~Copyable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  public init(_ value: consuming Value) { self.value = Mutex(value) }

  /// The value; must be called once.
  public func take() -> Value {
    guard let value = value.withLock({ $0.take() }) else {
      preconditionFailure("a value was handed over twice")
    }
    return value
  }
}
