internal import Glibc
internal import Synchronization

/// Threads that share out a list of work.
///
/// Threads of their own, not the cooperative pool: the work blocks on files and databases, and
/// demangling a name recurses deeper than the pool's 512 KiB stacks allow.
public enum Workers {
  /// The size of each thread's stack in bytes: what a main thread usually has.
  public static let stackSize = 8 << 20

  /// How many processors are online.
  public static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs `body` on a thread of its own, that is not waited for.
  public static func detach(_ body: @escaping @Sendable () -> Void) { WorkerThread.start(body) }

  /// The results of `body` for each index from 0 up to `count`, in the order of the indices.
  ///
  /// Indices are handed out in their order. Returns when all are done.
  ///
  /// - Parameter width: The most threads; 1 runs everything on the calling thread.
  public static func map<Result: Sendable>(
    count: Int, width: Int = processorCount, body: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    guard count > 1, width > 1 else { return (0..<max(count, 0)).map(body) }
    let shared = Shared<Result>(count: count)
    let threads = (0..<min(width, count)).map { _ in
      WorkerThread {
        while let index = shared.take() { shared.put(body(index), at: index) }
      }
    }
    for thread in threads { thread.join() }
    return shared.results.withLock { $0.compactMap(\.self) }
  }

  private final class Shared<Result: Sendable>: Sendable {
    let next = Atomic<Int>(0)
    let count: Int
    let results: Mutex<[Result?]>

    init(count: Int) {
      self.count = count
      results = Mutex(Array(repeating: nil, count: count))
    }

    func take() -> Int? {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return index < count ? index : nil
    }

    func put(_ result: Result, at index: Int) { results.withLock { $0[index] = result } }
  }
}
