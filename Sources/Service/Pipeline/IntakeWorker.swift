internal import Bytes
internal import Compression
internal import CrashInput
public import CrashStore
import Crypto
public import Grouping
internal import Identifiers
internal import Scrubbing
public import ServerStore
internal import Symbolication
public import Workers

/// Stores the submissions of an intake queue, and reprocesses reports whose debug files have arrived.
///
/// Apps take turns: some submissions of each are stored, in order of arrival, for a limited time. A longer
/// submission is interrupted between its files, so that those of other apps continue.
///
/// A submission leaves the queue after its reports are on disk; if interrupted, it is stored again without
/// being counted twice, see `IntakeProgress`. Submissions without a report are quarantined with the reason.
public final class IntakeWorker {
  let store: CrashStore
  let queue: IntakeQueue
  private let lease: WorkerLease
  private let signer: Signer
  private let signers: SignerChoice
  private let width: Int
  private let limits: SubmissionLimits
  /// The current turns, with those of interrupted submissions first.
  private var turns: [String] = []
  /// Submissions of the current batches that were taken but not started.
  private var unstarted: [[QueuedRecord]] = []
  /// Turns without enough room on the disk, until there is.
  private var postponed: Set<String> = []
  /// Symbolicators kept between batches until a debug file arrives.
  private var symbolicators: (arrivals: Int, value: StoredSymbolicators)?
  private(set) var scrubber: Scrubber
  /// Stored submissions that have not left the queue.
  private var done: [FinishedRecord] = []
  private let cacheUse = CacheUse()
  /// Submissions that could be neither stored, for example on a full disk, nor returned to the queue yet.
  private var unreturned: [QueuedRecord] = []
  /// Whether there was no room even though it was taken alone: others may fit.
  private var isUnreturnedTooLarge = false
  /// The maximum number of submissions of a batch; lower after one that did not fit.
  private var batchSize = IntakeWorker.maximumBatchSize
  private static let maximumBatchSize = 4 * PipelineLimits.reportsInBatch
  /// The maximum number of bytes of their bodies, unless one is larger.
  private static let batchBytes = 16 << 20
  private static let minimumBatchSize = 8
  /// Submissions stored since the progress of those that left the queue was forgotten, and their number after
  /// which it is forgotten again.
  private var stored = 0
  private static let forgottenTogether = 1_024
  /// The time for which an app's submissions are stored before the next app's turn.
  private let slice: Duration
  /// The maximum number of apps with an interrupted submission at the same time.
  private static let maximumNesting = 4
  /// The maximum number of submissions of a batch that interrupts another one.
  private static let interruptingBatchSize = 64

  /// The result of one call.
  public struct Progress: Equatable, Sendable {
    public var submissions = 0
    public var reports = 0
    public var quarantined = 0
    /// Stored reports that were reprocessed.
    public var reprocessed = 0

    public var isNothing: Bool { submissions == 0 && reprocessed == 0 }
  }

  /// - Parameters:
  ///   - limits: The limits of a submission sent without a token.
  ///   - width: The number of threads.
  ///   - slice: The time for which an app's submissions are stored before the next app's turn.
  /// - Throws: `FileError` if other workers could not see that this one is alive; `ScrubError` for invalid
  ///   rules in the home.
  public init(
    from queue: IntakeQueue, of server: ServerStore, into store: CrashStore, signer: Signer,
    limits: SubmissionLimits = SubmissionLimits(), width: Int = Workers.processorCount,
    slice: Duration = .seconds(2)
  ) throws {
    self.limits = limits
    self.slice = slice
    self.store = store
    scrubber = try Scrubber(of: store.settings)
    self.queue = queue
    lease = try WorkerLease(in: server)
    self.signer = signer
    signers = SignerChoice(in: store, standard: signer)
    self.width = width
  }

