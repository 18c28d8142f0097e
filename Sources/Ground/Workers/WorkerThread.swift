internal import CDispatch
internal import Glibc

/// A thread with a large stack; ``join()`` must be called once.
final class WorkerThread {
  private var thread = pthread_t()
  private let isRunning: Bool

  /// Runs `body` on a new thread, or at once on this one when the system has no thread to give.
  init(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Workers.stackSize)
    defer { pthread_attr_destroy(&attributes) }
    let box = Unmanaged.passRetained(ThreadBody(body))
    isRunning = pthread_create(&thread, &attributes, threadMain, box.toOpaque()) == 0
    if !isRunning { box.takeRetainedValue().run() }
  }

  /// Runs `body` on a thread of its own, that is not waited for.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let thread = WorkerThread(body)
    if thread.isRunning { pthread_detach(thread.thread) }
  }

  func join() {
    if isRunning { pthread_join(thread, nil) }
  }
}

private final class ThreadBody {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
