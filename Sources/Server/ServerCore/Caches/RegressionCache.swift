package import CrashStore
internal import Files
internal import Synchronization

/// The regressions of groups that pages have shown. Finding them reads all reports of an app, so a result is
/// kept for a time that grows with its cost: a popular page does not keep a processor busy.
package final class RegressionCache: Sendable {
  private struct Entry {
    let result: AppRegressions
    let expires: Double
  }

  /// Seconds for which a result is kept, per second that it took to find.
  private static let patience = 300.0
  /// The maximum number of seconds.
  private static let longest = 600.0
  private static let limit = 1_000

  private let entries = Mutex<[String: Entry]>([:])

  package init() {}

  /// - Parameters:
  ///   - group: `TERN-12`.
  ///   - find: Called if no result is cached, or it is too old.
  /// - Throws: The errors of `find`.
  package func regressions(
    of group: String, find: () throws -> AppRegressions
  ) throws -> AppRegressions {
    let start = SteadyClock.seconds
    if let known = entries.withLock({ $0[group] }), known.expires > start { return known.result }
    let result = try find()
    let end = SteadyClock.seconds
    let stay = min((end - start) * Self.patience, Self.longest)
    entries.withLock { entries in
      if entries.count >= Self.limit { entries.removeAll() }
      entries[group] = Entry(result: result, expires: end + stay)
    }
    return result
  }
}
