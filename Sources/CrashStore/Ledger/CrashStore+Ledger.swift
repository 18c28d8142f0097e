public import CrashModel
internal import Database

extension CrashStore {
  /// Counts files that were refused, all of them or none. The same bytes, refused for the same
  /// reason from the same place, are a duplicate from the second time on.
  ///
  /// - Parameter app: The app that they were meant for; `nil` where nobody said.
  /// - Throws: ``StoreError/invalidAppName(_:)``; `DatabaseError`.
  public func refuse(_ files: [Refusal], app: String?, time: Timestamp) throws {
    if let app, !AppName.isValid(app) { throw StoreError.invalidAppName(app) }
    guard !files.isEmpty else { return }
    try write { database in
      let app = try app.map { try AppsTable.find($0, in: database)?.name ?? $0 }
      var sheet = LedgerSheet()
      for file in files {
        try database.insert(
          into: "refused",
          [
            "app": app ?? "", "source": file.source, "reason": file.reason, "digest": file.digest,
            "time": time.microseconds, "bytes": file.byteCount,
          ],
          onConflict: "ON CONFLICT DO NOTHING")
        let isNew = database.changes > 0
        sheet.receive(
          isNew ? .refused : .duplicate, app: app ?? "", day: time.day,
          reason: isNew ? file.reason : "refused before", bytes: file.byteCount)
      }
      try sheet.write(to: database)
    }
  }

  /// Counts submissions that were found to be known before they were stored again, as
  /// ``hasSubmission(digest:app:)`` tells.
  ///
  /// - Throws: ``StoreError/invalidAppName(_:)``; `DatabaseError`.
  public func countDuplicates(
    _ count: Int, bytes: Int, app: String, time: Timestamp
  ) throws {
    guard AppName.isValid(app) else { throw StoreError.invalidAppName(app) }
    try write { database in
      var sheet = LedgerSheet()
      sheet.receive(
        .duplicate, app: try AppsTable.find(app, in: database)?.name ?? app, day: time.day,
        count: count, bytes: bytes)
      try sheet.write(to: database)
    }
  }

  /// What was refused: how many files for each app and reason, the most frequent first.
  ///
  /// - Throws: `DatabaseError`.
  public func refusals() throws -> [RefusalCount] {
    try read { database in
      let rows = try database.prepare(
        """
        SELECT app, reason, count(*) AS count, min(source) AS first_source FROM refused
        GROUP BY app, reason ORDER BY count(*) DESC, app, reason
        """)
      var counts: [RefusalCount] = []
      while try rows.step() {
        let app = try rows.text("app")
        try counts.append(
          RefusalCount(
            app: app.isEmpty ? nil : app, reason: rows.text("reason"), files: rows.int("count"),
            example: rows.text("first_source")))
      }
      return counts
    }
  }

  /// All that came and what became of it, compared with what is counted afresh.
  ///
  /// - Parameter app: The only app to look at; `nil` for all.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(reports).
  public func ledger(app: String? = nil) throws -> Ledger {
    let ledger = try read { try LedgerAudit(app: app, in: $0).ledger }
    if let app, ledger.accounts.isEmpty { throw StoreError.notFound(app) }
    return ledger
  }

  /// The accounts of the apps as they stand in the books, without counting anything afresh.
  ///
  /// - Parameter app: The only app to look at; `nil` for all.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(days), however many reports there are.
  public func ledgerAccounts(app: String? = nil) throws -> [LedgerAccount] {
    let ledger = try read { try LedgerAudit(app: app, isCounted: false, in: $0).ledger }
    if let app, ledger.accounts.isEmpty { throw StoreError.notFound(app) }
    return ledger.accounts
  }

  /// The apps by name.
  ///
  /// - Throws: `DatabaseError`.
  public func apps() throws -> [AppRecord] {
    try read { database in
      let rows = try database.prepare(
        """
        SELECT name, prefix, intake_key, keep_days, keep_bytes, keep_per_group FROM apps
        ORDER BY name
        """)
      var apps: [AppRecord] = []
      while try rows.step() {
        try apps.append(
          AppRecord(
            name: rows.text("name"), prefix: rows.text("prefix"),
            intakeKey: rows.text("intake_key"),
            retention: Retention(
              days: rows.optionalInt("keep_days"), bytes: rows.optionalInt("keep_bytes"),
              perGroup: rows.optionalInt("keep_per_group"))
          ))
      }
      // One look at the secrets, which have no index by app.
      var secrets: [String: [String]] = [:]
      let all = try database.prepare(
        """
        SELECT name, secret FROM app_secrets JOIN apps ON apps.id = app
        ORDER BY app_secrets.created, secret
        """)
      while try all.step() { try secrets[all.text("name"), default: []].append(all.text("secret")) }
      for index in apps.indices { apps[index].secrets = secrets[apps[index].name] ?? [] }
      return apps
    }
  }

  /// The app with an intake key; `nil` where none has it.
  ///
  /// - Throws: `DatabaseError`.
  public func app(ofIntakeKey key: String) throws -> String? {
    try read { try $0.text("SELECT name FROM apps WHERE intake_key = ?1", key) }
  }

  /// Whether there is an app that is called so now.
  ///
  /// - Throws: `DatabaseError`.
  public func hasApp(named name: String) throws -> Bool {
    try read { try $0.integer("SELECT 1 FROM apps WHERE name = ?1", name) != nil }
  }
}

extension CrashStore {
  /// How many groups an app has; those that are another name of one are not counted.
  ///
  /// - Throws: `DatabaseError`.
  public func groupCount(of app: String) throws -> Int {
    try read { database in
      try database.requiredInteger(
        """
        SELECT count(*) FROM groups JOIN apps ON apps.id = groups.app
        WHERE apps.name = ?1 AND groups.redirect IS NULL
        """, app)
    }
  }

  /// How many debug files are kept, and their bytes.
  ///
  /// - Throws: `DatabaseError`.
  public func debugFileTotals() throws -> LedgerAmount {
    try read { database in
      let rows = try database.prepare(
        """
        SELECT count(*) AS count, coalesce(sum(size), 0) AS size
        FROM (SELECT max(size) AS size FROM debug_files GROUP BY digest) AS files
        """)
      return try rows.step()
        ? LedgerAmount(count: rows.int("count"), bytes: rows.int("size")) : LedgerAmount()
    }
  }
}
