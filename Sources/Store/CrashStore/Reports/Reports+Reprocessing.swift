internal import CrashModel
internal import Database
internal import Identifiers

extension CrashStore.Reports {

  /// The ids of reports to be reprocessed, because a debug file that they wait for arrived, or to get a
  /// signature by other rules.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of ids.
  ///   - newestFirst: Whether to start with the newest; two processes that start at different ends meet
  ///     in the middle.
  /// - Throws: `DatabaseError`.
  public func toReprocess(limit: Int, newestFirst: Bool = false) throws -> [String] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT reports.name FROM redo CROSS JOIN reports
        WHERE reports.id = redo.report AND redo.problem IS NULL
        ORDER BY redo.report \(newestFirst ? "DESC" : "ASC") LIMIT ?1
        """, [limit])
      var reports: [String] = []
      while try rows.step() { try reports.append(rows.text("name")) }
      return reports
    }
  }

  /// The number of the rules by which a report only gets a new signature; `nil` where it is to be
  /// reprocessed from its submission, or is not on the list.
  ///
  /// - Throws: `DatabaseError`.
  public func ruleSet(toSign id: String) throws -> Int? {
    try store.read {
      try $0.integer(
        """
        SELECT redo.rule_set FROM redo JOIN reports ON reports.id = redo.report
        WHERE reports.name = ?1
        """, id)
    }
  }

  /// The number of reports to be reprocessed, without those that failed.
  ///
  /// - Throws: `DatabaseError`.
  public func waitingCount() throws -> Int {
    try store.read { try $0.requiredInteger("SELECT count(*) FROM redo WHERE problem IS NULL") }
  }

  /// Reports whose reprocessing failed, with the reason, oldest first.
  ///
  /// - Throws: `DatabaseError`.
  public func reprocessingProblems() throws -> [(report: String, reason: String)] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT reports.name, redo.problem FROM redo JOIN reports ON reports.id = redo.report
        WHERE redo.problem IS NOT NULL ORDER BY redo.report
        """)
      var problems: [(report: String, reason: String)] = []
      while try rows.step() { try problems.append((rows.text("name"), rows.text("problem"))) }
      return problems
    }
  }

  /// Schedules reports whose reprocessing failed to be tried once more.
  ///
  /// - Throws: `DatabaseError`.
  public func retryProblems() throws {
    try store.write(.global) {
      try $0.run("UPDATE redo SET problem = NULL WHERE problem IS NOT NULL")
    }
  }

  /// Replaces the stored state of reports that were reprocessed, all or none, and takes them off the list
  /// of reports to be reprocessed.
  ///
  /// A report that is not on that list is skipped: another process was faster. One for which a debug file
  /// arrived meanwhile stays on it. Groups are unchanged until ``settle()``.
  ///
  /// - Returns: The number of reports that this call took off the list; those that failed stay on it.
  /// - Throws: `FileError` or `DatabaseError`. Nothing was changed then.
  @discardableResult
  public func replace(_ reports: [ReprocessingResult]) throws -> Int {
    try store.contents.write(
      reports.compactMap { report in
        guard case .replaced(let replacement) = report else { return nil }
        return replacement.content
      })
    return try store.act(.global) { database, now in
      var count = 0
      var context = StoringContext(in: store, now: now)
      for report in reports {
        let row: RowID<Tables.Reports>? = try database.id(
          """
          SELECT redo.report FROM redo JOIN reports ON reports.id = redo.report
          WHERE reports.name = ?1
          """, report.id)
        guard let row else { continue }
        if case .failed(_, let reason) = report {
          try database.run("UPDATE redo SET problem = ?2 WHERE report = ?1", row, reason)
          continue
        }
        count += 1
        try database.run("DELETE FROM redo WHERE report = ?1", row)
        if case .replaced(let replacement) = report {
          try Self.overwrite(row, with: replacement, context, in: database)
        }
      }
      try context.finish(in: database)
      return count
    }
  }

  /// Recomputes the links of a report's old key and of its new one.
  private static func relink(
    _ report: ReportRow, from old: (key: String, variant: String), at origin: Origin,
    app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    let stacks = KeyStacks(of: app)
    let added = try stacks.add(report, in: database)
    let removed = try stacks.remove(variant: old.variant, of: old.key, in: database)
    guard added || removed else { return }
    // Groups are settled when all reports of the app are reprocessed.
    try Regrouping.note(origin.id, of: app, from: .arrange, in: database)
  }

  /// Overwrites the stored state of a report, then moves it if split rules lead to another origin.
  private static func overwrite(
    _ row: RowID<Tables.Reports>, with replacement: PreparedReplacement, _ context: StoringContext,
    in database: borrowing Connection
  ) throws {
    let report = replacement.row
    let rows = try database.prepare(
      "SELECT \(CountedReport.columns), app, origin, key, variant FROM reports WHERE id = ?1", [row]
    )
    guard try rows.step() else { throw StoreError.damaged("report \(report.id) has no row") }
    let origin = try Origin.get(rows.id("origin"), in: database)
    let old = try CountedReport(rows)
    let app: RowID<Tables.Apps> = try rows.id("app")
    let oldKey = try rows.text("key")
    let oldVariant = try rows.text("variant")
    let record = try ReplacementRecord(
      keeping: row, before: report, ruleSet: replacement.ruleSet, in: database)
    try database.run(
      """
      UPDATE reports SET format = ?2, kind = ?3, version = ?4, build = ?5, time = ?6, os = ?7,
        device = ?8, install = ?9, reason = ?10, signature = ?11, key = ?12, category = ?13,
        rules = ?14, provisional = ?15, symbols = ?16, document = ?17, variant = ?18,
        happened = CASE WHEN happened = time THEN ?6 ELSE happened END,
        person = coalesce(?19, person), session = CASE WHEN ?20 = '' THEN session ELSE ?20 END
      WHERE id = ?1
      """, row, report.format, report.kind.rawValue, report.version, report.build,
      report.time.microseconds, report.os, report.device, report.install, report.reason,
      report.signature.text, report.signature.key, report.signature.category.rawValue,
      report.signature.rules, report.signature.isProvisional, report.symbols.rawValue,
      report.document, report.variant, report.person, report.session)
    try StacksTable.note(report.stack, report.variant, app: app, in: database)
    try StacksTable.forget([(app, oldVariant)], in: database)
    try context.search.replace(report.entry, report: row, in: database)
    try context.search.noteDump(of: row, in: database)
    try WaitingReports.forget(row, of: origin.group, in: database)
    var new = NewRows()
    try context.waiting.note(
      report, row: row, app: app, group: origin.group, seen: replacement.arrivals, &new,
      in: database)
    try new.write(to: database)
    let table = GroupsTable(app: app, author: "mayday")
    if !old.countsLike(report.counted) {
      try table.uncount(old, in: origin, of: database)
      try table.count(report.counted, in: origin, of: database)
    }
    if (old.version, old.build) != (report.version, report.build) {
      let received = report.received
      var changes = CountChanges()
      changes.add(old, by: -1, toReleaseOf: app, received: received)
      changes.add(report.counted, toReleaseOf: app, received: received)
      try changes.write(to: database)
    }
    try table.noteReadings(of: report.signature, build: report.counted, in: database)
    if oldKey != report.signature.key || oldVariant != report.variant {
      try relink(report, from: (oldKey, oldVariant), at: origin, app: app, in: database)
    }
    if oldKey != report.signature.key || oldVariant != report.variant {
      try CountedReports.follow(
        report, row: row, from: (old, oldKey, oldVariant), at: origin, in: database)
    }
    let keyed = try origin.keyed(in: database)
    // More is known of the report now, so split rules may lead elsewhere.
    let destination = try context.rules.follow(from: keyed, report: row, in: database)
    if destination != origin {
      try table.move(report.counted, from: origin, to: destination, in: database)
      for origin in [origin, destination] {
        try table.refresh(origin, in: database)
        try table.refresh(origin.group, in: database)
      }
      if destination.group != origin.group {
        try GroupStatuses(app: app, now: table.now, isLate: table.isLate)
          .left(origin.group, for: destination.group, of: database)
      }
    }
    if oldKey != report.signature.key {
      // Whether other reports stayed with it is determined when the groups are settled.
      try database.run(
        "UPDATE group_keys SET is_left = 1 WHERE app = ?1 AND key = ?2 AND origin = ?3", app,
        oldKey, keyed.id)
      try database.run(
        "UPDATE reports SET found_by = ?2, found_detail = NULL WHERE id = ?1", row,
        MatchReason.followed.word)
    }
    if old.time != report.counted.time { try Regrouping.examine(keyed, in: database) }
    try record.finish(report, at: keyed, in: database)
  }
}

extension CountedReport {
  /// Whether it goes into the same counters as another.
  fileprivate func countsLike(_ other: CountedReport) -> Bool {
    (time, version, build) == (other.time, other.version, other.build)
      && (os, device, install) == (other.os, other.device, other.install)
  }
}
