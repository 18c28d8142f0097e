internal import Bytes
internal import CrashService
internal import Crypto
internal import Synchronization

/// A database's answers for texts sent by clients, cached for some seconds. The texts themselves are not
/// kept, because they may be long and secret.
package final class RecentAnswers<Answer: Sendable>: Sendable {
  private struct Entry: Sendable {
    let answer: Answer
    /// The time on the monotonic clock, in seconds.
    let time: Double
  }

  private let entries = Mutex<[[UInt8]: Entry]>([:])
  private let lifetime: Double
  private let limit: Int

  /// - Parameters:
  ///   - lifetime: Seconds for which an answer is valid.
  ///   - limit: The maximum number of answers.
  package init(lifetime: Double, limit: Int) {
    self.lifetime = lifetime
    self.limit = limit
  }

  package func answer(to text: String, now: Double = RateLimits.now) -> Answer? {
    let key = SHA256.digest(of: ByteView(text.utf8))
    return entries.withLock { entries in
      guard let entry = entries[key], now - entry.time < lifetime else { return nil }
      return entry.answer
    }
  }

  package func keep(_ answer: Answer, for text: String, now: Double = RateLimits.now) {
    let key = SHA256.digest(of: ByteView(text.utf8))
    entries.withLock { entries in
      if entries.count >= limit, entries[key] == nil { entries.removeAll(keepingCapacity: true) }
      entries[key] = Entry(answer: answer, time: now)
    }
  }

  package func forget() { entries.withLock { $0.removeAll() } }

  package var count: Int { entries.withLock { $0.count } }
}
