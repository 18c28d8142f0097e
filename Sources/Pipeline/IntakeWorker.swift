internal import CrashInput
internal import Bytes
internal import Compression
internal import CrashModel
public import CrashStore
public import Grouping
internal import Hashing
internal import Scrubbing
public import ServerStore
internal import Symbolication
public import Workers

/// Files what an intake queue holds, in the order of arrival, and does stored reports again whose
/// debug files have come.
///
/// A submission leaves the queue after its reports are on the disk; stopped in between, it is
/// stored again, which counts no second time. What holds no report is quarantined with the reason.
public final class IntakeWorker {
  let store: CrashStore
  let queue: IntakeQueue
  private let lease: WorkerLease
  private let signer: Signer
  private let signers: SignerChoice
  private let width: Int
  /// State between batches, as long as no debug file comes.
  private var symbolicators: (arrivals: Int, value: StoredSymbolicators)?
  private(set) var scrubber: Scrubber
  private var done: [FinishedRecord] = []
  private let cacheUse = CacheUse()
  /// Submissions that could neither be stored, such as on a full disk, nor returned to the queue.
  private var owed: [QueuedRecord] = []
  /// Whether there was no room for it, though it was taken alone: others may fit.
  private var isOwedTooLarge = false
  /// The most submissions of a batch: fewer after one for which there was no room.
  private var most = 512
  private static let most = 512

  /// The result of one call.
  public struct Progress: Equatable, Sendable {
    public var submissions = 0
    public var reports = 0
    public var quarantined = 0
    /// Stored reports that were reprocessed.
    public var reprocessed = 0

    public var isNothing: Bool { submissions == 0 && reprocessed == 0 }
  }

  /// - Parameter width: How many threads work.
  /// - Throws: `FileError` when no other worker could see that this one lives; `ScrubError` for
  ///   rules of the home that cannot be understood.
  public init(
    from queue: IntakeQueue, of server: ServerStore, into store: CrashStore, signer: Signer,
    width: Int = Workers.processorCount
  ) throws {
    self.store = store
    scrubber = try Scrubber(home: store.home)
    self.queue = queue
    lease = try WorkerLease(in: server)
    self.signer = signer
    signers = SignerChoice(in: store, standard: signer)
    self.width = width
  }

  /// Takes a batch and stores it, then reprocesses reports that waited for debug files.
  ///
  /// - Throws: The store's error, such as of a full disk; what was taken is given back.
  public func step() throws -> Progress {
    var progress = Progress()
    try giveBack()
    // Rules that were damaged meanwhile stop the work: what is kept unscrubbed stays so.
    let rules = try ScrubRules(home: store.home)
    if rules.version != scrubber.rules.version { scrubber = try Scrubber(rules) }
    let taken = try queue.next(for: lease, finishing: done, atMost: most)
    done = []
    do {
      let records = try withoutErased(taken)
      var files: [QueuedRecord] = []
      var outcomes: [Int: Filing] = [:]
      for record in records {
        switch record.record.route {
        case IntakeProtocol.reports: files.append(record)
        case IntakeProtocol.appCenter: outcomes[record.id] = try fileLogs(record, &progress)
        default:
          // Of a newer program, before this one was put in its place.
          try quarantined(record, "unknown intake protocol '\(record.record.route)'", &progress)
        }
      }
      try file(files, &outcomes, &progress)
      try eraseStored(records)
      done = records.map { record in
        let filing = outcomes[record.id] ?? Filing()
        return FinishedRecord(
          record, isNew: filing.isNew, work: Int(clamping: Int64(filing.work / .microseconds(1))),
          ignored: filing.ignored, verdict: filing.verdict)
      }
      most = min(most * 2, Self.most)
    } catch {
      owed = taken
      isOwedTooLarge = false
      if case .noRoom? = StorageCause(of: error) {
        isOwedTooLarge = taken.count == 1
        most = max(1, taken.count / 2)
      }
      try? giveBack()
      throw error
    }
    progress.submissions = taken.count
    try Quarantine(queue, in: store).trim()
    if try store.reports.waitingCount() > 0 {
      progress.reprocessed = try LateSymbols(
        in: store, signer: signer, width: width, counting: cacheUse
      ).run()
    }
    let use = cacheUse.take()
    try queue.countCaches(ready: use.ready, made: use.made, damaged: use.damaged)
    return progress
  }

  /// Notes what was done in the queue, at the end.
  public func finish() throws {
    try giveBack()
    _ = try queue.next(for: lease, finishing: done, atMost: 0)
    done = []
  }

  /// The outcome of a submission.
  private struct Filing {
    var isNew = false
    var work = Duration.zero
    var ignored: [String: Int] = [:]
    var verdict = SubmissionVerdict()
  }

