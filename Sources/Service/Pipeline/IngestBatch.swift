internal import CrashInput
internal import CrashStore
internal import Identifiers
internal import Workers

/// The current batch, and the result so far.
///
/// Files wait in order until the batch is full. Then all of it is written with one sync of the disk, on a
/// thread of its own while the next batch fills, and the result of each file is handed over. A file with
/// nothing to write is handed over at once if no other waits.
final class IngestBatch {
  /// A file of the batch.
  private struct WaitingFile: Sendable {
    var result: FileResult
    /// The index among all files; parts of a log share it.
    let index: Int
    var submissions: [PreparedSubmission] = []
    /// Attachments of submissions that are not in the batch.
    var late: [LateAttachments] = []

    var hasContent: Bool { !submissions.isEmpty || !late.isEmpty }
  }

  /// The amount of data in the batch.
  private struct Load {
    var submissions = 0
    var reports = 0
    /// Compressed bytes.
    var bytes = 0
    /// The approximate bytes of memory.
    var held = 0
  }

  /// The maximum number of files of a batch, most of which have nothing to write.
  private static let limit = 4096

  /// The number of reports at which the batch is full.
  private let part: Int
  private let limit: (_ ordinal: Int, _ archive: InputFile.Archive?) -> ReportLimit?
  /// The last file, and the number of its reports so far.
  private var current = (ordinal: -1, reports: 0)
  private let store: CrashStore
  private let app: String?
  private let received: Timestamp
  private let isLimited: Bool
  private let arrival: (_ ordinal: Int) -> Timestamp
  private var progress: OutcomeCounts
  private var waiting: [WaitingFile] = []
  private var load = Load()
  /// The batch before, which is being written.
  private var written: (files: [WaitingFile], receipts: Background<WriteResult>)?
  private typealias WriteResult = Result<IngestedFiles.Receipts, any Error>
  /// The ``WaitingFile/index`` of the last file that is counted in the result.
  private var counted = 0
  private var refusals: [Refusal] = []
  /// Files whose bytes were stored before.
  private var known = (count: 0, bytes: 0)
  /// Attachments for the only report, which is stored at the end.
  private let attachments: [PreparedAttachment]
  private let storing: (_ reports: Int, _ bytes: Int) throws -> Void
  private let onResult: (FileResult) -> Void
  private var queue = AttachmentQueue()
  private var groups: [String: Int] = [:]
  private(set) var result = IngestResult()
  /// The number of files and archive members so far.
  private(set) var met = 0
  private var log = ChunkedLog()
  /// The ordinal of the file that ``log`` is, or is in.
  private var lastOrdinal = 0
  private(set) var error: (any Error)?

  init(
    store: CrashStore, app: String?, received: Timestamp, isLimited: Bool,
    attachments: [PreparedAttachment], part: Int,
    limit: @escaping (_ ordinal: Int, _ archive: InputFile.Archive?) -> ReportLimit?,
    arrival: @escaping (_ ordinal: Int) -> Timestamp,
    before: ((_ ordinal: Int) -> IntakeProgress)?,
    storing: @escaping (_ reports: Int, _ bytes: Int) throws -> Void,
    onResult: @escaping (FileResult) -> Void
  ) {
    self.storing = storing
    self.onResult = onResult
    self.part = part
    self.limit = limit
    self.arrival = arrival
    progress = OutcomeCounts(before: before)
    self.attachments = attachments
    self.store = store
    self.app = app
    self.received = received
    self.isLimited = isLimited
  }

  /// Returns the file as refused if the limit of its reports is reached.
  func refusal(of file: InputFile) -> InputFile? {
    guard current.ordinal == file.ordinal, case .success = file.content,
      let limit = limit(file.ordinal, file.archive), current.reports >= limit.most
    else { return nil }
    return InputFile(
      path: file.path, content: .failure(.limit(limit.reason)), ordinal: file.ordinal,
      companion: file.companion, isMember: file.isMember, archive: file.archive,
      coverage: file.coverage)
  }

