internal import Database

extension ServerStore {
  /// Damage found in the database, as SQLite reports it; empty if it is intact.
  public func integrityProblems() throws -> [String] {
    try connection.withLock { try $0.integrityProblems() }
  }

  /// Reads the data that a server needs before it can respond: all rows of the small tables, and the ends of
  /// those that grow. Damage there is an error now, and not when the first client connects.
  ///
  /// - Throws: `DatabaseError`
  public func readThrough() throws {
    try read { database in
      for table in Self.small {
        let rows = try database.prepare("SELECT * FROM \(table)")
        while try rows.step() {}
      }
      for statement in Self.ends {
        let rows = try database.prepare(statement)
        while try rows.step() {}
      }
    }
  }

  private static let small = [
    "accounts", "tokens", "sign_in_links", "browsers", "erasures", "ignored_symbols",
    "intake_states",
    "intake_totals", "intake_times", "intake_logs", "uploads", "alert_targets", "alert_rules",
    "alert_subjects",
    "alert_marks", "alert_app_marks", "server_settings",
  ]
  private static let ends = [
    "SELECT id FROM audit ORDER BY id DESC LIMIT 1",
    "SELECT id FROM intake ORDER BY id DESC LIMIT 1",
    "SELECT id FROM verdicts ORDER BY finished DESC LIMIT 1",
    "SELECT id FROM alerts ORDER BY id DESC LIMIT 1",
    "SELECT id FROM alert_deliveries ORDER BY id DESC LIMIT 1",
  ]
}
