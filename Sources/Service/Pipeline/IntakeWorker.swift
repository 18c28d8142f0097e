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

/// Files what an intake queue holds, and does stored reports again whose debug files have come.
///
/// Apps take turns: of each some submissions are filed, in the order of arrival, for a time. A submission that takes
/// longer is interrupted between its files, so that those of other apps go on.
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
  private let limits: SubmissionLimits
  /// The turns that are being filed: those of interrupted submissions first.
  private var turns: [String] = []
  /// Submissions that were taken and not begun, of the batches that are being filed.
  private var unbegun: [[QueuedRecord]] = []
  /// Turns for which there is no room on the disk, until there is.
  private var postponed: Set<String> = []
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
  private static let least = 8
  /// How long the submissions of an app are filed before it is another's turn.
  private let slice: Duration
  /// How many apps may have a long submission interrupted at the same time.
  private static let nested = 4
  /// The most submissions of a batch that interrupts another one.
  private static let mostBetween = 64
  /// Reports that are stored together. Between them the disk is looked at.
  private static let part = 1_000

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
  ///   - limits: What is taken of a submission whose sender showed no token.
  ///   - width: How many threads work.
  ///   - slice: How long submissions of an app are filed before it is another's turn.
  /// - Throws: `FileError` when no other worker could see that this one lives; `ScrubError` for
  ///   rules of the home that cannot be understood.
  public init(
    from queue: IntakeQueue, of server: ServerStore, into store: CrashStore, signer: Signer,
    limits: SubmissionLimits = SubmissionLimits(), width: Int = Workers.processorCount,
    slice: Duration = .seconds(2)
  ) throws {
    self.limits = limits
    self.slice = slice
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
    if !postponed.isEmpty, (try? queue.admitMore()) != nil { postponed = [] }
    let taken = try queue.next(
      for: lease, finishing: done, atMost: most, excluding: postponed)
    done = []
    do {
      let (finished, left) = try file(taken, &progress)
      done = finished
      most = left > 0 ? max(finished.count, Self.least) : min(most * 2, Self.most)
    } catch {
      owed += taken
      isOwedTooLarge = false
      if !(error is IntakeError), case .noRoom? = StorageCause(of: error) {
        isOwedTooLarge = taken.count == 1
        most = max(1, taken.count / 2)
      }
      try? giveBack()
      throw error
    }
    try Quarantine(queue, in: store).trim()
    if try store.reports.waitingCount() > 0 {
      let start = ContinuousClock.now
      progress.reprocessed = try LateSymbols(
        in: store, signer: signer, width: width, counting: cacheUse
      ).run(until: { start.duration(to: .now) >= slice })
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
    /// Reports and refused files in it.
    var held = 0
    /// Bytes that came out of it.
    var bytes = 0

    func finished(_ record: QueuedRecord) -> FinishedRecord {
      FinishedRecord(
        record, isNew: isNew, work: Int(clamping: Int64(work / .microseconds(1))),
        ignored: ignored, verdict: verdict, charge: charge(for: record))
    }

    /// What is charged to whoever sent it: what it held beyond the one report that was counted.
    private func charge(for record: QueuedRecord) -> IntakeCharge? {
      guard let client = record.record.facts[IntakeFact.client] else { return nil }
      let charge = IntakeCharge(
        client: client, app: record.record.facts[IntakeFact.share] ?? "",
        reports: max(0, held - 1), bytes: max(0, bytes - record.record.body.count))
      return charge.reports > 0 || charge.bytes > 0 ? charge : nil
    }
  }

  /// How long submissions of an app are filed.
  private struct Slice {
    let length: Duration
    private var start = ContinuousClock.now
    /// Whether it was over once: no further submission is begun.
    private var wasOver = false

    init(_ length: Duration) { self.length = length }

    mutating func isOver() -> Bool {
      guard start.duration(to: .now) >= length else { return wasOver }
      wasOver = true
      return true
    }

    /// Whether others may go on now; it begins anew then.
    mutating func mayInterrupt() -> Bool {
      guard start.duration(to: .now) >= length else { return false }
      wasOver = true
      return true
    }

    mutating func restart() { start = .now }
  }

  /// Files submissions, those of an app together, each app for a time. What is left goes back to the queue.
  ///
  /// - Returns: Those that were filed, and how many are left.
  private func file(
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
    let level = unbegun.count
    unbegun.append(records)
    defer { unbegun.removeLast() }
    for (turn, records) in byTurn {
      // They were given back when a long submission let others go.
      if unbegun[level].isEmpty { break }
      unbegun[level].removeFirst(records.count)
      turns.append(turn)
      defer { turns.removeLast() }
      do {
        let filings = try fileTurn(records, &progress)
        try eraseStored(Array(records.prefix(filings.count)))
        finished += zip(records, filings).map { $1.finished($0) }
        try queue.giveBack(Array(records.dropFirst(filings.count)))
      } catch let error as IntakeError {
        // Below its half nothing is stored, whoever it is from.
        guard case .reserve = error, (try? queue.reserve.admitWork()) != nil else { throw error }
        // Others need less room, and what is there is theirs.
        postponed.insert(turn)
        try queue.giveBack(records)
      }
    }
    progress.submissions += finished.count
    return (finished, records.count - finished.count)
  }

  /// Files the first of the submissions of a turn, as many as there is time for.
  ///
  /// - Returns: The outcomes of those that were filed, in order.
  private func fileTurn(
    _ records: [QueuedRecord], _ progress: inout Progress
  ) throws -> [Filing] {
    var slice = Slice(self.slice)
    var filings: [Filing] = []
    var rest = records[...]
    while let first = rest.first, filings.isEmpty || !slice.isOver() {
      switch first.record.route {
      case IntakeProtocol.reports:
        let same = rest.prefix {
          $0.record.route == IntakeProtocol.reports
            && $0.record.facts[IntakeFact.app] == first.record.facts[IntakeFact.app]
        }
        let done = try file(
          Array(same), app: first.record.facts[IntakeFact.app], &slice, &progress)
        filings += done
        if done.count < same.count { return filings }
        rest = rest.dropFirst(done.count)
        continue
      case IntakeProtocol.appCenter: filings.append(try fileLogs(first, &progress))
      default:
        // Of a newer program, before this one was put in its place.
        try quarantined(first, "unknown intake protocol '\(first.record.route)'", &progress)
        filings.append(Filing())
      }
      rest = rest.dropFirst()
    }
    return filings
  }

  /// Lets submissions of other apps go on before a long one does.
  private func letOthersGo(_ progress: inout Progress) {
    guard turns.count <= Self.nested else { return }
    do {
      // What was taken with the long one comes first, too.
      for level in unbegun.indices where !unbegun[level].isEmpty {
        try queue.giveBack(unbegun[level])
        unbegun[level] = []
      }
      let taken = try queue.next(
        for: lease, atMost: Self.mostBetween, excluding: postponed.union(turns))
      guard !taken.isEmpty else { return }
      do {
        let (finished, _) = try file(taken, &progress)
        _ = try queue.next(for: lease, finishing: finished, atMost: 0)
      } catch {
        // They are tried again in a turn of their own, which has the error.
        owed += taken
        isOwedTooLarge = false
      }
    } catch {
      // The same holds here.
    }
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
      let outcome = try intake.file(
        body, appSecret: facts[IntakeFact.secret] ?? "", installID: facts[IntakeFact.install],
        received: record.record.received)
      progress.reports += outcome.receipt.reports.count
      filing.held = outcome.receipt.reports.count
      filing.bytes = body.count
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

  /// Files reports and archives of reports of one app, as many as there is time for.
  ///
  /// - Returns: The outcomes of those that were filed, in order.
  private func file(
    _ records: [QueuedRecord], app: String?, _ slice: inout Slice, _ progress: inout Progress
  ) throws -> [Filing] {
    let arrivals = try store.debugFiles.arrivals()
    let processor = ReportProcessor(
      symbolicators: try symbolicators(seeing: arrivals).choice, signers: signers,
      scrubber: scrubber,
      app: app)
    let areOfTokens = records.map { $0.record.facts[IntakeFact.trust] == IntakeFact.token }
    let limits = areOfTokens.map { $0 ? SubmissionLimits.ofTokens : self.limits }
    let ingest = Ingest(
      into: store, processor: processor, app: app, arrivals: arrivals, width: width,
      isLimited: true, part: Self.part
    ) { limits[$0].reports }
    var accepted = Backlog()
    var written: UInt64 = 0
    var brought = 0
    let times = records.map(\.record.received)
    var outcomes: [[FileOutcome]] = Array(repeating: [], count: records.count)
    var filings: [Filing] = Array(repeating: Filing(), count: records.count)
    var events = IngestEvents()
    events.became = { outcomes[$0].append($1) }
    events.worked = { filings[$0].work += $1 }
    events.wasNew = { filings[$0].isNew = true }
    events.stored = { filings[$0].verdict.stored.append(.init(app: $1, digest: SHA256.hex($2))) }
    events.counted = { filings[$0].verdict.count(in: $2, of: $1) }
    events.refused = {
      filings[$0].verdict.refused.append(.init(file: $1, reason: $2))
      filings[$0].held += 1
    }
    events.read = { filings[$0].held += $1 }
    events.storing = { [queue] reports, bytes in
      written = try queue.admitPart(reports: reports, bytes: bytes, after: written, of: accepted)
    }
    let result = try ingest.run(
      received: times.first ?? Timestamp(seconds: 0), events: events, arrival: { times[$0] }
    ) { bring in
      func interrupt() {
        guard slice.mayInterrupt() else { return }
        letOthersGo(&progress)
        slice.restart()
      }
      for (index, record) in records.enumerated() {
        if index > 0, slice.isOver() { return }
        brought += 1
        accepted += Backlog(count: 1, bytes: record.record.body.count)
        let walker = InputWalker(
          limits: limits[index].input(isOfToken: areOfTokens[index], report: queue.limits.report))
        let name = scrubber.scrub(
          record.record.facts[IntakeFact.name] ?? "submission \(record.id)")
        let step = walker.read(
          record.record.body, named: name, ordinal: index, progress: interrupt
        ) { file in
          filings[index].bytes += file.byteCount
          interrupt()
          return bring(file)
        }
        if step == .stop { return }
      }
    }
    progress.reports += result.reports
    for (record, outcomes) in zip(records.prefix(brought), outcomes) {
      let reasons = outcomes.compactMap { outcome in
        if case .refused(let reason, _) = outcome { reason } else { nil }
      }
      if reasons.count == outcomes.count {
        try quarantined(
          record, reasons.first ?? "it is empty", isCounted: !reasons.isEmpty, &progress)
      }
    }
    return Array(filings.prefix(brought))
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
