public import CrashStore
public import SymbolSources
public import Symbolication
internal import Synchronization

/// The symbolicators of apps, with the debug files of a store: one for all apps if they share their debug
/// files, otherwise one for each.
public final class StoredSymbolicators: Sendable {
  private let store: CrashStore
  private let isShared: Bool
  private let first: [any SymbolSource]
  private let pool: SymbolCachePool
  private let made = Mutex<[String: Symbolicator]>([:])

  /// - Parameters:
  ///   - first: Sources used before the store.
  ///   - pool: The symbol caches in use.
  /// - Throws: `DatabaseError`.
  public init(
    in store: CrashStore, after first: [any SymbolSource] = [], pool: SymbolCachePool
  ) throws {
    self.store = store
    self.first = first
    self.pool = pool
    isShared = try store.debugFiles.sharing() == .shared
  }

  /// - Parameter app: Any of the app's names.
  public func symbolicator(for app: String) -> Symbolicator {
    let key = isShared ? "" : app
    return made.withLock { made in
      if let known = made[key] { return known }
      let stored = StoredSymbols(in: store, app: isShared ? nil : app)
      let new = Symbolicator(sources: first + [stored], pool: pool)
      made[key] = new
      return new
    }
  }

  /// The choice to pass to processors of reports.
  public var choice: SymbolicatorChoice { SymbolicatorChoice { self.symbolicator(for: $0) } }
}

/// Selects the symbolicator for the reports of an app.
public struct SymbolicatorChoice: Sendable {
  private let choose: @Sendable (_ app: String) -> Symbolicator

  init(_ choose: @escaping @Sendable (_ app: String) -> Symbolicator) { self.choose = choose }

  /// Uses one symbolicator for all apps.
  public init(_ symbolicator: Symbolicator) { choose = { _ in symbolicator } }

  func symbolicator(for app: String) -> Symbolicator { choose(app) }
}
