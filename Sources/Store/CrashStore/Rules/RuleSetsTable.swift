internal import Database
internal import Identifiers

/// The table of the rules chosen for apps, inside a transaction.
enum RuleSetsTable {
  static func history(
    of app: AppsTable.App, in database: borrowing Connection
  ) throws -> [RuleSetRecord] {
    let rows = try database.prepare(
      """
      SELECT number, time, author, event, source, builtin, text, digest FROM rule_sets
      WHERE app = ?1 ORDER BY number DESC
      """, [app.row])
    var history: [RuleSetRecord] = []
    while try rows.step() {
      let event = try rows.text("event")
      guard let event = RuleSetRecord.Event(rawValue: event) else {
        throw StoreError.damaged("rules \(try rows.int("number")) of \(app.name) were '\(event)'")
      }
      try history.append(
        RuleSetRecord(
          app: app.name, number: rows.int("number"), time: rows.timestamp("time"),
          author: rows.text("author"), event: event, source: rows.optionalInt("source"),
          builtIn: rows.text("builtin"), text: rows.text("text"), digest: rows.text("digest")))
    }
    return history
  }

  /// The number of the rules in force; 0 where none was ever chosen.
  static func number(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Int {
    try database.requiredInteger(
      "SELECT coalesce(max(number), 0) FROM rule_sets WHERE app = ?1", app)
  }

  static func waitingCount(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Int {
    try database.requiredInteger(
      "SELECT count(*) FROM redo WHERE app = ?1 AND rule_set IS NOT NULL", app)
  }

  /// - Parameter restores: The number whose groups are to be restored in the end; 0 for none.
  static func choose(
    _ record: RuleSetRecord, of app: RowID<Tables.Apps>, restores: Int,
    in database: borrowing Connection
  ) throws {
    let isBusy = try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM rule_sets WHERE app = ?1 AND restores != 0)
        OR EXISTS (SELECT 1 FROM redo WHERE app = ?1 AND rule_set IS NOT NULL AND problem IS NULL)
        OR EXISTS (SELECT 1 FROM regroup WHERE app = ?1)
      """, app)
    if isBusy == 1 {
      throw RuleSetError.unfinished(app: record.app, number: record.number - 1)
    }
    try database.insert(
      into: "rule_sets",
      [
        "app": app, "number": record.number, "time": record.time.microseconds,
        "author": record.author, "event": record.event.rawValue, "source": record.source,
        "builtin": record.builtIn, "text": record.text, "digest": record.digest,
        "restores": restores,
      ])
    try RuleSetSnapshot(app: app, number: record.number).take(in: database)
    // Reports that are reprocessed for debug files get signatures by these rules, too.
    try database.run(
      """
      INSERT INTO redo (app, report, rule_set) SELECT app, id, ?2 FROM reports WHERE app = ?1
      ON CONFLICT (report) DO UPDATE SET rule_set = ?2, problem = NULL
      WHERE redo.problem IS NOT NULL
      """, app, record.number)
  }

  /// Returns the number and the digest of the rules in force; `nil` where none were ever chosen.
  static func newest(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> (number: Int, digest: String)? {
    let rows = try database.prepare(
      "SELECT number, digest FROM rule_sets WHERE app = ?1 ORDER BY number DESC LIMIT 1", [app])
    return try rows.step() ? (rows.int("number"), rows.text("digest")) : nil
  }
}
