package import CrashStore
internal import Files
internal import Synchronization
package import Updates
internal import Workers

/// What clients are offered, kept in memory: each app asks whenever somebody opens it, and an answer must
/// cost next to nothing.
///
/// A thread looks for changes, which other processes make too.
package final class UpdateCatalogs: Sendable {
  private let store: CrashStore
  /// Replaced as a whole; who has it goes on with it.
  private let current: Mutex<UpdateCatalog>
  /// One at a time loads.
  private let loading = Mutex<Void>(())

  /// Seconds between two looks for changes.
  private static let interval = 0.25

  /// - Throws: `DatabaseError`, `StoreError`.
  package init(_ store: CrashStore) throws {
    self.store = store
    current = Mutex(try store.distribution.catalog())
    Workers.detach { [weak self] in
      while true {
        SteadyClock.pause(seconds: Self.interval)
        guard let self else { return }
        // What cannot be read now is read the next time; until then the last that could be is answered.
        try? self.refresh()
      }
    }
  }

  /// What clients are offered now. It never waits for the disk.
  package var catalog: UpdateCatalog { current.withLock { $0 } }

  /// Loads what has changed since: for who has changed something and tells a client of it.
  ///
  /// - Throws: `DatabaseError`, `StoreError`.
  package func refresh() throws {
    try loading.withLock { _ in
      let generation = try store.distribution.generation()
      guard generation != current.withLock({ $0.generation }) else { return }
      let catalog = try store.distribution.catalog()
      current.withLock { $0 = catalog }
    }
  }
}
