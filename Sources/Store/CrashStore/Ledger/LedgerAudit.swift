internal import Database

/// The ledger, and everything that it counts, recounted in the same transaction.
struct LedgerAudit {
  private(set) var ledger = Ledger()

  /// - Parameters:
  ///   - app: The only app to include; empty for the account without an app.
  ///   - isCounted: Whether to recount; otherwise the kept amounts are computed from the ledger, too.
  init(app: String?, isCounted: Bool = true, in database: borrowing Connection) throws {
    let names = try Self.names(app, in: database)
    for name in names {
      let lines = try Lines(of: name, in: database)
      let row = try AppsTable.find(name, in: database)?.row
      var account = account(name, lines)
      if isCounted {
        account.kept = try Self.submissions("submissions", of: row, in: database)
        account.reportsKept = try Self.reports(of: row, in: database)
        try audit(name, row, lines, in: database)
      }
      ledger.accounts.append(account)
    }
  }

  private static func names(
    _ app: String?, in database: borrowing Connection
  ) throws -> [String] {
    let rows = try database.prepare(
      """
      SELECT name FROM apps WHERE name = ?1 OR ?1 IS NULL
      UNION SELECT app FROM ledger WHERE app = ?1 OR ?1 IS NULL
      UNION SELECT app FROM refused WHERE app = ?1 OR ?1 IS NULL ORDER BY 1
      """, [app])
    var names: [String] = []
    while try rows.step() { try names.append(rows.text("name")) }
    return names
  }

  /// The ledger lines of an app.
  private struct Lines {
    private var totals: [LedgerEntry: LedgerTotal] = [:]

    init(of app: String, in database: borrowing Connection) throws {
      let rows = try database.prepare(
        """
        SELECT what, reason, sum(count) AS count, sum(bytes) AS bytes FROM ledger WHERE app = ?1
        GROUP BY what, reason ORDER BY what, sum(count) DESC, reason
        """, [app])
      while try rows.step() {
        guard let entry = try LedgerEntry(rawValue: rows.text("what")) else { continue }
        let amount = try LedgerAmount(count: rows.int("count"), bytes: rows.int("bytes"))
        totals[entry, default: LedgerTotal()].amount =
          totals[entry, default: LedgerTotal()].amount + amount
        guard try !rows.text("reason").isEmpty else { continue }
        try totals[entry, default: LedgerTotal()].parts.append(
          LedgerTotal.ReasonAmount(reason: rows.text("reason"), amount: amount))
      }
    }

    subscript(_ entry: LedgerEntry) -> LedgerTotal { totals[entry] ?? LedgerTotal() }
    func amount(_ entry: LedgerEntry) -> LedgerAmount { self[entry].amount }
  }

  private func account(_ name: String, _ lines: Lines) -> LedgerAccount {
    var account = LedgerAccount(app: name.isEmpty ? nil : name)
    account.received = lines.amount(.received)
    account.stored = lines.amount(.stored)
    account.counted = lines[.counted]
    account.duplicates = lines[.duplicate]
    account.refused = lines[.refused]
    account.expired = lines[.expired]
    account.removed = lines.amount(.removed)
    account.reportsStored = lines.amount(.reportsStored).count
    account.reportsExpired = lines[.reportsExpired]
    account.reportsRemoved = lines.amount(.reportsRemoved).count
    account.reportsCounted = lines[.reportsCounted]
    account.reportsLeftOut = lines[.reportsLeftOut]
    account.kept = account.stored - account.expired.amount - account.removed
    account.reportsKept =
      account.reportsStored - account.reportsExpired.amount.count - account.reportsRemoved
    return account
  }

