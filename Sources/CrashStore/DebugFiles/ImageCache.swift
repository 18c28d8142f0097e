internal import Synchronization

/// What a process knows to be noted of images.
final class ImageCache: Sendable {
  /// The release that named an image.
  struct Build: Hashable, Sendable {
    let app: Int
    let version: String
    let build: String
  }

  /// Everything that ``WaitingReports`` notes of an image besides the report.
  struct Fact: Hashable, Sendable {
    private let debugID: String
    private let isOwn: Bool
    private let build: Build
    /// Of a report that waits for it.
    private let system: SystemRow?

    init(_ image: ImageRow, _ system: SystemRow, _ build: Build) {
      debugID = image.debugID
      isOwn = image.isOwn
      self.build = build
      self.system = image.isWaiting ? system : nil
    }
  }

  private static let limit = 100_000

  private struct State {
    var numbers: [String: Int] = [:]
    var facts: Set<Fact> = []
  }
  private let state = Mutex(State())

  /// The number of a debug id.
  subscript(debugID: String) -> Int? {
    get { state.withLock { $0.numbers[debugID] } }
    set {
      state.withLock {
        if $0.numbers.count >= Self.limit { $0.numbers.removeAll() }
        $0.numbers[debugID] = newValue
      }
    }
  }

  func knows(_ fact: Fact) -> Bool { state.withLock { $0.facts.contains(fact) } }

  func note(_ fact: Fact) {
    state.withLock {
      if $0.facts.count >= Self.limit { $0.facts.removeAll() }
      $0.facts.insert(fact)
    }
  }

  /// Forgets all, after a transaction that came to nothing.
  func clear() { state.withLock { $0 = State() } }
}
