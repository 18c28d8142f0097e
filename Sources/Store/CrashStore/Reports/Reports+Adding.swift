public import Bytes
public import CrashModel
internal import Database
internal import Identifiers

extension CrashStore.Reports {
  /// Stores one submission with its reports; see ``add(_:)``.
  @discardableResult
  public func add(
    _ submission: Submission, reports: [(report: CrashReport, document: ByteView)] = []
  ) throws -> Receipt {
    let receipts = try add([PreparedSubmission(submission, reports: reports)])
    return receipts[0]
  }

  /// Stores submissions with their reports, all of them or none.
  ///
  /// The same bytes count once for an app, however often they are stored. When this returns, everything is
  /// on disk. One call for many submissions is much faster than one for each.
  ///
  /// - Parameter isLimited: Whether reports beyond the daily limit of their group are only counted. This is
  ///   for reports that programs send, not for those that a person submits.
  /// - Returns: A receipt for each submission, in order.
  /// - Throws: `FileError` or `DatabaseError`, such as on a full disk; nothing was counted then.
  @discardableResult
  public func add(
    _ submissions: [PreparedSubmission], isLimited: Bool = false
  ) throws -> [Receipt] {
    var batch = IngestedFiles()
    batch.submissions = submissions
    return try add(batch, isLimited: isLimited).submissions
  }

  /// Stores everything in a batch, or nothing; see ``add(_:isLimited:)-([PreparedSubmission],_)``.
  public func add(_ batch: IngestedFiles, isLimited: Bool) throws -> IngestedFiles.Receipts {
    guard isLimited else { return try add(batch, isLimited: false, counted: nil) }
    let counted = try store.read { database in
      var limit = DailyLimit(SplitRules(reader: StoredReader(contents: store.contents)))
      try limit.read(batch.submissions, in: database)
      return try batch.submissions.map {
        try limit.counted(of: $0, hasAttachments: !$0.attachments.isEmpty, in: database)
      }
    }
    do {
      return try add(batch, isLimited: true, counted: counted)
    } catch is CountedReportIsNeeded {
      // Its group has changed meanwhile.
      return try add(batch, isLimited: true, counted: nil)
    }
  }

  /// - Parameter counted: For each submission, which of its reports are only counted; `nil` for none.
  private func add(
    _ batch: IngestedFiles, isLimited: Bool, counted: [[Bool]]?
  ) throws -> IngestedFiles.Receipts {
    let submissions = batch.submissions
    let isKnown = try store.read { database in
      var apps = KnownApps()
      let states = try SubmissionStates.read(apps.owned(submissions, in: database), in: database)
      return try submissions.map { submission in
        guard let app = try apps.find(submission.app, in: database),
          let state = states[submission, app.row]
        else { return false }
        return Self.isStored(submission, state)
      }
    }
    var contents: [Content] = []
    for (index, (submission, isKnown)) in zip(submissions, isKnown).enumerated() {
      let counted = counted?[index] ?? []
      if !isKnown { contents += submission.contents(without: counted) }
      if !submission.isOnlyCounted(counted) { contents += submission.attachments.map(\.content) }
    }
    contents += try store.attachments.contents(of: batch.late)
    // Contents first: a row never names a missing file.
    try store.contents.write(contents)
    return try store.act(batch.scope) { database, now in
      var storing = StoringBatch(
        submissions, counted: counted,
        StoringContext(in: store, now: now, isLimited: isLimited))
      let receipts = try storing.store(in: database)
      var context = storing.context
      let attached = try CrashStore.Attachments.attach(batch.late, context.search, in: database)
      try batch.count(submissions: receipts, attachments: attached, &context.sheet, in: database)
      try context.finish(in: database)
      return (receipts, attached)
    }
  }

  /// Whether these bytes were stored for this app before, even if they are no longer kept.
  ///
  /// - Parameter digest: The SHA-256 of the bytes.
  /// - Throws: `DatabaseError`.
  public func hasSubmission(digest: [UInt8], app: String) throws -> Bool {
    try store.read { database in
      guard let app = try AppsTable.find(app, in: database) else { return false }
      return try Self.status(digest, app: app.row, in: database) != .new
    }
  }

  /// Whether a dump of one of the given reports would add to its group: no report of the same build
  /// received on the same day is a dump or has attachments.
  ///
  /// - Parameter reports: Their full ids.
  /// - Throws: `DatabaseError`.
  public func lackDump(_ reports: [String]) throws -> Bool {
    try store.read { database in
      try reports.contains { try DailyLimit.lacksDump($0, in: database) }
    }
  }

  /// The stored reports that were read from bytes for an app, with the groups that they are in now.
  ///
  /// - Parameter digest: The SHA-256 of the bytes, in hexadecimal digits.
  /// - Throws: `DatabaseError`.
  public func list(ofSubmission digest: String, app: String) throws -> [Receipt.StoredUnder] {
    guard let digest = Self.bytes(ofHex: digest) else { return [] }
    return try store.read { database in
      guard let app = try AppsTable.find(app, in: database) else { return [] }
      return try Self.reports(of: digest, app: app.row, in: database)
    }
  }

  /// The state of a submission's bytes in the store.
  enum SubmissionState {
    case new
    /// Stored, but nothing was read from them.
    case unread
    case stored
    /// Their reports have expired or were deleted.
    case past
  }

  static func status(
    _ digest: [UInt8], app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> SubmissionState {
    let rows = try database.prepare(
      "SELECT problem FROM submissions WHERE app = ?1 AND digest = ?2", [app, digest])
    if try rows.step() { return try rows.isNull("problem") ? .stored : .unread }
    let isPast = try database.integer(
      "SELECT 1 FROM past_submissions WHERE app = ?1 AND digest = ?2", app,
      DeletedReports.mark(of: digest))
    return isPast == nil ? .new : .past
  }

  /// Whether storing would change nothing.
  ///
  /// - Parameter status: The state of its bytes.
  static func isStored(_ submission: PreparedSubmission, _ status: SubmissionState) -> Bool {
    switch status {
    case .new: return false
    case .unread: return submission.reports.isEmpty
    case .stored, .past: return true
    }
  }
}
