public import CrashInput
internal import Bytes
public import CrashModel
public import CrashStore
internal import Hashing
internal import ReportDocument
internal import ReportFormats
internal import Scrubbing
public import Workers

/// Everything below some paths, stored in a store: the four steps, for many files.
///
/// Files are taken in batches, each of which is on disk as a whole or not at all. Stopped at any
/// instant and run again, the end is the same as without the stop: bytes that were stored before
/// count no second time.
public struct Ingest {
  private let store: CrashStore
  private let processor: ReportProcessor
  private let app: String?
  private let arrivals: Int
  private let width: Int
  private let isLimited: Bool
  private let part: Int
  private let limit: @Sendable (_ ordinal: Int, _ archive: InputFile.Archive?) -> ReportLimit?

  /// Reports that are stored together: one sync of the disk for all of them.
  private static let part = 4_096

  /// - Parameters:
  ///   - app: The app that every report belongs to; without one, each report names its own.
  ///   - arrivals: What ``CrashStore/DebugFiles/arrivals()`` was before the processor was made;
  ///     reports that could use a debug file that came later are reprocessed by ``LateSymbols``.
  ///   - width: How many threads work.
  ///   - isLimited: Whether reports beyond the daily limit of their group are only counted: those that
  ///     programs send, and not those that a person hands over.
  ///   - part: About how many reports are stored together.
  ///   - mostReports: How many reports are stored of the file with an ordinal, all members of an archive
  ///     together; without it, as many as
  ///     its archive may have.
  public init(
    into store: CrashStore, processor: ReportProcessor, app: String? = nil,
    arrivals: Int = 0, width: Int = Workers.processorCount, isLimited: Bool = false,
    part: Int? = nil, mostReports: (@Sendable (_ ordinal: Int) -> Int)? = nil
  ) {
    self.isLimited = isLimited
    self.part = part ?? Self.part
    limit = { ordinal, archive in
      if let mostReports { return ReportLimit(ofSubmission: mostReports(ordinal)) }
      return archive.map { ReportLimit(of: $0) }
    }
    self.store = store
    self.processor = processor
    self.app = app
    self.arrivals = arrivals
    self.width = width
  }

  /// - Parameters:
  ///   - paths: Files, folders and archives; `-` is standard input.
  ///   - walker: What reads them, with its limits.
  ///   - received: The time that is noted for all of them.
  ///   - attachments: Files for the one report that is there.
  ///   - progress: Told after each file how many are done.
  /// - Throws: The store's error, such as of a full disk; what was stored before it stays stored.
  ///   ``IngestError`` when there are attachments and not one report; nothing is stored then.
  public func run(
    _ paths: [String], walker: InputWalker = InputWalker(), received: Timestamp,
    attaching attachments: [PreparedAttachment] = [],
    progress: @escaping (_ files: Int) -> Void = { _ in }
  ) throws -> IngestResult {
    try run(received: received, attaching: attachments, progress: progress) {
      walker.walk(paths, body: $0)
    }
  }

  /// Files what `source` brings, for input that lies in no folder.
  ///
  /// - Parameters:
  ///   - received: The time that is noted, unless `arrival` gives another one.
  ///   - events: Told what becomes of each file and member; it is on the disk when this returns.
  ///   - arrival: When the file with an ordinal came in.
  ///   - source: Hands each file to its argument, in order, until that says to stop.
  /// - Throws: As the other.
  public func run(
    received: Timestamp, attaching attachments: [PreparedAttachment] = [],
    progress: @escaping (_ files: Int) -> Void = { _ in },
    events: IngestEvents = IngestEvents(),
    arrival: (@Sendable (_ ordinal: Int) -> Timestamp)? = nil,
    source: (_ bring: (InputFile) -> InputStep) -> Void
  ) throws -> IngestResult {
    let received = received.wholeMicroseconds
    let batch = IngestBatch(
      store: store, app: app, received: received, isLimited: isLimited, attachments: attachments,
      events: events, part: part, limit: limit
    ) { arrival?($0).wholeMicroseconds ?? received }
    // A report that is known is read all the same, to see that it is one.
    let knownApp = attachments.isEmpty ? app : nil
    let stream = WorkStream<InputFile, Outcome>(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight
    ) {
      [store, processor, arrivals, limit, isAppGiven = app != nil] file in
      let start = ContinuousClock.now
      var outcome = Outcome(
        of: file, by: processor, app: knownApp, knownTo: store,
        received: arrival?(file.ordinal).wholeMicroseconds ?? received,
        isAppGiven: isAppGiven, arrivals: arrivals, limit: limit(file.ordinal, file.archive))
      outcome.work = start.duration(to: .now)
      return outcome
    } consume: { outcome in
      batch.add(outcome)
      progress(batch.met)
    }
    source { file in
      // What is too much is not read at all.
      let file = batch.refusal(of: file) ?? file
      stream.bring(file, weight: file.byteCount)
      return batch.error == nil ? .next : .stop
    }
    stream.finish()
    batch.finish()
    if let error = batch.error { throw error }
    return batch.result
  }
}

