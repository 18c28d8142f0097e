internal import Files
internal import Synchronization

/// Results that take reading all reports of an app. Each is kept for a time that grows with its cost: a popular
/// page does not keep a processor busy.
package final class ResultCache<Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let expires: Double
  }

  /// Seconds for which a result is kept, per second that it took to find.
  private let patience = 300.0
  /// The maximum number of seconds.
  private let longest = 600.0
  private let limit = 1_000

  private let entries = Mutex<[String: Entry]>([:])

  package init() {}

  /// - Parameters:
  ///   - key: What the result is about, such as `TERN-12`.
  ///   - find: Called if no result is cached, or it is too old.
  /// - Throws: The errors of `find`.
  package func value(of key: String, find: () throws -> Value) throws -> Value {
    let start = SteadyClock.seconds
    if let known = entries.withLock({ $0[key] }), known.expires > start { return known.value }
    let value = try find()
    let end = SteadyClock.seconds
    let stay = min((end - start) * patience, longest)
    entries.withLock { entries in
      if entries.count >= limit { entries.removeAll() }
      entries[key] = Entry(value: value, expires: end + stay)
    }
    return value
  }
}
