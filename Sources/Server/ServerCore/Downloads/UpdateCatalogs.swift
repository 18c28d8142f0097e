package import CrashStore
internal import Files
internal import Synchronization
package import Updates
internal import Workers

/// The releases offered to clients, kept in memory: every app asks whenever a user opens it, and an answer
/// must cost next to nothing.
///
/// A thread polls for changes, which other processes make too.
package final class UpdateCatalogs: Sendable {
  /// A catalog, and the answers that were made from it.
  package final class State: Sendable {
    package let catalog: UpdateCatalog
    package let answers = UpdateAnswers()

    init(_ catalog: UpdateCatalog) { self.catalog = catalog }
  }

  private let store: CrashStore
  /// It is replaced as a whole, and readers keep the one they have.
  private let current: Mutex<State>
  /// Held while loading, so that only one thread loads.
  private let loading = Mutex<Void>(())

  /// Seconds between two checks for changes.
  private static let interval = 0.25

  /// - Throws: `DatabaseError`, `StoreError`.
  package init(_ store: CrashStore) throws {
    self.store = store
    current = Mutex(State(try store.distribution.catalog()))
    Workers.detach { [weak self] in
      while true {
        SteadyClock.pause(seconds: Self.interval)
        guard let self else { return }
        // A failed read is repeated the next time; until then the last catalog is used.
        try? self.refresh()
      }
    }
  }

  /// The current catalog with its answers; reading it never waits for the disk.
  package var state: State { current.withLock { $0 } }

  /// The current catalog; reading it never waits for the disk.
  package var catalog: UpdateCatalog { state.catalog }

  /// Loads recent changes, for a caller that made one and reports it to a client.
  ///
  /// - Throws: `DatabaseError`, `StoreError`.
  package func refresh() throws {
    try loading.withLock { _ in
      let generation = try store.distribution.generation()
      guard generation != catalog.generation else { return }
      let state = State(try store.distribution.catalog())
      current.withLock { $0 = state }
    }
  }
}
