package import CrashStore
package import Identifiers
internal import Synchronization

/// When testers' apps asked for updates, which is answered from memory; stored with the next maintenance.
package final class TesterSightings: Sendable {
  private struct Key: Hashable {
    let app: String
    let tester: String
  }

  private struct Times {
    var waiting: [Key: Timestamp] = [:]
    /// The minutes that were stored: a busy app costs one write a minute.
    var stored: [Key: Int64] = [:]
  }

  private let times = Mutex(Times())
  /// The maximum number of testers that are remembered.
  private static let most = 100_000

  package init() {}

  /// Notes that a tester's app asked.
  ///
  /// - Parameter tester: The tester's id.
  package func note(_ tester: String, of app: String, at now: Timestamp) {
    let key = Key(app: app, tester: tester)
    times.withLock { times in
      guard times.stored[key] != now.seconds / 60, times.waiting.count < Self.most else { return }
      times.waiting[key] = now
    }
  }

  /// - Throws: `DatabaseError`; times that could not be stored are tried again.
  package func store(in store: CrashStore) throws {
    let taken = times.withLock { times in
      defer { times.waiting = [:] }
      return times.waiting
    }
    for (index, (key, time)) in taken.enumerated() {
      do {
        try store.distribution.noteSighting(ofTester: key.tester, app: key.app, at: time)
        times.withLock { times in
          if times.stored.count >= Self.most { times.stored = [:] }
          times.stored[key] = time.seconds / 60
        }
      } catch {
        times.withLock { times in
          for (key, time) in taken.dropFirst(index) where times.waiting[key] == nil {
            times.waiting[key] = time
          }
        }
        throw error
      }
    }
  }
}
