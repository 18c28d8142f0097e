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

  /// A release and a system, with their numbers in the cache.
  struct Context {
    let build: Build
    let system: SystemRow
    fileprivate(set) var buildID = 0
    fileprivate(set) var systemID = 0
  }

  /// Something that ``WaitingReports`` notes of an image besides the report.
  struct Fact: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// A report named it at all, or as one of an app's own.
      case row, own
      case package
      /// It is of a release; reports of a system wait for it.
      case build(Int), system(Int)
    }

    let image: Int
    let kind: Kind
  }

  private static let limit = 100_000

  private struct Facts {
    var numbers: [String: Int] = [:]
    var facts: Set<Fact> = []
    /// The first model of each system that waits for an image, in the order of its bytes; any comes before
    /// none.
    var models: [Fact: String] = [:]
    var count: Int { facts.count + models.count }
  }
  /// A system without the model.
  private struct System: Hashable {
    let name: String
    let version: String
    let build: String
  }
  private struct State {
    var published = Facts()
    /// Facts found or noted by the current transaction.
    var pending = Facts()
    /// The numbers of releases and systems in the cache, which say nothing about the tables. None is used
    /// twice.
    var builds: [Build: Int] = [:]
    var systems: [System: Int] = [:]
    var last = 0

    mutating func next() -> Int {
      last += 1
      return last
    }
  }
  private let state = Mutex(State())

  /// The number of a debug id, for the single writing transaction.
  subscript(debugID: String) -> Int? {
    get { state.withLock { $0.published.numbers[debugID] ?? $0.pending.numbers[debugID] } }
    set { state.withLock { $0.pending.numbers[debugID] = newValue } }
  }

  /// Returns the context of the images of a report.
  func context(_ build: Build, _ system: SystemRow) -> Context {
    var context = Context(build: build, system: system)
    let named = System(name: system.name, version: system.version, build: system.build)
    state.withLock { state in
      context.buildID = state.builds[build] ?? state.next()
      context.systemID = state.systems[named] ?? state.next()
      state.builds[build] = context.buildID
      state.systems[named] = context.systemID
    }
    return context
  }

  func knows(_ fact: Fact) -> Bool {
    state.withLock { $0.published.facts.contains(fact) || $0.pending.facts.contains(fact) }
  }

  func note(_ fact: Fact) { state.withLock { _ = $0.pending.facts.insert(fact) } }

  /// Whether noting a system with a model would change nothing.
  func knows(_ fact: Fact, ofModel model: String) -> Bool {
    let known = state.withLock { $0.pending.models[fact] ?? $0.published.models[fact] }
    guard let known else { return false }
    return !Self.precedes(model, known)
  }

  /// Keeps the first model of those noted.
  func note(_ fact: Fact, ofModel model: String) {
    state.withLock {
      let known = $0.pending.models[fact] ?? $0.published.models[fact]
      if known.map({ Self.precedes(model, $0) }) ?? true { $0.pending.models[fact] = model }
    }
  }

  private static func precedes(_ one: String, _ other: String) -> Bool {
    !one.isEmpty && (other.isEmpty || one.utf8.lexicographicallyPrecedes(other.utf8))
  }

  /// Keeps what was found or noted, once the transaction has been committed.
  func publish() {
    state.withLock {
      if $0.published.numbers.count + $0.pending.numbers.count > Self.limit {
        $0.published.numbers.removeAll()
      }
      if $0.published.count + $0.pending.count > Self.limit {
        $0.published.facts.removeAll()
        $0.published.models.removeAll()
        $0.builds.removeAll()
        $0.systems.removeAll()
      }
      $0.published.numbers.merge($0.pending.numbers) { _, new in new }
      $0.published.facts.formUnion($0.pending.facts)
      $0.published.models.merge($0.pending.models) { _, new in new }
      $0.pending = Facts()
    }
  }

  /// Forgets what is not published.
  func discard() { state.withLock { $0.pending = Facts() } }
}
