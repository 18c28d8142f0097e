internal import Synchronization

/// Work that runs on its own thread while its owner does something else.
///
/// The thread that owns it asks for the result, once; no other thread may.
public final class Background<Result: ~Copyable & Sendable> {
  private let slot = Slot()
  private let work: @Sendable () -> Result
  private var thread: WorkerThread?

  private final class Slot: Sendable {
    let result = Mutex<Result?>(nil)
    let isDone = Atomic<Bool>(false)
  }

  /// - Parameter isOn: If `false`, the owner does the work when it asks for the result.
  public init(isOn: Bool, work: @escaping @Sendable () -> Result) {
    self.work = work
    if isOn {
      // No other thread takes the lock before this one ends.
      thread = WorkerThread { [slot] in
        slot.result.withLock { $0 = work() }
        slot.isDone.store(true, ordering: .releasing)
      }
    }
  }

  /// Whether the result is available, or no thread works on it.
  public var isReady: Bool {
    guard thread != nil else { return true }
    return slot.isDone.load(ordering: .acquiring)
  }

  /// Waits for the result and returns it. A second call does the work again.
  public func value() -> Result {
    thread?.join()
    thread = nil
    return slot.result.withLock { $0.take() } ?? work()
  }

  deinit { thread?.join() }
}