  /// Takes a batch and stores it, then reprocesses reports that waited for debug files.
  ///
  /// - Throws: The store's error, such as on a full disk; taken submissions are returned to the queue.
  public func step() throws -> Progress {
    var progress = Progress()
    try returnToQueue()
    // Rules that were damaged in the meantime stop the work: data stored unscrubbed would stay so.
    let rules = try ScrubRules(of: store.settings)
    if rules.version != scrubber.rules.version { scrubber = try Scrubber(rules) }
    if !postponed.isEmpty, (try? queue.admitMore()) != nil { postponed = [] }
    let taken = try queue.next(
      for: lease, finishing: done, atMost: batchSize, bytes: Self.batchBytes, excluding: postponed)
    done = []
    do {
      let (finished, left) = try storeInTurns(taken, &progress)
      done = finished
      batchSize =
        left > 0
        ? max(finished.count, Self.minimumBatchSize) : min(batchSize * 2, Self.maximumBatchSize)
    } catch {
      unreturned += taken
      isUnreturnedTooLarge = false
      if !(error is IntakeError), case .noRoom? = StorageCause(of: error) {
        isUnreturnedTooLarge = taken.count == 1
        batchSize = max(1, taken.count / 2)
      }
      try? returnToQueue()
      throw error
    }
    try Quarantine(queue, in: store).trim()
    stored += done.count
    if stored >= Self.forgottenTogether { try forgetProgress() }
    if try store.reports.waitingCount() > 0 || store.groups.canSettle() {
      let start = ContinuousClock.now
      progress.reprocessed = try ReprocessingJob(
        in: store, signer: signer, width: width, counting: cacheUse
      ).run(until: { start.duration(to: .now) >= slice })
    }
    let use = cacheUse.take()
    try queue.countCaches(ready: use.ready, made: use.made, damaged: use.damaged)
    return progress
  }

  /// Records the finished submissions in the queue, at the end.
  public func finish() throws {
    try returnToQueue()
    _ = try queue.next(for: lease, finishing: done, atMost: 0)
    done = []
    try forgetProgress()
  }

  /// Forgets the progress of what has left the queue, by this worker or by those that were killed.
  private func forgetProgress() throws {
    try store.ledger.forgetProgress { try queue.queued($0) }
    stored = 0
  }

  /// The time for which an app's submissions are stored.
  private struct Slice {
    let length: Duration
    private var start = ContinuousClock.now
    /// Whether it has ended once: then no further submission is started.
    private var wasOver = false

    init(_ length: Duration) { self.length = length }

    mutating func isOver() -> Bool {
      guard start.duration(to: .now) >= length else { return wasOver }
      wasOver = true
      return true
    }

    /// Whether other apps may interrupt now.
    mutating func mayInterrupt() -> Bool {
      guard start.duration(to: .now) >= length else { return false }
      wasOver = true
      return true
    }

    mutating func restart() { start = .now }
  }

  /// Stores submissions by app, each app for a limited time. The rest is returned to the queue.
  ///
  /// - Returns: The stored submissions, and the number of the rest.
  private func storeInTurns(
    _ taken: [QueuedRecord], _ progress: inout Progress
  ) throws -> (finished: [FinishedRecord], left: Int) {
    let records = try withoutErased(taken)
    progress.submissions += taken.count - records.count
    var finished: [FinishedRecord] = []
    var byTurn: [(turn: String, records: [QueuedRecord])] = []
    for record in records {
      if byTurn.last?.turn == record.turn {
        byTurn[byTurn.count - 1].records.append(record)
      } else {
        byTurn.append((record.turn, [record]))
      }
    }
    let level = unstarted.count
    unstarted.append(records)
    defer { unstarted.removeLast() }
    for (turn, records) in byTurn {
      // They were returned to the queue when a long submission was interrupted.
      if unstarted[level].isEmpty { break }
      unstarted[level].removeFirst(records.count)
      turns.append(turn)
      defer { turns.removeLast() }
      do {
        let outcomes = try storeTurn(records, &progress)
        try eraseStored(Array(records.prefix(outcomes.count)))
        finished += zip(records, outcomes).map { $1.finished($0) }
        try queue.giveBack(Array(records.dropFirst(outcomes.count)))
      } catch let error as IntakeError {
        // Below half of the reserve nothing is stored, whoever sent it.
        guard case .reserve = error, (try? queue.reserve.admitWork()) != nil else { throw error }
        // Others need less room, and may use what is left.
        postponed.insert(turn)
        try queue.giveBack(records)
      }
    }
    progress.submissions += finished.count
    return (finished, records.count - finished.count)
  }