extension Ingest {
  /// The outcome of one file.
  struct Outcome: Sendable {
    enum Content: Sendable {
      case prepared([PreparedSubmission])
      /// Stored before, by another run; whether as this very submission, as ``Receipt/isAgain``.
      case known(isAgain: Bool, reports: Int)
      case refused(String, RefusedFile.Kind)
      /// A file for the report that its companion names; what it is refused for when that is none.
      case attachment(PreparedAttachment, of: Companion, otherwise: String)
      case failed(any Error)
    }

    let source: String
    /// As ``InputFile/ordinal``.
    let ordinal: Int
    let digest: [UInt8]
    let byteCount: Int
    let isMember: Bool
    let part: InputFile.Part
    let limit: ReportLimit?
    let content: Content
    /// How long it took to become so.
    var work = Duration.zero

    init(
      of file: InputFile, by processor: ReportProcessor, app: String?, knownTo store: CrashStore,
      received: Timestamp, isAppGiven: Bool, arrivals: Int, limit: ReportLimit?
    ) {
      source = file.path
      self.limit = limit
      byteCount = file.byteCount
      ordinal = file.ordinal
      isMember = file.isMember
      part = file.part
      if let companion = file.companion, companion.isAttachment {
        digest = []
        content = Self.attachment(
          file.content, companion, processor,
          otherwise: "an attachment of \(companion.owner), which contained no report")
        return
      }
      switch file.content {
      case .failure(let error):
        digest = []
        content = .refused(error.description, error.kind)
      case .success(let came):
        let bytes = processor.scrubber?.submission(came) ?? came
        let digest = SHA256.digest(of: bytes)
        self.digest = digest
        do {
          if let app, try store.reports.hasSubmission(digest: digest, app: app) {
            let isAgain =
              try store.reports.arrival(ofSubmission: digest, app: app) == received
            content = .known(
              isAgain: isAgain,
              // A worker that was killed has stored them, and they count towards the limit; so do those of an
              // archive that is handed over again.
              reports: limit.map { $0.isOfArchive || isAgain } ?? false
                ? try store.reports.list(ofSubmission: SHA256.hex(digest), app: app).count : 0)
          } else {
            content = .prepared(
              try Self.prepared(
                bytes, digest: digest, by: processor, source: source, received: received,
                isAppGiven: isAppGiven, arrivals: arrivals, limit: limit))
          }
        } catch let error as ParseError {
          if error.kind == .notRecognised, let companion = file.companion {
            content = Self.attachment(
              file.content, companion, processor, otherwise: error.refusal)
            return
          }
          content = .refused(
            error.refusal, error.kind == .notRecognised ? .foreign : .unreadable)
        } catch {
          content = .failed(error)
        }
      }
    }

    private static func attachment(
      _ content: Result<ByteView, InputError>, _ companion: Companion,
      _ processor: ReportProcessor, otherwise: String
    ) -> Content {
      do {
        let bytes = try content.get()
        let scrubber = processor.scrubber
        let attachment = try PreparedAttachment(
          scrubber?.scrub(companion.name) ?? companion.name,
          scrubber?.scrub(file: bytes) ?? bytes)
        return .attachment(attachment, of: companion, otherwise: otherwise)
      } catch let error as InputError {
        return .refused(error.description, .unreadable)
      } catch let error as StoreError {
        return .refused(error.description, .unreadable)
      } catch {
        return .failed(error)
      }
    }

