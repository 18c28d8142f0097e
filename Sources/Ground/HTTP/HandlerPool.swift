internal import Dispatch
internal import Glibc
internal import Synchronization

/// Threads that run handlers, and the bounded queue before them.
final class HandlerPool: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var first = 0
    /// Slots that are promised, for jobs in the queue, on their way to it, or running.
    var admitted = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  /// Has a member for each slot that is promised.
  private let jobs = DispatchGroup()
  private let limit: Int
  private let threads: Mutex<[ServerThread]>

  init(width: Int, queue: Int) throws(HTTPError) {
    limit = width + queue
    threads = Mutex([])
    for _ in 0..<max(width, 1) {
      let thread = try ServerThread { [self] in run() }
      threads.withLock { $0.append(thread) }
    }
  }

  /// Whether a job would be refused now.
  var isFull: Bool { state.withLock { $0.admitted >= limit } }

  /// Promises a slot to a job that ``enqueue(_:)`` will bring.
  func admit() -> Bool {
    state.withLock { state in
      guard state.admitted < limit, !state.isClosed else { return false }
      state.admitted += 1
      jobs.enter()
      return true
    }
  }

  /// Keeps the slot of the job that calls it, beyond its end, until ``leave()``.
  func stay() {
    state.withLock { $0.admitted += 1 }
    jobs.enter()
  }

  /// Gives back a slot.
  func leave() {
    state.withLock { $0.admitted -= 1 }
    jobs.leave()
  }

  func enqueue(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(job) }
    wake.signal()
  }

  /// Does all jobs, and ends the threads.
  func close() {
    state.withLock { $0.isClosed = true }
    // A job may have its slot and be on its way: its connection would stay suspended for ever.
    jobs.wait()
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for _ in threads { wake.signal() }
    for thread in threads { thread.join() }
  }

  private func run() {
    while true {
      wake.wait()
      let job = state.withLock { state -> (@Sendable () -> Void)? in
        guard state.first < state.jobs.count else { return nil }
        let job = state.jobs[state.first]
        state.first += 1
        if state.first > 256 || state.first == state.jobs.count {
          state.jobs.removeFirst(state.first)
          state.first = 0
        }
        return job
      }
      guard let job else { return }
      job()
      leave()
    }
  }
}

/// A thread; ``join()`` must be called once.
final class ServerThread: Sendable {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) throws(HTTPError) {
    let box = Unmanaged.passRetained(ThreadBody(run: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 8 << 20)
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, runThread, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw .start("no thread: \(String(cString: strerror(code)))")
    }
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
