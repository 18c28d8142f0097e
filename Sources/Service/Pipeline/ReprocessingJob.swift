internal import Bytes
public import CrashStore
public import Grouping
internal import Leases
internal import Scrubbing
public import Symbolication
public import Workers

/// Reprocesses stored reports whose missing debug files have arrived, or whose app has chosen other rules.
///
/// The store has the list; each report is read from its submission and replaced, none counts twice, and a
/// group whose reports all move keeps its name. It can be interrupted at any time and run again with the same
/// result, also while other processes do the same.
public struct ReprocessingJob: Sendable {
  private let store: CrashStore
  private let signer: Signer
  private let width: Int
  private let use: CacheUse

  /// The most reports replaced in one transaction.
  private static let portion = 256
  /// The most reports taken from the list at a time.
  private static let batch = 4 * portion

  /// - Parameters:
  ///   - width: The number of threads.
  ///   - use: Counts how often symbol caches are requested.
  public init(
    in store: CrashStore, signer: Signer, width: Int = Workers.processorCount,
    counting use: CacheUse = CacheUse()
  ) {
    self.use = use
    self.store = store
    self.signer = signer
    self.width = width
  }

  /// Reprocesses all reports on the list, and settles the groups of each app of which none is left.
  ///
  /// - Parameters:
  ///   - progress: Called after each batch with the number of finished reports and their total.
  ///   - isEnough: Asked after each batch whether the rest can wait.
  /// - Returns: The number of reports reprocessed here.
  /// - Throws: The store's error; what was replaced before stays replaced.
  @discardableResult
  public func run(
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    until isEnough: () -> Bool = { false }
  ) throws -> Int {
    let (isFirst, lease) = firstTurn()
    defer { withExtendedLifetime(lease) {} }
    let scrubber = try Scrubber(of: store.settings)
    var done = 0
    repeat {
      // A new one whenever a debug file was added: it caches negative results.
      let arrivals = try store.debugFiles.arrivals()
      let symbolicators = try StoredSymbolicators(
        in: store, pool: SymbolCachePool(folder: store.caches, counting: use))
      let reprocessor = ReprocessingWorker(
        in: store, symbolicators: symbolicators.choice, signer: signer, scrubber: scrubber)
      while try store.debugFiles.arrivals() == arrivals {
        let ids = try store.reports.toReprocess(limit: Self.batch, newestFirst: !isFirst)
        guard !ids.isEmpty else { break }
        let total = try done + store.reports.waitingCount()
        try reprocess(ids[...], by: reprocessor, arrivals: arrivals) { count in
          done += count
          progress(done, max(done, total))
        }
        if isEnough() { return done }
        // Groups of apps whose reports are all done do not wait for those of others.
        if try settle(until: isEnough) { return done }
      }
      if try settle(until: isEnough) { return done }
    } while try store.reports.waitingCount() > 0
    return done
  }

  /// Whether this process was the first to start on the waiting reports, which it is as long as the lease
  /// lives.
  ///
  /// It affects only speed: the second process starts at the other end, so that both meet in the middle
  /// instead of doing everything twice.
  private func firstTurn() -> (isFirst: Bool, lease: (any Lease)?) {
    do {
      let lease = try store.leases.take(.reprocessing)
      return (lease != nil, lease)
    } catch {
      return (true, nil)
    }
  }

  /// - Returns: Whether the rest can wait.
  private func settle(until isEnough: () -> Bool) throws -> Bool {
    while try store.groups.settle() {
      if isEnough() { return true }
    }
    return false
  }

  /// Reprocesses reports in portions that fit in memory. Each is written while the next one is made.
  ///
  /// - Parameter replaced: Called with the number of reports of each portion that was written.
  private func reprocess(
    _ ids: ArraySlice<String>, by reprocessor: ReprocessingWorker, arrivals: Int,
    _ replaced: (Int) -> Void
  ) throws {
    var written: Background<Result<Int, any Error>>?
    func finish() throws {
      guard let last = written else { return }
      written = nil
      replaced(try last.value().get())
    }
    var portion: [ReprocessingResult] = []
    var bytes = 0
    var rest = ids
    while !rest.isEmpty {
      let next = Array(rest.prefix(width * 4))
      rest = rest.dropFirst(next.count)
      portion += try Workers.map(count: next.count, width: width) { [self] index in
        Result { try reprocess(next[index], by: reprocessor, arrivals: arrivals) }
      }.map { try $0.get() }
      bytes += portion.suffix(next.count).reduce(0) { $0 + $1.heldBytes }
      guard rest.isEmpty || portion.count >= Self.portion || bytes >= PipelineLimits.bytesInBatch
      else { continue }
      try finish()
      written = Background(isOn: true) { [store, portion] in
        Result { try store.reports.replace(portion) }
      }
      portion.removeAll()
      bytes = 0
    }
    try finish()
  }

  /// - Throws: The error that prevents reprocessing now, such as a locked database: the report
  ///   stays on the list.
  private func reprocess(
    _ id: String, by reprocessor: ReprocessingWorker, arrivals: Int
  ) throws -> ReprocessingResult {
    do {
      let number = try store.reports.ruleSet(toSign: id)
      let stored = try store.reports.get(id)
      if let number {
        switch try reprocessor.signAgain(stored) {
        case .signed(let report, let document):
          return .replaced(
            try PreparedReplacement(
              of: id, received: stored.summary.received, by: report, document: ByteView(document),
              arrivals: arrivals, ruleSet: number))
        case .same: return .kept(id: id)
        case .notEnough: break
        }
      }
      guard let (report, document) = try reprocessor.reprocess(stored, keepsSymbols: true) else {
        return .kept(id: id)
      }
      return .replaced(
        try PreparedReplacement(
          of: id, received: stored.summary.received, by: report, document: ByteView(document),
          arrivals: arrivals, ruleSet: number))
    } catch let error as ParseError {
      return .failed(id: id, reason: error.description)
    } catch let error as StoreError {
      // Another process has removed the report since: it is no longer on the list.
      if case .notFound = error { return .kept(id: id) }
      return .failed(id: id, reason: error.description)
    }
  }
}
