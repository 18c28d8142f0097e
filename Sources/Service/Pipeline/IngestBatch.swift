internal import CrashInput
internal import CrashModel
internal import CrashStore

/// The current batch, and the result so far.
final class IngestBatch {
  /// The maximum number of submissions of a batch, with one sync of the disk.
  private static let limit = 4096

  /// The number of reports at which the batch is full.
  private let part: Int
  private let limit: (_ ordinal: Int, _ archive: InputFile.Archive?) -> ReportLimit?
  /// The last file, and the number of its reports so far.
  private var current = (ordinal: -1, reports: 0)
  private var waitingReports = 0
  private let store: CrashStore
  private let app: String?
  private let received: Timestamp
  private let isLimited: Bool
  private let arrival: (_ ordinal: Int) -> Timestamp
  private var waiting: [PreparedSubmission] = []
  /// The ``InputFile/ordinal`` of each of ``waiting``.
  private var ordinals: [Int] = []
  /// The index among all files of the one that each of ``waiting`` came in.
  private var places: [Int] = []
  /// The last of ``places`` that is counted in the result.
  private var counted = 0
  private var waitingBytes = 0
  private var refusals: [Refusal] = []
  /// Files whose bytes were stored before.
  private var known = (count: 0, bytes: 0)
  /// The ``InputFile/ordinal`` of files that were stored by a process that was stopped.
  private var again: [Int] = []
  /// Attachments for the only report, which is stored at the end.
  private let attachments: [PreparedAttachment]
  private let events: IngestEvents
  private var queue = AttachmentQueue()
  private var late: [LateAttachments] = []
  /// The ``InputFile/ordinal`` of each of ``late``.
  private var lateOrdinals: [Int] = []
  private var groups: [String: Int] = [:]
  private(set) var result = IngestResult()
  /// The number of files and archive members so far.
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

  /// Returns the file as refused if the limit of its reports is reached.
  func refusal(of file: InputFile) -> InputFile? {
    guard current.ordinal == file.ordinal, case .success = file.content,
      let limit = limit(file.ordinal, file.archive), current.reports >= limit.most
    else { return nil }
    return InputFile(
      path: file.path, content: .failure(.limit(limit.reason)), ordinal: file.ordinal,
      companion: file.companion, isMember: file.isMember, archive: file.archive,
      part: file.part)
  }

  /// Leaves out reports beyond the limit of the file with an ordinal.
  ///
  /// - Returns: `nil` if nothing is left.
  private func limited(
    _ submissions: [PreparedSubmission], of outcome: Ingest.Outcome
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

  /// Adds an attachment to its report, which may be stored already, be in this batch, or not have arrived.
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
    // With attachments for one report, all files are examined before anything is stored.
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
      // A file is a duplicate if everything in it was known.
      var isNew: [Int: Bool] = [:]
      for (place, receipt) in zip(places, receipts) {
        isNew[place] = isNew[place] == true || !receipt.isDuplicate
      }
      // Parts of a long log may have been stored with the batch before.
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