    /// The submission, once for each app whose reports it holds.
    private static func prepared(
      _ bytes: ByteView, digest: [UInt8], by processor: ReportProcessor, source: String,
      received: Timestamp, isAppGiven: Bool, arrivals: Int, limit: ReportLimit?
    ) throws -> [PreparedSubmission] {
      var apps: [(name: String, reports: [(report: CrashReport, document: ByteView)])] = []
      let (reports, more) = try processor.process(bytes, atMost: limit?.most ?? .max)
      for (processed, id) in zip(reports, reports.ids(digest: digest)) {
        let index = apps.firstIndex { $0.name == processed.app } ?? apps.endIndex
        if index == apps.endIndex { apps.append((processed.app, [])) }
        let document = processed.report.document(id: id, received: received)
        apps[index].reports.append((processed.report, ByteView(document)))
      }
      var prepared = try apps.map { app in
        try PreparedSubmission(
          Submission(
            bytes: bytes, source: source, received: received, app: app.name,
            isAppGiven: isAppGiven),
          reports: app.reports, arrivals: arrivals)
      }
      if let limit, let last = prepared.indices.last {
        prepared[last].leaveOut(more, because: limit.reason)
      }
      return prepared
    }
  }
}

/// The batch that is being filled, and what was done so far.
private final class IngestBatch {
  /// A batch ends at this many submissions: one sync of the disk for all of them.
  private static let limit = 4096

  /// Reports with which the batch is full.
  private let part: Int
  private let limit: (_ ordinal: Int, _ archive: InputFile.Archive?) -> ReportLimit?
  /// The file that came last, and how many reports it has so far.
  private var current = (ordinal: -1, reports: 0)
  private var waitingReports = 0
  private let store: CrashStore
  private let app: String?
  private let received: Timestamp
  private let isLimited: Bool
  private let arrival: (_ ordinal: Int) -> Timestamp
  private var waiting: [PreparedSubmission] = []
  /// As ``InputFile/ordinal``, of each of ``waiting``.
  private var ordinals: [Int] = []
  /// Which file each of ``waiting`` came in: its place among all.
  private var places: [Int] = []
  /// The last of ``places`` that is counted in the result.
  private var counted = 0
  private var waitingBytes = 0
  private var refusals: [Refusal] = []
  /// Files whose bytes were stored before.
  private var known = (count: 0, bytes: 0)
  /// As ``InputFile/ordinal``, of those that were stored by a process that was stopped.
  private var again: [Int] = []
  /// For the one report that is there; it is stored at the end.
  private let attachments: [PreparedAttachment]
  private let events: IngestEvents
  private var queue = AttachmentQueue()
  private var late: [LateAttachments] = []
  /// As ``InputFile/ordinal``, of each of ``late``.
  private var lateOrdinals: [Int] = []
  private var groups: [String: Int] = [:]
  private(set) var result = IngestResult()
  /// Files and archive members so far.
  private(set) var met = 0
  private var log = DividedLog()
  private(set) var error: (any Error)?

  init(
    store: CrashStore, app: String?, received: Timestamp, isLimited: Bool,
    attachments: [PreparedAttachment], events: IngestEvents, part: Int,
    limit: @escaping (_ ordinal: Int, _ archive: InputFile.Archive?) -> ReportLimit?,
    arrival: @escaping (_ ordinal: Int) -> Timestamp
  ) {
    self.events = events
    self.part = part
    self.limit = limit
    self.arrival = arrival
    self.attachments = attachments
    self.store = store
    self.app = app
    self.received = received
    self.isLimited = isLimited
  }

  /// The file as one that is refused, if as many reports were read with it as may be.
  func refusal(of file: InputFile) -> InputFile? {
    guard current.ordinal == file.ordinal, case .success = file.content,
      let limit = limit(file.ordinal, file.archive), current.reports >= limit.most
    else { return nil }
    return InputFile(
      path: file.path, content: .failure(.limit(limit.reason)), ordinal: file.ordinal,
      companion: file.companion, isMember: file.isMember, archive: file.archive,
      part: file.part)
  }

  /// Leaves out what is more than may be stored of the file with an ordinal.
  ///
  /// - Returns: `nil` where that is everything.
  private func limited(
    _ submissions: [PreparedSubmission], of outcome: Ingest.Outcome
  ) -> [PreparedSubmission]? {
    guard let limit = outcome.limit else { return submissions }
    if current.ordinal != outcome.ordinal { current = (outcome.ordinal, 0) }
    var kept: [PreparedSubmission] = []
    var left = limit.most - current.reports
    for var submission in submissions {
      guard left > 0 else {
        // Of several apps in one file the last ones.
        if let last = kept.indices.last {
          kept[last].leaveOut(submission.reportCount, because: limit.reason)
        }
        continue
      }
      submission.keep(reports: left, because: limit.reason)
      left -= submission.reportCount
      current.reports += submission.reportCount
      kept.append(submission)
    }
    return kept.isEmpty ? nil : kept
  }

