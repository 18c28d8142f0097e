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
      var listed: [String: RowID<Tables.Reports>] = [:]
      try database.readMany(
        """
        SELECT reports.name, redo.report FROM redo JOIN reports ON reports.id = redo.report
        WHERE reports.name = ?1
        """, reports.map { RowKey($0.id.sqlValue) }
      ) { _, row in listed[try row.text("name")] = try row.id("report") }
      var problems: [[SQLValue]] = []
      var gone: [[SQLValue]] = []
      var replacements: [(row: RowID<Tables.Reports>, new: PreparedReplacement)] = []
      for report in reports {
        guard let row = listed[report.id] else { continue }
        if case .failed(_, let reason) = report {
          problems.append([row.sqlValue, reason.sqlValue])
          continue
        }
        listed[report.id] = nil
        gone.append([row.sqlValue])
        if case .replaced(let replacement) = report { replacements.append((row, replacement)) }
      }
      try database.runMany("UPDATE redo SET problem = ?2 WHERE report = ?1", problems)
      try database.runMany("DELETE FROM redo WHERE report = ?1", gone)
      var context = StoringContext(in: store, now: now)
      try ReplacementBatch(replacements, in: database).write(context, in: database)
      try context.finish(in: database)
      return gone.count
    }
  }
}
