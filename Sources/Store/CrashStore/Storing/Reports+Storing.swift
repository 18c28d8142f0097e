internal import CrashModel
internal import Crypto
internal import Database
internal import Identifiers

/// Storing one submission after another, inside a transaction.
extension CrashStore.Reports {
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
    // Those of the submissions before it may decide what it changes.
    try context.writeRows(to: database)
    let status = try status(submission.digest, app: app.row, in: database)
    context.sheet.receive(submission, status, counted: counted, app: app.name)
    let digest = SHA256.hex(submission.digest)
    if isStored(submission, status) {
      let reports = try reports(of: submission.digest, app: app.row, in: database)
      return Receipt(submission: digest, isDuplicate: true, reports: reports)
    }
    guard status != .new || !submission.isOnlyCounted(counted) else {
      return Receipt(
        submission: digest, isDuplicate: false,
        reports: try count(submission, app: app.row, &context, in: database))
    }
    let row: RowID<Tables.Submissions>
    if status == .new {
      row = try context.facts.next(.submissions, in: database)
      context.rows.add(submission, row: row, app: app.row)
      try context.writeRows(to: database)
    } else {
      row = try database.requiredID(
        """
        UPDATE submissions SET problem = ?3, app_given = ?4 WHERE app = ?1 AND digest = ?2
        RETURNING id
        """, app.row, submission.digest, submission.problem, submission.isAppGiven)
    }
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
      let owners = ReportOwners(app: app.row, submission: row, origin: keyed)
      let reportRow = try insert(
        report, of: submission, owners, position: position, found: found, &context, in: database)
      context.rows.addStack(of: report, app: app.row)
      try context.writeRows(to: database)
      let origin = try context.rules.follow(from: keyed, report: reportRow, in: database)
      if origin != keyed {
        try ReportsTable.move(
          where: ["id": reportRow], of: keyed.group, to: origin, in: database)
      }
      let change = try count(report, in: origin, of: app.row, &context, in: database)
      let isLinkNew = try KeyStacks(of: app.row).add(report, in: database)
      var group = origin.group
      if isKeyNew || isLinkNew {
        group = try regroup(report, row: reportRow, app: app.row, &context, in: database)
      }
      if context.isLimited {
        context.rows.count(
          report, day: submission.received.day, hasAttachments: hasAttachments, in: group)
      }
      stored.append(
        Receipt.StoredUnder(
          report: report.id, group: try context.facts.name(of: group, in: database),
          isNewGroup: found == .new && group == origin.group, isRegression: change == .regressed))
    }
    try context.writeRows(to: database)
    return Receipt(submission: digest, isDuplicate: false, reports: stored)
  }

  /// Moves reports, after one whose key, readings or stack showed something new.
  ///
  /// - Returns: The group that it is in then.
  static func regroup(
    _ report: ReportRow, row: RowID<Tables.Reports>, app: RowID<Tables.Apps>,
    _ context: inout StoringContext, in database: borrowing Connection
  ) throws -> RowID<Tables.Groups> {
    try context.write(to: database)
    var arrangement = KeyRegrouping(of: app, now: context.now, isLate: false, context.rules)
    try arrangement.run(around: [report.signature.key], in: database)
    if arrangement.hasChanged { context.hasRearranged = true }
    return try database.requiredID("SELECT grp FROM reports WHERE id = ?1", row)
  }

  /// Counts the reports of a submission of which nothing is stored.
  static func count(
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
      try context.write(to: database)
      change = try statuses.stored(
        counted,
        isNewUser: { try GroupsTable.isFirst(counted.install, of: origin.group, in: database) },
        in: origin.group, of: database)
    }
    context.counts.add(counted, to: origin, isStored: isStored)
    return change
  }

  /// Adds the rows of a report, except its stack, to those that are about to be written.
  ///
  /// - Parameter position: Its position in the submission.
  /// - Returns: The row of the report.
  static func insert(
    _ report: ReportRow, of submission: PreparedSubmission, _ owners: ReportOwners, position: Int,
    found: MatchReason, _ context: inout StoringContext, in database: borrowing Connection
  ) throws -> RowID<Tables.Reports> {
    let row: RowID<Tables.Reports> = try context.facts.next(.reports, in: database)
    let group = owners.origin.group
    context.rows.add(report, row: row, owners, position: position, found: found)
    try context.search.add(report.entry, report: row, group: group, in: database)
    try context.waiting.note(
      report, row: row, app: owners.app, group: group, seen: submission.arrivals, &context.rows,
      in: database)
    // Rules may have been chosen while it was being processed.
    if let rules = try context.facts.rules(of: owners.app, in: database),
      rules.digest != report.rulesDigest
    {
      context.rows.addRules(rules.number, for: row, of: owners.app)
    }
    return row
  }

  static func reports(
    of digest: [UInt8], app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [Receipt.StoredUnder] {
    let rows = try database.prepare(ofSubmission, [app, digest])
    var stored: [Receipt.StoredUnder] = []
    while try rows.step() { try stored.append(Receipt.StoredUnder(rows)) }
    return stored
  }

  /// The reports of a submission, by its app and digest.
  static let ofSubmission = """
    SELECT reports.name, apps.prefix || '-' || groups.number AS group_name
    FROM submissions JOIN reports ON reports.submission = submissions.id
      JOIN groups ON groups.id = reports.grp JOIN apps ON apps.id = groups.app
    WHERE submissions.app = ?1 AND submissions.digest = ?2 ORDER BY reports.position
    """
}

extension Receipt.StoredUnder {
  /// - Parameter row: A row of ``CrashStore/Reports/ofSubmission``.
  init(_ row: borrowing Statement) throws(DatabaseError) {
    try self.init(
      report: row.text("name"), group: row.text("group_name"), isNewGroup: false,
      isRegression: false)
  }
}