  func add(_ outcome: Ingest.Outcome) {
    guard error == nil else { return }
    events.worked(outcome.ordinal, outcome.work)
    if let refused = log.begin(outcome.part) { refuse(refused) }
    if outcome.part != .further { met += 1 }
    if outcome.isMember { result.files.inArchives += 1 }
    if case .attachment(let attachment, let companion, let reason) = outcome.content {
      return add(attachment, of: companion, from: outcome, otherwise: reason)
    }
    switch outcome.content {
    case .known(let isAgain, let reports):
      if current.ordinal != outcome.ordinal { current = (outcome.ordinal, 0) }
      current.reports += reports
      events.read(outcome.ordinal, 1)
      events.became(outcome.ordinal, .stored)
      if log.countDuplicate() { result.files.duplicates += 1 }
      known.count += 1
      known.bytes += outcome.byteCount
      if isAgain { again.append(outcome.ordinal) }
      if let app { events.stored(outcome.ordinal, app, outcome.digest) }
      if let app { note(outcome, [AttachmentQueue.Owner(digest: outcome.digest, app: app)]) }
    case .failed(let error): self.error = error
    case .refused(let reason, let kind):
      events.became(outcome.ordinal, .refused(reason, isForeign: kind != .unreadable))
      events.refused(outcome.ordinal, outcome.source, reason)
      if outcome.part != .whole, kind == .foreign {
        log.refuse(RefusedFile(source: outcome.source, reason: reason, kind: kind))
      } else {
        refuse(
          outcome.source, reason, digest: outcome.digest, byteCount: outcome.byteCount, kind)
      }
    case .attachment: break
    case .prepared(let all):
      guard let submissions = limited(all, of: outcome) else {
        let reason = outcome.limit?.reason ?? ""
        events.became(outcome.ordinal, .refused(reason, isForeign: false))
        events.refused(outcome.ordinal, outcome.source, reason)
        return refuse(
          outcome.source, reason, digest: outcome.digest, byteCount: outcome.byteCount, .unreadable)
      }
      events.read(outcome.ordinal, submissions.reduce(0) { $0 + $1.reportCount })
      for left in submissions.compactMap(\.leftOutText) {
        events.refused(outcome.ordinal, outcome.source, left)
      }
      _ = log.countReports()
      events.became(outcome.ordinal, .stored)
      for submission in submissions {
        events.stored(outcome.ordinal, submission.app, submission.digest)
      }
      waiting += submissions
      ordinals += submissions.map { _ in outcome.ordinal }
      places += submissions.map { _ in met }
      waitingBytes += submissions.reduce(0) { $0 + $1.packedCount }
      waitingReports += submissions.reduce(0) { $0 + $1.reportCount }
      note(outcome, submissions.map { AttachmentQueue.Owner(digest: $0.digest, app: $0.app) })
      if !attachments.isEmpty, waiting.reduce(0, { $0 + $1.reportCount }) > 1 {
        error = IngestError.severalReports(outcome.source)
      }
      flushIfFull()
    }
  }

  /// Hands an attachment to its report, which may have been stored, be about to be, or not have
  /// come.
  private func add(
    _ attachment: PreparedAttachment, of companion: Companion, from outcome: Ingest.Outcome,
    otherwise reason: String
  ) {
    let source = outcome.source
    if let owners = queue.owners(of: companion.owner) {
      result.files.attachments += 1
      events.became(outcome.ordinal, .attached)
      for owner in owners { add(attachment, to: owner, from: outcome.ordinal) }
      return flushIfFull()
    }
    let orphan = AttachmentQueue.Orphan(
      attachment: attachment, source: source, ordinal: outcome.ordinal, reason: reason)
    if companion.isAttachment, queue.wait(for: companion.owner, orphan) { return }
    events.became(outcome.ordinal, .refused(reason, isForeign: true))
    events.refused(outcome.ordinal, source, reason)
    refuse(source, reason, digest: [], .foreign)
  }

  private func add(
    _ attachment: PreparedAttachment, to owner: AttachmentQueue.Owner, from ordinal: Int
  ) {
    waitingBytes += attachment.packedCount
    let index = waiting.lastIndex { $0.digest == owner.digest && $0.app == owner.app }
    if let index {
      waiting[index].attach(attachment)
    } else {
      late.append(
        LateAttachments(
          submission: owner.digest, app: owner.app, attachments: [attachment],
          received: arrival(ordinal)))
      lateOrdinals.append(ordinal)
    }
  }

