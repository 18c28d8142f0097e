internal import Bytes
internal import Database
public import Identifiers

extension CrashStore.Expiry {
  /// Number of reports deleted in one transaction, so that other processes need not wait long.
  private static let expiryBatch = 100

  /// The limits on the reports of an app.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func limits(of app: String) throws -> Retention {
    try store.read { database in
      let rows = try database.prepare(
        "SELECT keep_days, keep_bytes, keep_per_group, keep_per_day FROM apps WHERE name = ?1",
        [app])
      guard try rows.step() else { throw try AppsTable.unknown(app, in: database) }
      return try Retention(
        days: rows.optionalInt("keep_days"), bytes: rows.optionalInt("keep_bytes"),
        perGroup: rows.optionalInt("keep_per_group"), perDay: rows.optionalInt("keep_per_day"))
    }
  }

  /// Sets the limits on the reports of an app. Nothing is deleted before ``expire(_:of:at:progress:)``.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func setLimits(_ retention: Retention, of app: String) throws {
    try store.write(app: app) { database in
      try database.run(
        """
        UPDATE apps SET keep_days = ?2, keep_bytes = ?3, keep_per_group = ?4, keep_per_day = ?5
        WHERE name = ?1
        """, app, retention.days, retention.bytes, retention.perGroup, retention.perDay)
      guard database.changes > 0 else { throw try AppsTable.unknown(app, in: database) }
    }
  }

  /// The number of reports of a group and build stored per day, for apps without a limit of their own;
  /// `nil` for no limit.
  ///
  /// - Throws: `DatabaseError`.
  public func dailyLimit() throws -> Int? { try store.read { try DailyLimit.standard(in: $0) } }

  /// Sets ``dailyLimit()``; 0 means no limit.
  ///
  /// - Throws: `DatabaseError`.
  public func setDailyLimit(_ number: Int) throws {
    try store.write(.global) { try DailyLimit.set(max(0, number), in: $0) }
  }

  /// Counts what ``expire(_:of:at:progress:)`` would delete.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func expiring(
    _ retention: Retention, of app: String, at now: Timestamp
  ) throws -> [ExpiryCount] {
    let plan = try plan(retention, of: app, at: now)
    var counts: [ExpiryReason: ExpiryCount] = [:]
    let last = try store.read { database in
      // A submission is deleted with the last of its reports, for that report's reason.
      var left: [RowID<Tables.Submissions>: Int] = [:]
      var last: [(reason: ExpiryReason, bytes: Int?)] = []
      for start in stride(from: 0, to: plan.candidates.count, by: Self.expiryBatch) {
        let batch = plan.candidates[start...].prefix(Self.expiryBatch)
        let found = try Self.sizes(of: batch, in: database)
        for candidate in batch {
          guard let size = found[candidate.report] else { continue }
          let count = left[size.submission] ?? size.reports
          // Most have one report; those need no entry.
          if size.reports > 1 { left[size.submission] = count - 1 }
          last.append((candidate.reason, count == 1 ? size.bytes : nil))
        }
      }
      return last
    }
    for (reason, bytes) in last {
      counts[reason, default: ExpiryCount(app: app, reason: reason)].add(submission: bytes)
    }
    return ExpiryReason.allCases.compactMap { counts[$0] }
  }

  /// Deletes the reports of an app that exceed its limits, with the submissions that hold no other reports.
  ///
  /// One report of each group and version stays: the group's exemplar, or otherwise the one with the most
  /// symbols. The groups continue to count the deleted reports, and the same bytes are not counted again.
  /// Each transaction deletes up to a hundred, so that other processes can continue; if killed at any
  /// instant, the deleted reports are in the ledger. Contents are deleted by ``sweep(grace:isDry:)``.
  ///
  /// - Parameter progress: Called after each batch with the number of processed reports and the total.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func expire(
    _ retention: Retention, of app: String, at now: Timestamp,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> [ExpiryCount] {
    let candidates = try plan(retention, of: app, at: now).candidates
    var counts: [ExpiryReason: ExpiryCount] = [:]
    var done = 0
    var size = store.readsAhead ? Self.expiryBatch : 1
    while done < candidates.count {
      let batch = candidates[done..<min(done + size, candidates.count)]
      let gone: [(ExpiryReason, Int?)]
      do {
        gone = try expire(batch, of: app, at: now)
      } catch let error as DatabaseError where error.kind == .full && size > 1 {
        // The log of a transaction takes space as well. Finished batches have freed some.
        size = max(1, size / 4)
        try store.makeRoom()
        continue
      }
      for (reason, bytes) in gone {
        counts[reason, default: ExpiryCount(app: app, reason: reason)].add(submission: bytes)
      }
      done += batch.count
      progress(done, candidates.count)
    }
    return ExpiryReason.allCases.compactMap { counts[$0] }
  }

  /// Deletes a batch of reports in one transaction.
  ///
  /// - Returns: For each deleted report, the reason and the length of the submission deleted with it.
  private func expire(
    _ batch: ArraySlice<ExpiryPlan.Candidate>, of app: String, at now: Timestamp
  ) throws -> [(ExpiryReason, Int?)] {
    try store.write(app: app) { database in
      let gone = try Self.expirable(batch, in: database)
      let bytes = try DeletedReports.erase(gone.map(\.report), .expired, in: database)
      var sheet = LedgerBatch()
      for (reason, bytes) in zip(gone.map(\.reason), bytes) {
        sheet.add(.reportsExpired, app: app, day: now.day, reason: reason.rawValue)
        guard let bytes else { continue }
        sheet.add(.expired, app: app, day: now.day, reason: reason.rawValue, bytes: bytes)
      }
      try sheet.write(to: database)
      return zip(gone, bytes).map { ($0.reason, $1) }
    }
  }

  /// Deletes reports on request, with the submissions that hold no other reports, all or none. Their groups
  /// keep their ids, keys and counts, and forget the installations that no other report is from.
  ///
  /// - Parameter names: Their full ids.
  /// - Returns: The number of deleted submissions.
  /// - Throws: ``StoreError/notFound(_:)`` for an unknown id; `DatabaseError`.
  @discardableResult
  public func remove(reports names: [String], at now: Timestamp) throws -> Int {
    try store.write(.global) { database in
      var apps: [RowID<Tables.Reports>: String] = [:]
      var rows: [RowID<Tables.Reports>] = []
      var unknown = Set(names)
      try database.readMany(
        """
        SELECT reports.id, reports.name AS report, apps.name AS app
        FROM reports JOIN apps ON apps.id = reports.app WHERE reports.name = ?1
        """, names.map { RowKey($0.sqlValue) }
      ) { _, row in
        // A name that comes twice is not there any more.
        guard try unknown.remove(row.text("report")) != nil else {
          throw try StoreError.notFound(row.text("report"))
        }
        rows.append(try row.id("id"))
        apps[try row.id("id")] = try row.text("app")
      }
      if let name = names.first(where: unknown.contains) { throw StoreError.notFound(name) }
      let reports = try DeletedReports.Report.read(rows, in: database)
      let bytes = try DeletedReports.erase(reports, .removed, in: database)
      try DeletedReports.forgetInstalls(of: reports, .removed, in: database)
      var groups: [RowID<Tables.Groups>: RowID<Tables.Apps>] = [:]
      var sheet = LedgerBatch()
      for (report, bytes) in zip(reports, bytes) {
        groups[report.group] = report.app
        guard let app = apps[report.row] else { continue }
        sheet.add(.reportsRemoved, app: app, day: now.day)
        if let bytes { sheet.add(.removed, app: app, day: now.day, bytes: bytes) }
      }
      for (group, app) in groups.sorted(by: { $0.key < $1.key }) {
        try GroupsTable(app: app, author: "mayday").recount(group, in: database)
      }
      try sheet.write(to: database)
      return bytes.count { $0 != nil }
    }
  }

  private func plan(
    _ retention: Retention, of app: String, at now: Timestamp
  ) throws -> ExpiryPlan {
    let row = try store.read { try AppsTable.known(app, in: $0).row }
    return try ExpiryPlan(app: row, retention: retention, now: now, in: store)
  }

  /// The submission of a report that may expire.
  private struct SubmissionSize {
    let submission: RowID<Tables.Submissions>
    let bytes: Int
    let reports: Int
  }

  private static func sizes(
    of candidates: ArraySlice<ExpiryPlan.Candidate>, in database: borrowing Connection
  ) throws -> [RowID<Tables.Reports>: SubmissionSize] {
    var sizes: [RowID<Tables.Reports>: SubmissionSize] = [:]
    try database.readMany(
      """
      SELECT reports.id AS report, submissions.id, submissions.bytes,
        (SELECT count(*) FROM reports AS every WHERE every.submission = submissions.id) AS every
      FROM reports JOIN submissions ON submissions.id = reports.submission
      WHERE reports.id = ?1
      """, candidates.map { RowKey($0.report.sqlValue) }
    ) { _, row in
      sizes[try row.id("report")] = try SubmissionSize(
        submission: row.id("id"), bytes: row.int("bytes"), reports: row.int("every"))
    }
    return sizes
  }

  /// The reports, without those that are needed by now: they are their groups' exemplars, or the reports to
  /// stay in their places were deleted or moved.
  private static func expirable(
    _ candidates: ArraySlice<ExpiryPlan.Candidate>, in database: borrowing Connection
  ) throws -> [(reason: ExpiryReason, report: DeletedReports.Report)] {
    var free: Set<RowKey> = []
    try database.readMany(
      """
      SELECT 1 FROM reports JOIN reports AS keeper
        ON keeper.grp = reports.grp AND keeper.version = reports.version
      JOIN groups ON groups.id = reports.grp
      WHERE reports.id = ?1 AND keeper.id = ?2 AND groups.exemplar != reports.name
      """, candidates.map { RowKey($0.report.sqlValue, $0.keeper.sqlValue) }
    ) { key, _ in free.insert(key) }
    let reports = Dictionary(
      try DeletedReports.Report.read(candidates.map(\.report), in: database).map { ($0.row, $0) },
      uniquingKeysWith: { one, _ in one })
    return candidates.compactMap { candidate in
      guard free.contains(RowKey(candidate.report.sqlValue, candidate.keeper.sqlValue)),
        let report = reports[candidate.report], report.name.hashValue == candidate.nameHash
      else { return nil }
      return (candidate.reason, report)
    }
  }
}

extension ExpiryCount {
  /// - Parameter bytes: The length of the submission that was deleted with the report, if any.
  fileprivate mutating func add(submission bytes: Int?) {
    reports += 1
    guard let bytes else { return }
    submissions += 1
    self.bytes = self.bytes.addingClamped(bytes)
  }
}
