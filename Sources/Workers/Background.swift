internal import Synchronization

/// Work that is done on a thread of its own while its owner goes on with something else.
///
/// The thread that owns it asks for the result; nobody else may.
public final class Background<Result: Sendable> {
  private let slot = Slot()
  private let work: @Sendable () -> Result
  private var thread: WorkerThread?

  private final class Slot: Sendable {
    let result = Mutex<Result?>(nil)
  }

  /// - Parameter isOn: Without, the owner does the work when it asks for the result.
  public init(isOn: Bool, work: @escaping @Sendable () -> Result) {
    self.work = work
    if isOn {
      thread = WorkerThread { [slot] in
        let result = work()
        slot.result.withLock { $0 = result }
      }
    }
  }

  /// The result; waits for it.
  public func value() -> Result {
    thread?.join()
    thread = nil
    if let result = slot.result.withLock({ $0 }) { return result }
    let result = work()
    slot.result.withLock { $0 = result }
    return result
  }

  deinit { thread?.join() }
}