  private func note(_ outcome: Ingest.Outcome, _ owners: [AttachmentQueue.Owner]) {
    for orphan in queue.note(outcome.source, owners) {
      events.became(orphan.ordinal, .attached)
      result.files.attachments += 1
      for owner in owners { add(orphan.attachment, to: owner, from: orphan.ordinal) }
    }
  }

  private func refuse(
    _ source: String, _ reason: String, digest: [UInt8], byteCount: Int = 0,
    _ kind: RefusedFile.Kind
  ) {
    result.files.count(kind)
    result.refused.append(RefusedFile(source: source, reason: reason, kind: kind))
    refusals.append(
      Refusal(source: source, reason: reason, digest: digest, byteCount: byteCount))
  }

  private func refuse(_ file: RefusedFile) {
    refuse(file.source, file.reason, digest: [], file.kind)
  }

  private func flushIfFull() {
    // With attachments for one report, all is looked at before anything is stored.
    guard attachments.isEmpty else { return }
    if waiting.count >= Self.limit || waitingReports >= part
      || waitingBytes >= PipelineLimits.bytesInBatch
    {
      flush()
    }
  }

  func finish() {
    guard error == nil else { return }
    if let refused = log.begin(.whole) { refuse(refused) }
    if !attachments.isEmpty {
      guard let only = waiting.indices.first else {
        error = IngestError.noReportToAttachTo
        return
      }
      for attachment in attachments { waiting[only].attach(attachment) }
    }
    for orphan in queue.takeOrphans() {
      events.became(orphan.ordinal, .refused(orphan.reason, isForeign: true))
      events.refused(orphan.ordinal, orphan.source, orphan.reason)
      refuse(orphan.source, orphan.reason, digest: [], .foreign)
    }
    flush()
  }

  private func flush() {
    guard error == nil else { return }
    do {
      try events.storing(waitingReports, waitingBytes)
      let receipts = waiting.isEmpty ? [] : try store.reports.add(waiting, isLimited: isLimited)
      let attached = try store.attachments.add(late)
      if !refusals.isEmpty { try store.ledger.refuse(refusals, app: app, time: received) }
      if let app, known.count > 0 {
        try store.ledger.countDuplicates(known.count, bytes: known.bytes, app: app, time: received)
      }
      // A file is a duplicate when all that it held was there before.
      var isNew: [Int: Bool] = [:]
      for (place, receipt) in zip(places, receipts) {
        isNew[place] = isNew[place] == true || !receipt.isDuplicate
      }
      // Of a long log, parts may have been stored with the batch before.
      isNew[counted] = nil
      counted = places.last ?? counted
      result.files.withReports += isNew.values.count { $0 }
      result.files.duplicates += isNew.values.count { !$0 }
      for (index, receipt) in receipts.enumerated() {
        for report in receipt.reports where report.isCounted {
          events.counted(ordinals[index], waiting[index].app, report.group)
        }
        count(receipt)
        count(receipt.attachments)
        if !receipt.isDuplicate || receipt.isAgain || receipt.attachments.isNew {
          events.wasNew(ordinals[index])
        }
      }
      for (ordinal, receipt) in zip(lateOrdinals, attached) {
        count(receipt)
        if receipt.isNew { events.wasNew(ordinal) }
      }
      for ordinal in again { events.wasNew(ordinal) }
      waiting.removeAll()
      ordinals.removeAll()
      places.removeAll()
      lateOrdinals.removeAll()
      waitingBytes = 0
      waitingReports = 0
      late.removeAll()
      refusals.removeAll()
      known = (0, 0)
      again.removeAll()
    } catch {
      self.error = error
    }
  }

  private func count(_ receipt: AttachmentReceipt) {
    result.attachments += receipt.added
    for left in receipt.leftOut {
      result.refused.append(
        RefusedFile(source: "attachment \(left.name)", reason: left.reason))
    }
  }

  private func count(_ receipt: Receipt) {
    if receipt.isDuplicate { return }
    result.submissions += 1
    for stored in receipt.reports {
      result.reports += 1
      let index = groups[stored.group] ?? result.groups.count
      if index == result.groups.count {
        groups[stored.group] = index
        result.groups.append((stored.group, 0, false, false))
      }
      result.groups[index].reports += 1
      if stored.isNewGroup { result.groups[index].isNew = true }
      if stored.isRegression { result.groups[index].isRegressed = true }
    }
  }
}
