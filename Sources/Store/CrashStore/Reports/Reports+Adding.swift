public import Bytes
public import CrashModel
internal import Crypto
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
      return try submissions.map { submission in
        guard let app = try apps.find(submission.app, in: database) else { return false }
        let status = try Self.status(submission.digest, app: app.row, in: database)
        return Self.isStored(submission, status)
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
      var context = StoringContext(in: store, now: now, isLimited: isLimited)
      let receipts = try submissions.enumerated().map { index, submission in
        var receipt = try Self.add(
          submission, counted: counted?[index] ?? [],
          hasAttachments: !submission.attachments.isEmpty, &context, in: database)
        if !submission.attachments.isEmpty {
          let app = try context.facts.app(named: submission.app, in: database)
          try CrashStore.Attachments.attach(
            submission.files, toSubmission: submission.digest, app: app.row, context.search,
            in: database, &receipt.attachments)
          if isLimited, receipt.attachments.added > 0 {
            try DailyLimit.noteAttachments(
              ofSubmission: submission.digest, app: app.row, day: submission.received.day,
              in: database)
          }
        }
        return receipt
      }
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
  private static func isStored(_ submission: PreparedSubmission, _ status: SubmissionState) -> Bool
  {
    switch status {
    case .new: return false
    case .unread: return submission.reports.isEmpty
    case .stored, .past: return true
    }
  }

  /// Stores one submission in a transaction for several.
  ///
  /// - Parameters:
  ///   - counted: Which of its reports are only counted; empty for none.
  ///   - hasAttachments: Whether it has attachments.
  /// - Throws: ``CountedReportIsNeeded`` if one of them has to be stored after all.
  static func add(
    _ submission: PreparedSubmission, counted: [Bool] = [], hasAttachments: Bool = false,
    _ context: inout StoringContext, in database: borrowing Connection
  ) throws -> Receipt {
    let app = try context.facts.app(named: submission.app, in: database)
    let digest = SHA256.hex(submission.digest)
    let status = try status(submission.digest, app: app.row, in: database)
    let isOnlyCounted = status == .new && submission.isOnlyCounted(counted)
    if status == .new || !submission.isRepeated {
      context.sheet.receive(
        isOnlyCounted ? .counted : status == .new ? .stored : .duplicate, app: app.name,
        day: submission.received.day, reason: isOnlyCounted ? DailyLimit.reason : "",
        bytes: submission.byteCount)
    }
    if isStored(submission, status) {
      let reports = try reports(of: submission.digest, app: app.row, in: database)
      return Receipt(submission: digest, isDuplicate: true, reports: reports)
    }
    let countedCount = counted.count { $0 }
    context.sheet.add(
      .reportsStored, app: app.name, day: submission.received.day,
      count: submission.reports.count - countedCount)
    context.sheet.add(
      .reportsCounted, app: app.name, day: submission.received.day, reason: DailyLimit.reason,
      count: countedCount)
    if let leftOut = submission.leftOut {
      context.sheet.add(
        .reportsLeftOut, app: app.name, day: submission.received.day, reason: leftOut.reason,
        count: leftOut.count)
    }
    for report in submission.reports {
      let found = report.images.count(where: \.isUsed)
      context.sheet.add(.imagesFound, app: app.name, day: submission.received.day, count: found)
      context.sheet.add(
        .imagesMissing, app: app.name, day: submission.received.day,
        count: report.images.count - found)
    }
    guard !isOnlyCounted else {
      return Receipt(
        submission: digest, isDuplicate: false,
        reports: try count(submission, app: app.row, &context, in: database))
    }
    // A submission from which nothing could be read may be readable by now.
    try database.insert(
      into: "submissions",
      [
        "id": status == .new ? context.facts.next(.submissions, in: database) : nil, "app": app.row,
        "digest": submission.digest, "source": submission.source,
        "received": submission.received.microseconds, "bytes": submission.byteCount,
        "problem": submission.problem, "app_given": submission.isAppGiven,
      ],
      onConflict: """
        ON CONFLICT (app, digest) DO UPDATE SET problem = excluded.problem,
          app_given = excluded.app_given
        """)
    let row: RowID<Tables.Submissions> =
      status == .new
      ? database.lastID()
      : try database.requiredID(
        "SELECT id FROM submissions WHERE app = ?1 AND digest = ?2", app.row, submission.digest)
    let table = GroupsTable(app: app.row, author: "mayday", now: context.now, isLate: false)
    var stored: [Receipt.StoredUnder] = []
    for (index, report) in submission.reports.enumerated() {
      if index < counted.count, counted[index] {
        try stored.append(
          count(report, of: submission, app: app.row, &context, in: database))
        continue
      }
      let position = submission.positions[index]
      let (keyed, found, isKeyNew) = try table.assign(report, in: database)
      let reportRow = try insert(
        report, ReportOwners(app: app.row, submission: row, origin: keyed), position: position,
        found: found, number: context.facts.next(.reports, in: database), in: database)
      try context.search.add(report.entry, report: reportRow, group: keyed.group, in: database)
      try context.waiting.note(
        report, row: reportRow, app: app.row, group: keyed.group, seen: submission.arrivals,
        in: database)
      try RuleSetsTable.check(
        report, row: reportRow, app: app.row, by: context.facts.rules(of: app.row, in: database),
        in: database)
      let origin = try context.rules.follow(from: keyed, report: reportRow, in: database)
      if origin != keyed {
        try ReportsTable.move(
          where: ["id": reportRow], of: keyed.group, to: origin, in: database)
      }
      let change = try count(report, in: origin, of: app.row, &context, in: database)
      let isLinkNew = try KeyStacks(of: app.row).add(report, in: database)
      var group = origin.group
      if isKeyNew || isLinkNew {
        try context.counts.write(to: database)
        var arrangement = KeyRegrouping(
          of: app.row, now: context.now, isLate: false, context.rules)
        try arrangement.run(around: [report.signature.key], in: database)
        group = try database.requiredID("SELECT grp FROM reports WHERE id = ?1", reportRow)
      }
      if context.isLimited {
        try DailyLimit.note(
          report, day: submission.received.day, hasAttachments: hasAttachments, in: group,
          of: database)
      }
      stored.append(
        Receipt.StoredUnder(
          report: report.id, group: try context.facts.name(of: group, in: database),
          isNewGroup: found == .new && group == origin.group, isRegression: change == .regressed))
    }
    return Receipt(submission: digest, isDuplicate: false, reports: stored)
  }

  /// Counts the reports of a submission of which nothing is stored.
  private static func count(
    _ submission: PreparedSubmission, app: RowID<Tables.Apps>, _ context: inout StoringContext,
    in database: borrowing Connection
  ) throws -> [Receipt.StoredUnder] {
    // The same bytes count once.
    try database.insert(
      into: "past_submissions",
      [
        "app": app, "digest": DeletedReports.mark(of: submission.digest),
        "bytes": submission.byteCount,
      ])
    return try submission.reports.map {
      try count($0, of: submission, app: app, &context, in: database)
    }
  }

  /// Counts a report of which nothing is stored.
  ///
  /// - Throws: ``CountedReportIsNeeded`` if its key has no origin or its group no exemplar.
  private static func count(
    _ report: ReportRow, of submission: PreparedSubmission, app: RowID<Tables.Apps>,
    _ context: inout StoringContext, in database: borrowing Connection
  ) throws -> Receipt.StoredUnder {
    let keys = KeysTable(app: app, now: context.now)
    guard let keyed = try keys.leading(report.signature.key, in: database) else {
      throw CountedReportIsNeeded()
    }
    let origin = try context.rules.follow(from: keyed, in: database) {
      try submission.values(of: report)
    }
    if !context.counts.hasExemplar(of: origin.group) {
      let exemplar = try database.requiredText(
        "SELECT exemplar FROM groups WHERE id = ?1", origin.group)
      guard !exemplar.isEmpty else { throw CountedReportIsNeeded() }
    }
    let counted = report.counted
    let change = try count(
      report, in: origin, of: app, isStored: false, &context, in: database)
    try DeletedReports.remember(
      1, first: counted.time, last: counted.time, on: origin.id, in: database)
    try DeletedReports.rememberCrash(report, app: app, in: database)
    let row = try CountedReports.add(report, at: origin.id, in: database)
    try context.search.addCounted(report.entry, at: origin, row: row, in: database)
    return Receipt.StoredUnder(
      report: report.id, group: try context.facts.name(of: origin.group, in: database),
      isNewGroup: false, isRegression: change == .regressed, isCounted: true)
  }

  /// Adds a report to the counts of the transaction, and lets it change the state of its group.
  ///
  /// - Parameter isStored: Whether the report itself is stored.
  private static func count(
    _ report: ReportRow, in origin: Origin, of app: RowID<Tables.Apps>, isStored: Bool = true,
    _ context: inout StoringContext, in database: borrowing Connection
  ) throws -> GroupStatuses.Change? {
    let counted = report.counted
    let statuses = GroupStatuses(app: app, now: context.now, isLate: false)
    context.counts.add(counted, toReleaseOf: app, received: report.received)
    var change: GroupStatuses.Change?
    if try statuses.mayChange(origin.group, in: database) {
      try context.counts.write(to: database)
      change = try statuses.stored(
        counted,
        isNewUser: { try GroupsTable.isFirst(counted.install, of: origin.group, in: database) },
        in: origin.group, of: database)
    }
    context.counts.add(counted, to: origin, isStored: isStored)
    return change
  }

  /// - Parameter number: The number of its row; `nil` where the database chooses it.
  /// - Returns: The row of the report.
  private static func insert(
    _ report: ReportRow, _ owners: ReportOwners, position: Int, found: MatchReason, number: Int?,
    in database: borrowing Connection
  ) throws -> RowID<Tables.Reports> {
    try database.insert(
      into: "reports",
      [
        "id": number, "name": report.id, "submission": owners.submission, "position": position,
        "app": owners.app, "grp": owners.origin.group, "format": report.format,
        "kind": report.kind.rawValue,
        "version": report.version, "build": report.build, "time": report.time.microseconds,
        "received": report.received.microseconds, "os": report.os, "device": report.device,
        "install": report.install, "person": report.person, "session": report.session,
        "happened": report.time.microseconds, "reason": report.reason,
        "signature": report.signature.text,
        "key": report.signature.key, "category": report.signature.category.rawValue,
        "rules": report.signature.rules, "provisional": report.signature.isProvisional,
        "symbols": report.symbols.rawValue, "document": report.document, "found_by": found.word,
        "found_detail": found.detail, "origin": owners.origin.id, "variant": report.variant,
      ])
    let row: RowID<Tables.Reports> = database.lastID()
    try StacksTable.note(report.stack, report.variant, app: owners.app, in: database)
    return row
  }

  static func reports(
    of digest: [UInt8], app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [Receipt.StoredUnder] {
    let rows = try database.prepare(
      """
      SELECT reports.name, apps.prefix || '-' || groups.number AS group_name
      FROM submissions JOIN reports ON reports.submission = submissions.id
        JOIN groups ON groups.id = reports.grp JOIN apps ON apps.id = groups.app
      WHERE submissions.app = ?1 AND submissions.digest = ?2 ORDER BY reports.position
      """, [app, digest])
    var stored: [Receipt.StoredUnder] = []
    while try rows.step() {
      try stored.append(
        Receipt.StoredUnder(
          report: rows.text("name"), group: rows.text("group_name"), isNewGroup: false,
          isRegression: false))
    }
    return stored
  }
}

/// The rows that own a stored report.
private struct ReportOwners {
  let app: RowID<Tables.Apps>
  let submission: RowID<Tables.Submissions>
  let origin: Origin
}
