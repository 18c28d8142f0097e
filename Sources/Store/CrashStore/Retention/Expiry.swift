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
      for candidate in plan.candidates {
        let rows = try database.prepare(
          """
          SELECT submissions.id, submissions.bytes,
            (SELECT count(*) FROM reports AS every WHERE every.submission = submissions.id) AS every
          FROM reports JOIN submissions ON submissions.id = reports.submission
          WHERE reports.id = ?1
          """, [candidate.report])
        guard try rows.step() else { continue }
        let submission: RowID<Tables.Submissions> = try rows.id("id")
        let every = try rows.int("every")
        let count = left[submission] ?? every
        // Most have one report; those need no entry.
        if every > 1 { left[submission] = count - 1 }
        try last.append((candidate.reason, count == 1 ? rows.int("bytes") : nil))
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
    var size = Self.expiryBatch
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
      var sheet = LedgerBatch()
      let gone = try batch.compactMap { candidate -> (ExpiryReason, Int?)? in
        guard let report = try Self.expirable(candidate, in: database) else { return nil }
        let bytes = try DeletedReports.erase(report, isExpired: true, in: database)
        let reason = candidate.reason.rawValue
        sheet.add(.reportsExpired, app: app, day: now.day, reason: reason)
        if let bytes { sheet.add(.expired, app: app, day: now.day, reason: reason, bytes: bytes) }
        return (candidate.reason, bytes)
      }
      try sheet.write(to: database)
      return gone
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
      var sheet = LedgerBatch()
      var submissions = 0
      for name in names {
        let rows = try database.prepare(
          """
          SELECT reports.id AS report_id, apps.name, apps.id AS app_id FROM reports JOIN apps ON apps.id = reports.app
          WHERE reports.name = ?1
          """, [name])
        guard try rows.step(),
          let report = try DeletedReports.Report(rows.id("report_id"), in: database)
        else {
          throw StoreError.notFound(name)
        }
        let app = try rows.text("name")
        let bytes = try DeletedReports.erase(report, isExpired: false, in: database)
        sheet.add(.reportsRemoved, app: app, day: now.day)
        if let bytes {
          sheet.add(.removed, app: app, day: now.day, bytes: bytes)
          submissions += 1
        }
        if let install = report.install {
          try DeletedReports.forget(install, of: report, in: database)
        }
        try GroupsTable(app: rows.id("app_id"), author: "mayday").recount(
          report.group, in: database)
      }
      try sheet.write(to: database)
      return submissions
    }
  }

  private func plan(
    _ retention: Retention, of app: String, at now: Timestamp
  ) throws -> ExpiryPlan {
    let row = try store.read { try AppsTable.known(app, in: $0).row }
    return try ExpiryPlan(app: row, retention: retention, now: now, in: store)
  }

  /// The report, unless it is needed by now: it is its group's exemplar, or the report to stay in its place
  /// was deleted or moved.
  private static func expirable(
    _ candidate: ExpiryPlan.Candidate, in database: borrowing Connection
  ) throws -> DeletedReports.Report? {
    let isFree = try database.integer(
      """
      SELECT 1 FROM reports JOIN reports AS keeper
        ON keeper.grp = reports.grp AND keeper.version = reports.version
      JOIN groups ON groups.id = reports.grp
      WHERE reports.id = ?1 AND keeper.id = ?2 AND groups.exemplar != reports.name
      """, candidate.report, candidate.keeper)
    guard isFree != nil, let report = try DeletedReports.Report(candidate.report, in: database),
      report.name.hashValue == candidate.nameHash
    else { return nil }
    return report
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
