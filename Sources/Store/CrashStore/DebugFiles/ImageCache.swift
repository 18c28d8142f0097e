internal import CrashModel
internal import Database
internal import Synchronization

/// Facts about images that a process knows to be in the tables.
final class ImageCache: Sendable {
  /// The release that named an image.
  struct Build: Hashable, Sendable {
    let app: RowID<Tables.Apps>
    let version: String
    let build: String
  }

  /// Everything that ``WaitingReports`` notes of an image besides the report.
  struct Fact: Hashable, Sendable {
    private let debugID: String
    private let isOwn: Bool
    private let package: ImagePackage?
    private let build: Build
    /// The system of a report that waits for it.
    private let system: SystemRow?

    init(_ image: ImageRow, _ system: SystemRow, _ build: Build) {
      debugID = image.debugID
      isOwn = image.isOwn
      package = image.package
      self.build = build
      self.system = image.isWaiting ? system : nil
    }
  }

  private static let limit = 100_000

  private struct Facts {
    var numbers: [String: Int] = [:]
    var facts: Set<Fact> = []
  }
  private struct State {
    var published = Facts()
    /// Facts found or noted by the current transaction.
    var pending = Facts()
  }
  private let state = Mutex(State())

  /// The number of a debug id, for the single writing transaction.
  subscript(debugID: String) -> Int? {
    get { state.withLock { $0.pending.numbers[debugID] ?? $0.published.numbers[debugID] } }
    set { state.withLock { $0.pending.numbers[debugID] = newValue } }
  }

  func knows(_ fact: Fact) -> Bool {
    state.withLock { $0.published.facts.contains(fact) || $0.pending.facts.contains(fact) }
  }

  func note(_ fact: Fact) { state.withLock { _ = $0.pending.facts.insert(fact) } }

  /// Keeps what was found or noted, once the transaction has been committed.
  func publish() {
    state.withLock {
      if $0.published.numbers.count + $0.pending.numbers.count > Self.limit {
        $0.published.numbers.removeAll()
      }
      if $0.published.facts.count + $0.pending.facts.count > Self.limit {
        $0.published.facts.removeAll()
      }
      $0.published.numbers.merge($0.pending.numbers) { _, new in new }
      $0.published.facts.formUnion($0.pending.facts)
      $0.pending = Facts()
    }
  }

  /// Forgets what is not published.
  func discard() { state.withLock { $0.pending = Facts() } }
}