  /// Stores the first submissions of a turn, as many as time permits.
  ///
  /// - Returns: The outcomes of the stored ones, in order.
  private func storeTurn(
    _ records: [QueuedRecord], _ progress: inout Progress
  ) throws -> [SubmissionOutcome] {
    var slice = Slice(self.slice)
    var outcomes: [SubmissionOutcome] = []
    var rest = records[...]
    while let first = rest.first, outcomes.isEmpty || !slice.isOver() {
      switch first.record.route {
      case IntakeProtocol.reports:
        let same = rest.prefix {
          $0.record.route == IntakeProtocol.reports
            && $0.record.facts[IntakeFact.app] == first.record.facts[IntakeFact.app]
        }
        let done = try storeReports(
          Array(same), app: first.record.facts[IntakeFact.app], &slice, &progress)
        outcomes += done
        if done.count < same.count { return outcomes }
        rest = rest.dropFirst(done.count)
        continue
      case IntakeProtocol.appCenter: outcomes.append(try storeLogs(first, &progress))
      default:
        // From a newer program that was used before this one.
        try quarantined(first, "unknown intake protocol '\(first.record.route)'", &progress)
        outcomes.append(SubmissionOutcome())
      }
      rest = rest.dropFirst()
    }
    return outcomes
  }

  /// Processes submissions of other apps before a long one continues.
  private func storeOtherApps(_ progress: inout Progress) {
    guard turns.count <= Self.maximumNesting else { return }
    do {
      // First returns the submissions that were taken with the long one.
      for level in unstarted.indices where !unstarted[level].isEmpty {
        try queue.giveBack(unstarted[level])
        unstarted[level] = []
      }
      let taken = try queue.next(
        for: lease, atMost: Self.interruptingBatchSize, excluding: postponed.union(turns))
      guard !taken.isEmpty else { return }
      do {
        let (finished, _) = try storeInTurns(taken, &progress)
        _ = try queue.next(for: lease, finishing: finished, atMost: 0)
      } catch {
        // They are tried again in a turn of their own, which reports the error.
        unreturned += taken
        isUnreturnedTooLarge = false
      }
    } catch {
      // The error is reported by a later turn, too.
    }
  }

  private func returnToQueue() throws {
    guard !unreturned.isEmpty else { return }
    try queue.giveBack(unreturned, isTried: isUnreturnedTooLarge)
    unreturned = []
  }

  /// Stores the logs that an App Center SDK sent.
  private func storeLogs(
    _ record: QueuedRecord, _ progress: inout Progress
  ) throws -> SubmissionOutcome {
    let start = ContinuousClock.now
    var outcome = SubmissionOutcome()
    let arrivals = try store.debugFiles.arrivals()
    let intake = AppCenterIntake(
      into: store, symbolicators: try symbolicators(seeing: arrivals).choice, signers: signers,
      scrubber: scrubber, arrivals: arrivals, mostReports: limits.reports
    ) { [queue] reports, bytes in
      let accepted = Backlog(count: 1, bytes: record.record.body.count)
      _ = try queue.admitPart(reports: reports, bytes: bytes, after: 0, of: accepted)
    }
    let facts = record.record.facts
    do {
      let body = try ContentCoding.undo(
        facts[IntakeFact.coding] ?? "", of: record.record.body,
        limit: PipelineLimits.unpackedLogs)
      let stored = try intake.store(
        body, appSecret: facts[IntakeFact.secret] ?? "", installID: facts[IntakeFact.install],
        received: record.record.received,
        progress: try store.ledger.progress(of: [record.identity])[record.identity]
          ?? IntakeProgress(record.identity))
      progress.reports += stored.receipt.reports.count
      outcome.itemCount = stored.receipt.reports.count
      outcome.bytes = body.count
      outcome.isNew = stored.receipt.isNew
      outcome.ignored = stored.ignored
      // It was acknowledged as a whole: the rest stays where the operator sees it.
      if let problem = stored.problem { try quarantined(record, problem, &progress) }
    } catch let error as ParseError {
      try quarantined(record, error.description, &progress)
    }
    outcome.work = start.duration(to: .now)
    return outcome
  }

