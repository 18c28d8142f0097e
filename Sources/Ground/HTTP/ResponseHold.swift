internal import Dispatch
internal import Synchronization

/// An event before which an answer is not sent, such as a sync of the disk: no thread waits for it.
public final class ResponseHold: Sendable {
  public typealias Outcome = Result<Void, any Error>

  private struct State {
    var outcome: Outcome?
    var waiting: (@Sendable (Outcome) -> Void)?
  }

  private let state = Mutex(State())

  public init() {}

  /// Lets the answer be sent, or, after a failure, what is answered to its error. Called once.
  public func end(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      state.outcome = outcome
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?(outcome)
  }

  /// - Parameter body: Called once, by this thread or by the one that ends the hold.
  func whenEnded(_ body: @escaping @Sendable (Outcome) -> Void) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiting = body }
      return state.outcome
    }
    if let outcome { body(outcome) }
  }

  /// Waits for the end.
  public func wait() throws {
    let ended = DispatchSemaphore(value: 0)
    whenEnded { _ in ended.signal() }
    ended.wait()
    try state.withLock { $0.outcome }?.get()
  }
}
