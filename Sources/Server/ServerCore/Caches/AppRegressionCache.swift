package import CrashStore
internal import Dispatch
internal import Files
internal import Synchronization
internal import Workers

/// The regressions of whole apps, for lists. Finding them reads all reports of an app, so they are found in the
/// background and kept for a time that grows with their cost: a list waits for them only briefly.
package final class AppRegressionCache: Sendable {
  private struct Entry {
    var result: Result<AppRegressions, any Error>?
    var expires = 0.0
    var isRunning = false
    /// Threads that wait for the first result.
    var waiters: [DispatchSemaphore] = []
  }

  /// Seconds for which a result is kept, per second that it took to find.
  private static let patience = 300.0
  /// The least and most seconds.
  private static let stays = 5.0...600.0
  /// Seconds that a list waits for the first result.
  private static let wait = 0.05

  private let entries = Mutex<[String: Entry]>([:])

  package init() {}

  /// Returns the latest result; `nil` if there is none yet.
  ///
  /// - Parameter find: Called on another thread if no result is cached, or it is too old.
  /// - Throws: The error of the last call of `find`, once.
  package func regressions(
    of app: String, find: @escaping @Sendable () throws -> AppRegressions
  ) throws -> AppRegressions? {
    let start = SteadyClock.seconds
    let (known, starts, waiter) = entries.withLock { entries in
      var entry = entries[app] ?? Entry()
      defer { entries[app] = entry }
      let known = entry.result
      let isFresh = known != nil && entry.expires > start
      let starts = !isFresh && !entry.isRunning
      if starts { entry.isRunning = true }
      // The error is reported once; then another attempt is made.
      if case .failure = known { entry.result = nil }
      var waiter: DispatchSemaphore?
      if known == nil, entry.expires == 0 {
        let semaphore = DispatchSemaphore(value: 0)
        waiter = semaphore
        entry.waiters.append(semaphore)
      }
      return (known, starts, waiter)
    }
    if starts { Workers.detach { [self] in run(app, find) } }
    if let known { return try known.get() }
    guard let waiter else { return nil }
    _ = waiter.wait(timeout: .now() + Self.wait)
    return try entries.withLock { $0[app]?.result }?.get()
  }

  private func run(_ app: String, _ find: () throws -> AppRegressions) {
    let start = SteadyClock.seconds
    let result = Result { try find() }
    let end = SteadyClock.seconds
    let stay = min(max((end - start) * Self.patience, Self.stays.lowerBound), Self.stays.upperBound)
    let waiters = entries.withLock { entries in
      let waiters = entries[app]?.waiters ?? []
      entries[app] = Entry(result: result, expires: end + stay)
      return waiters
    }
    waiters.forEach { $0.signal() }
  }
}