  private func giveBack() throws {
    guard !owed.isEmpty else { return }
    try queue.giveBack(owed, isTried: isOwedTooLarge)
    owed = []
  }

  /// Files what an App Center SDK sent.
  private func fileLogs(
    _ record: QueuedRecord, _ progress: inout Progress
  ) throws -> Filing {
    let start = ContinuousClock.now
    var filing = Filing()
    let arrivals = try store.debugFiles.arrivals()
    let intake = AppCenterIntake(
      into: store, symbolicators: try symbolicators(seeing: arrivals).choice, signers: signers,
      scrubber: scrubber, arrivals: arrivals)
    let facts = record.record.facts
    do {
      let body = try ContentCoding.undo(
        facts[IntakeFact.coding] ?? "", of: record.record.body,
        limit: PipelineLimits.unpackedLogs)
      let outcome = try intake.file(
        body, appSecret: facts[IntakeFact.secret] ?? "", installID: facts[IntakeFact.install],
        received: record.record.received)
      progress.reports += outcome.receipt.reports.count
      filing.isNew = outcome.receipt.isNew
      filing.ignored = outcome.ignored
      // It was acknowledged as a whole: the rest of it stays where a person sees it.
      if let problem = outcome.problem { try quarantined(record, problem, &progress) }
    } catch let error as ParseError {
      try quarantined(record, error.description, &progress)
    }
    filing.work = start.duration(to: .now)
    return filing
  }

  private func quarantined(
    _ record: QueuedRecord, _ problem: String, isCounted: Bool = false,
    _ progress: inout Progress
  ) throws {
    try queue.quarantined(record, problem: problem, isCounted: isCounted)
    progress.quarantined += 1
  }

  /// Files reports and archives of reports, those of an app together.
  private func file(
    _ records: [QueuedRecord], _ outcomes: inout [Int: Filing], _ progress: inout Progress
  ) throws {
    var apps: [(app: String?, records: [QueuedRecord])] = []
    for record in records {
      let app = record.record.facts[IntakeFact.app]
      let index = apps.firstIndex { $0.app == app } ?? apps.endIndex
      if index == apps.endIndex { apps.append((app, [])) }
      apps[index].records.append(record)
    }
    for (app, records) in apps {
      for (record, filing) in zip(records, try file(records, app: app, &progress)) {
        outcomes[record.id] = filing
      }
    }
  }

  /// - Returns: The outcome of each, in order.
  private func file(
    _ records: [QueuedRecord], app: String?, _ progress: inout Progress
  ) throws -> [Filing] {
    let arrivals = try store.debugFiles.arrivals()
    let processor = ReportProcessor(
      symbolicators: try symbolicators(seeing: arrivals).choice, signers: signers,
      scrubber: scrubber,
      app: app)
    let ingest = Ingest(
      into: store, processor: processor, app: app, arrivals: arrivals, width: width,
      isLimited: true)
    let walker = InputWalker(limits: .received(atMost: queue.limits.report))
    let times = records.map(\.record.received)
    var outcomes: [[FileOutcome]] = Array(repeating: [], count: records.count)
    var filings: [Filing] = Array(repeating: Filing(), count: records.count)
    var events = IngestEvents()
    events.became = { outcomes[$0].append($1) }
    events.worked = { filings[$0].work += $1 }
    events.wasNew = { filings[$0].isNew = true }
    events.stored = { filings[$0].verdict.stored.append(.init(app: $1, digest: SHA256.hex($2))) }
    events.counted = { filings[$0].verdict.count(in: $2, of: $1) }
    events.refused = { filings[$0].verdict.refused.append(.init(file: $1, reason: $2)) }
    let result = try ingest.run(
      received: times.first ?? Timestamp(seconds: 0), events: events, arrival: { times[$0] }
    ) { bring in
      for (index, record) in records.enumerated() {
        let name = scrubber.scrub(
          record.record.facts[IntakeFact.name] ?? "submission \(record.id)")
        let step = walker.read(record.record.body, named: name, ordinal: index, body: bring)
        if step == .stop { return }
      }
    }
    progress.reports += result.reports
    for (record, outcomes) in zip(records, outcomes) {
      let reasons = outcomes.compactMap { outcome in
        if case .refused(let reason, _) = outcome { reason } else { nil }
      }
      if reasons.count == outcomes.count {
        try quarantined(
          record, reasons.first ?? "it is empty", isCounted: !reasons.isEmpty, &progress)
      }
    }
    return filings
  }

  private func symbolicators(seeing arrivals: Int) throws -> StoredSymbolicators {
    if let symbolicators, symbolicators.arrivals == arrivals { return symbolicators.value }
    // A new one whenever a debug file has come: it remembers what it did not find.
    let value = try StoredSymbolicators(
      in: store, pool: SymbolCachePool(folder: store.caches, counting: cacheUse))
    symbolicators = (arrivals, value)
    return value
  }
}