  private func quarantined(
    _ record: QueuedRecord, _ problem: String, isCounted: Bool = false,
    _ progress: inout Progress
  ) throws {
    try queue.quarantined(record, problem: problem, isCounted: isCounted)
    progress.quarantined += 1
  }

  /// Stores reports and archives of reports of one app, as many as time permits.
  ///
  /// - Returns: The outcomes of the stored ones, in order.
  private func storeReports(
    _ records: [QueuedRecord], app: String?, _ slice: inout Slice, _ progress: inout Progress
  ) throws -> [SubmissionOutcome] {
    let arrivals = try store.debugFiles.arrivals()
    let processor = ReportProcessor(
      symbolicators: try symbolicators(seeing: arrivals).choice, signers: signers,
      scrubber: scrubber,
      app: app)
    let begun = try store.ledger.progress(of: records.map(\.identity))
    let submissions = records.map { OpenSubmission($0, begun, limitsWithoutToken: limits) }
    let ingest = Ingest(
      into: store, processor: processor, app: app, arrivals: arrivals, width: width,
      isLimited: true, progress: { submissions[$0].progress }
    ) { submissions[$0].limits.reports }
    var accepted = Backlog()
    var written: UInt64 = 0
    var outcomes: [SubmissionOutcome] = []
    let result = try ingest.run(
      received: records.first?.record.received ?? Timestamp(seconds: 0),
      arrival: { submissions[$0].record.record.received },
      storing: { [queue] reports, bytes in
        written = try queue.admitPart(
          reports: reports, bytes: bytes, after: written, of: accepted)
      },
      onResult: { outcomes[$0.ordinal].add($0) }
    ) { bring in
      func interrupt() {
        guard slice.mayInterrupt() else { return }
        storeOtherApps(&progress)
        slice.restart()
      }
      for (index, submission) in submissions.enumerated() {
        if index > 0, slice.isOver() { return }
        outcomes.append(SubmissionOutcome(isNew: submission.progress.isNew))
        let record = submission.record.record
        accepted += Backlog(count: 1, bytes: record.body.count)
        let walker = InputWalker(
          limits: submission.limits.input(
            isOfToken: submission.isOfToken, report: queue.limits.report))
        let name = scrubber.scrub(
          record.facts[IntakeFact.name] ?? "submission \(submission.record.id)")
        let step = walker.read(record.body, named: name, ordinal: index, progress: interrupt) {
          file in
          outcomes[index].bytes += file.byteCount
          interrupt()
          return bring(file)
        }
        if step == .stop { return }
      }
    }
    progress.reports += result.reports
    for (record, outcome) in zip(records, outcomes) where !outcome.hasReports {
      let reason = outcome.verdict.refused.first?.reason
      try quarantined(record, reason ?? "it is empty", isCounted: reason != nil, &progress)
    }
    return outcomes
  }

  /// A submission while it is read.
  private struct OpenSubmission: Sendable {
    let record: QueuedRecord
    let isOfToken: Bool
    let limits: SubmissionLimits
    let progress: IntakeProgress

    init(
      _ record: QueuedRecord, _ begun: [IntakeID: IntakeProgress],
      limitsWithoutToken: SubmissionLimits
    ) {
      self.record = record
      progress = begun[record.identity] ?? IntakeProgress(record.identity)
      isOfToken = record.record.facts[IntakeFact.trust] == IntakeFact.token
      limits = isOfToken ? .ofTokens : limitsWithoutToken
    }
  }

  private func symbolicators(seeing arrivals: Int) throws -> StoredSymbolicators {
    if let symbolicators, symbolicators.arrivals == arrivals { return symbolicators.value }
    // A new one whenever a debug file was added: it caches negative results.
    let value = try StoredSymbolicators(
      in: store, pool: SymbolCachePool(folder: store.caches, counting: cacheUse))
    symbolicators = (arrivals, value)
    return value
  }
}