  private static func submissions(
    _ table: String, of app: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> LedgerAmount {
    let rows = try database.prepare(
      "SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM \(table) WHERE app = ?1",
      [app]
    )
    return try rows.step()
      ? LedgerAmount(count: rows.int("count"), bytes: rows.int("bytes")) : LedgerAmount()
  }

  private static func reports(
    of app: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> Int {
    try database.requiredInteger("SELECT count(*) FROM reports WHERE app = ?1", app)
  }

  private mutating func audit(
    _ name: String, _ row: RowID<Tables.Apps>?, _ lines: Lines, in database: borrowing Connection
  ) throws {
    let app = name.isEmpty ? nil : name
    compare(
      app, "received: stored, only counted, known before and refused", lines.amount(.received),
      lines.amount(.stored) + lines.amount(.counted) + lines.amount(.duplicate)
        + lines.amount(.refused))
    compare(
      app, "stored, not expired and not removed: submissions",
      lines.amount(.stored) - lines.amount(.expired) - lines.amount(.removed),
      try Self.submissions("submissions", of: row, in: database))
    compare(
      app, "expired, removed and only counted: submissions that are remembered",
      lines.amount(.expired) + lines.amount(.removed) + lines.amount(.counted),
      try Self.submissions("past_submissions", of: row, in: database))
    let stored = lines.amount(.reportsStored).count
    let past = lines.amount(.reportsExpired).count + lines.amount(.reportsRemoved).count
    compare(
      app, "reports stored, not expired and not removed: reports", stored - past,
      try Self.reports(of: row, in: database))
    let counted = lines.amount(.reportsCounted).count
    compare(
      app, "reports expired, removed and only counted: reports that are remembered", past + counted,
      try Self.past("past_reports", of: row, in: database))
    compare(
      app, "reports only counted: rows of counted reports", counted,
      try Self.past("counted_reports", of: row, in: database))
    compare(
      app, "reports stored and only counted: reports that groups count", stored + counted,
      try Self.sum("groups.reports", of: nil, app: row, in: database))
    compare(
      app, "reports stored and only counted: reports that counters count", stored + counted,
      try Self.sum("count", of: "counters", app: row, in: database))
    try auditRefused(name, lines, in: database)
    try auditGroups(app, row, in: database)
  }

  /// Returns the sum of a column of groups, or of a table with rows for each group.
  private static func sum(
    _ column: String, of table: String?, app: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> Int {
    let join = table.map { "JOIN \($0) ON \($0).grp = groups.id" } ?? ""
    return try database.requiredInteger(
      "SELECT coalesce(sum(\(column)), 0) FROM groups \(join) WHERE groups.app = ?1", app)
  }

  /// - Parameter table: A table that counts, by origin, reports that are not stored.
  private static func past(
    _ table: String, of app: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> Int {
    try database.requiredInteger(
      """
      SELECT coalesce(sum(count), 0) FROM \(table) JOIN origins ON origins.id = \(table).origin
        JOIN groups ON groups.id = origins.grp WHERE groups.app = ?1
      """, app)
  }

  private mutating func auditRefused(
    _ name: String, _ lines: Lines, in database: borrowing Connection
  ) throws {
    let app = name.isEmpty ? nil : name
    var counted: [String: LedgerAmount] = [:]
    let rows = try database.prepare(
      "SELECT reason, count(*) AS count, sum(bytes) AS bytes FROM refused WHERE app = ?1 GROUP BY reason",
      [name])
    while try rows.step() {
      try counted[rows.text("reason")] = LedgerAmount(
        count: rows.int("count"), bytes: rows.int("bytes"))
    }
    var listed: [String: LedgerAmount] = [:]
    for part in lines[.refused].parts { listed[part.reason] = part.amount }
    for reason in Set(counted.keys).union(listed.keys).sorted() {
      compare(
        app, "refused, \(reason): files that are remembered", listed[reason] ?? LedgerAmount(),
        counted[reason] ?? LedgerAmount())
    }
  }

  /// Checks the totals of each group against its rows.
  private mutating func auditGroups(
    _ app: String?, _ row: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws {
    for (what, column, count) in [
      (
        "reports, and those that are remembered", "reports",
        """
        (SELECT count(*) FROM reports WHERE grp = groups.id)
          + (SELECT coalesce(sum(count), 0) FROM past_reports
            JOIN origins ON origins.id = past_reports.origin WHERE origins.grp = groups.id)
        """
      ),
      (
        "counters", "reports",
        "(SELECT coalesce(sum(count), 0) FROM counters WHERE grp = groups.id)"
      ),
      (
        "installations", "installs",
        "(SELECT count(DISTINCT install) FROM group_installs WHERE grp = groups.id)"
      ),
    ] {
      let rows = try database.prepare(
        """
        SELECT apps.prefix || '-' || groups.number AS group_name, groups.\(column) AS kept,
          \(count) AS counted
        FROM groups JOIN apps ON apps.id = groups.app
        WHERE groups.app = ?1 AND groups.\(column) != \(count) ORDER BY groups.id LIMIT 20
        """, [row])
      while try rows.step() {
        try ledger.faults.append(
          LedgerFault(
            app: app, what: "group \(rows.text("group_name")): \(what)", ledger: rows.int("kept"),
            counted: rows.int("counted")))
      }
    }
  }

  private mutating func compare(
    _ app: String?, _ what: String, _ ledger: LedgerAmount, _ counted: LedgerAmount
  ) {
    compare(app, what, ledger.count, counted.count)
    compare(app, what + ", bytes", ledger.bytes, counted.bytes)
  }

  private mutating func compare(_ app: String?, _ what: String, _ ledger: Int, _ counted: Int) {
    guard ledger != counted else { return }
    self.ledger.faults.append(
      LedgerFault(app: app, what: what, ledger: ledger, counted: counted))
  }
}