  /// Leaves out reports beyond the limit of the file with an ordinal.
  ///
  /// - Returns: `nil` if nothing is left.
  private func limited(
    _ submissions: [PreparedSubmission], of outcome: Ingest.IngestedFile
  ) -> [PreparedSubmission]? {
    guard let limit = outcome.limit else { return submissions }
    if current.ordinal != outcome.ordinal { current = (outcome.ordinal, 0) }
    var kept: [PreparedSubmission] = []
    var left = limit.most - current.reports
    for var submission in submissions {
      guard left > 0 else {
        // If a file has several apps, the last ones are left out.
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

  // MARK: Adding files

  func add(_ outcome: Ingest.IngestedFile) {
    if written?.receipts.isReady == true { takeReceipts() }
    guard error == nil else { return }
    beginFile(outcome.coverage, of: outcome.ordinal)
    if outcome.coverage != .further { met += 1 }
    if outcome.isMember { result.files.inArchives += 1 }
    switch outcome.content {
    case .prepared(let submissions): add(submissions, from: outcome)
    case .known(let reports): addKnown(outcome, reports: reports)
    case .refused(let reason, let kind): addRefused(outcome, reason, kind)
    case .attachment(let attachment, let companion, let reason):
      add(attachment, of: companion, from: outcome, otherwise: reason)
    case .failed(let error): self.error = error
    }
    flushIfFull()
  }

  private func add(_ all: [PreparedSubmission], from outcome: Ingest.IngestedFile) {
    guard let submissions = limited(all, of: outcome) else {
      return addRefused(outcome, outcome.limit?.reason ?? "", .unreadable)
    }
    _ = log.countReports()
    var file = WaitingFile(result: FileResult(of: outcome, .stored), index: met)
    file.submissions = submissions
    if progress.count(outcome.ordinal) {
      for index in file.submissions.indices { file.submissions[index].isRepeated = true }
    }
    file.result.reportCount = submissions.reduce(0) { $0 + $1.reportCount }
    file.result.leftOut = submissions.compactMap(\.leftOutText)
    file.result.stored = submissions.map { StoredSubmission(digest: $0.digest, app: $0.app) }
    load.submissions += submissions.count
    load.reports += file.result.reportCount
    load.bytes += submissions.reduce(0) { $0 + $1.packedCount }
    load.held += submissions.reduce(0) { $0 + $1.heldBytes }
    append(file)
    attachOrphans(to: file.result)
    if !attachments.isEmpty, load.reports > 1 {
      error = IngestError.severalReports(outcome.source)
    }
  }

  /// Adds a file whose bytes were stored before.
  ///
  /// - Parameter reports: The number of its reports that count towards the limit.
  private func addKnown(_ outcome: Ingest.IngestedFile, reports: Int) {
    if current.ordinal != outcome.ordinal { current = (outcome.ordinal, 0) }
    let isRepeated = progress.count(outcome.ordinal)
    if isRepeated || outcome.limit?.isOfArchive == true { current.reports += reports }
    if log.countDuplicate() { result.files.duplicates += 1 }
    if !isRepeated {
      known.count += 1
      known.bytes += outcome.byteCount
    }
    var file = WaitingFile(result: FileResult(of: outcome, .stored), index: met)
    file.result.reportCount = 1
    if let app { file.result.stored = [StoredSubmission(digest: outcome.digest, app: app)] }
    append(file)
    if app != nil { attachOrphans(to: file.result) }
  }

  private func addRefused(
    _ outcome: Ingest.IngestedFile, _ reason: String, _ kind: RefusedFile.Kind
  ) {
    let result = FileResult(of: outcome, .refused(reason, isForeign: kind != .unreadable))
    append(WaitingFile(result: result, index: met))
    if outcome.coverage != .whole, kind == .foreign {
      log.refuse(RefusedFile(source: outcome.source, reason: reason, kind: kind))
    } else {
      refuse(
        outcome.source, reason, digest: outcome.digest, byteCount: outcome.byteCount, kind,
        of: outcome.ordinal)
    }
  }

  /// Adds an attachment to its report, which may be stored already, be in this batch, or not have arrived.
  private func add(
    _ attachment: PreparedAttachment, of companion: Companion, from outcome: Ingest.IngestedFile,
    otherwise reason: String
  ) {
    let orphan = AttachmentQueue.Orphan(
      attachment: attachment, result: FileResult(of: outcome, .attached), reason: reason)
    if let owners = queue.owners(of: companion.owner) { return attach(orphan, to: owners) }
    if companion.isAttachment, queue.wait(for: companion.owner, orphan) { return }
    refuse(orphan)
  }

  /// Attaches files that waited for the report of a file.
  private func attachOrphans(to file: FileResult) {
    for orphan in queue.note(file.source, file.stored) { attach(orphan, to: file.stored) }
  }

  private func attach(_ orphan: AttachmentQueue.Orphan, to owners: [StoredSubmission]) {
    result.files.attachments += 1
    var file = WaitingFile(result: orphan.result, index: met)
    for owner in owners {
      load.bytes += orphan.attachment.packedCount
      load.held += orphan.attachment.heldBytes
      if !attach(orphan.attachment, toWaiting: owner) {
        var late = LateAttachments(
          submission: owner.digest, app: owner.app, attachments: [orphan.attachment],
          received: arrival(orphan.result.ordinal))
        late.intake = progress.id(orphan.result.ordinal)
        file.late.append(late)
      }
    }
    append(file)
  }

  /// - Returns: Whether the submission is in the batch.
  private func attach(
    _ attachment: PreparedAttachment, toWaiting owner: StoredSubmission
  ) -> Bool {
    guard load.submissions > 0 else { return false }
    for file in waiting.indices.reversed() {
      let index = waiting[file].submissions.lastIndex {
        $0.digest == owner.digest && $0.app == owner.app
      }
      if let index {
        waiting[file].submissions[index].attach(attachment)
        return true
      }
    }
    return false
  }

  private func refuse(_ orphan: AttachmentQueue.Orphan) {
    var file = orphan.result
    file.outcome = .refused(orphan.reason, isForeign: true)
    append(WaitingFile(result: file, index: met))
    refuse(file.source, orphan.reason, digest: [], .foreign, of: file.ordinal)
  }

  private func refuse(
    _ source: String, _ reason: String, digest: [UInt8], byteCount: Int = 0,
    _ kind: RefusedFile.Kind, of ordinal: Int
  ) {
    result.files.count(kind)
    result.refused.append(RefusedFile(source: source, reason: reason, kind: kind))
    var refusal = Refusal(source: source, reason: reason, digest: digest, byteCount: byteCount)
    refusal.isRepeated = progress.count(ordinal)
    refusals.append(refusal)
  }

  /// Refuses the log before a file, or before the end, if none of its parts had a report.
  private func beginFile(_ coverage: InputFile.Coverage, of ordinal: Int) {
    if let refused = log.begin(coverage) {
      refuse(refused.source, refused.reason, digest: [], refused.kind, of: lastOrdinal)
    }
    lastOrdinal = ordinal
  }

  /// Keeps the order of the results.
  private func append(_ file: WaitingFile) {
    if waiting.isEmpty, written == nil, !file.hasContent {
      onResult(file.result)
    } else {
      waiting.append(file)
    }
  }

  // MARK: Writing the batch

  private func flushIfFull() {
    // With attachments for one report, all files are examined before anything is stored.
    guard attachments.isEmpty else { return }
    if waiting.count >= Self.limit || max(load.submissions, load.reports) >= part
      || load.held >= PipelineLimits.bytesInBatch
    {
      flush()
    }
  }

  func finish() {
    takeReceipts()
    guard error == nil else { return }
    beginFile(.whole, of: lastOrdinal)
    if !attachments.isEmpty {
      guard let only = waiting.firstIndex(where: { !$0.submissions.isEmpty }) else {
        error = IngestError.noReportToAttachTo
        return
      }
      for attachment in attachments { waiting[only].submissions[0].attach(attachment) }
    }
    for orphan in queue.takeOrphans() { refuse(orphan) }
    flush()
    takeReceipts()
  }

  /// Begins to write the batch, once the one before is on disk.
  private func flush() {
    takeReceipts()
    guard error == nil else { return }
    do {
      try storing(load.reports, load.bytes)
    } catch {
      self.error = error
      return
    }
    var changes = IngestedFiles()
    changes.app = app
    changes.received = received
    for file in waiting {
      changes.submissions += file.submissions
      if let id = progress.id(file.result.ordinal) {
        changes.origins += file.submissions.map { _ in id }
      }
      changes.late += file.late
    }
    (changes.refusals, changes.known) = (refusals, known)
    changes.progress = progress.take()
    written = (
      waiting,
      Background(isOn: !changes.isEmpty) { [store, isLimited, changes] in
        Result {
          changes.isEmpty ? ([], []) : try store.reports.add(changes, isLimited: isLimited)
        }
      }
    )
    waiting.removeAll()
    load = Load()
    refusals.removeAll()
    known = (0, 0)
  }

  /// Waits for the batch that is being written, and hands over its results.
  private func takeReceipts() {
    guard let (files, receipts) = written else { return }
    written = nil
    switch receipts.value() {
    case .success(let receipts):
      var files = files
      count(receipts.submissions, of: &files)
      count(receipts.attachments, of: &files)
      for file in files { onResult(file.result) }
    case .failure(let error):
      self.error = self.error ?? error
    }
  }

  /// Counts the stored submissions of a batch.
  ///
  /// - Parameter receipts: One for each submission, in their order.
  private func count(_ receipts: [Receipt], of files: inout [WaitingFile]) {
    var rest = receipts[...]
    // A file is a duplicate if everything in it was known.
    var isNew: [Int: Bool] = [:]
    for index in files.indices {
      let file = files[index]
      for (submission, receipt) in zip(file.submissions, rest) {
        isNew[file.index] = isNew[file.index] == true || !receipt.isDuplicate
        files[index].result.add(receipt, app: submission.app)
        count(receipt)
        count(receipt.attachments)
      }
      rest = rest.dropFirst(file.submissions.count)
    }
    // Parts of a long log may have been stored with the batch before.
    isNew[counted] = nil
    counted = files.last { !$0.submissions.isEmpty }?.index ?? counted
    result.files.withReports += isNew.values.count { $0 }
    result.files.duplicates += isNew.values.count { !$0 }
  }

  /// Counts the attachments of submissions that are not in the batch.
  ///
  /// - Parameter receipts: One for each of ``WaitingFile/late``, in their order.
  private func count(_ receipts: [AttachmentReceipt], of files: inout [WaitingFile]) {
    var rest = receipts[...]
    for index in files.indices {
      for receipt in rest.prefix(files[index].late.count) {
        count(receipt)
        if receipt.isNew { files[index].result.isNew = true }
      }
      rest = rest.dropFirst(files[index].late.count)
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
