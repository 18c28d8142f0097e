internal import Database
public import Identifiers

extension CrashStore.Accounts {
  /// Counts refused files, all of them or none. The same bytes, refused for the same reason from the same
  /// source, are a duplicate from the second time on.
  ///
  /// - Parameter app: The app that they were meant for; `nil` where none was given.
  /// - Throws: ``StoreError/invalidAppName(_:)``; `DatabaseError`.
  public func refuse(_ files: [Refusal], app: String?, time: Timestamp) throws {
    if let app, !AppName.isValid(app) { throw StoreError.invalidAppName(app) }
    guard !files.isEmpty else { return }
    try store.write(app.map { .apps([$0]) } ?? .global) { database in
      let app = try app.map { try AppsTable.find($0, in: database)?.name ?? $0 }
      var sheet = LedgerBatch()
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

  /// Counts submissions that were found to be known before they were stored again; see
  /// ``hasSubmission(digest:app:)``.
  ///
  /// - Throws: ``StoreError/invalidAppName(_:)``; `DatabaseError`.
  public func countDuplicates(
    _ count: Int, bytes: Int, app: String, time: Timestamp
  ) throws {
    guard AppName.isValid(app) else { throw StoreError.invalidAppName(app) }
    try store.write(app: app) { database in
      var sheet = LedgerBatch()
      sheet.receive(
        .duplicate, app: try AppsTable.find(app, in: database)?.name ?? app, day: time.day,
        count: count, bytes: bytes)
      try sheet.write(to: database)
    }
  }

  /// Returns the number of refused files for each app and reason, the most frequent first.
  ///
  /// - Throws: `DatabaseError`.
  public func refusals() throws -> [RefusalCount] {
    try store.read { database in
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

  /// Returns all that arrived and its outcomes, checked against a recount.
  ///
  /// - Parameter app: The only app to include; `nil` for all.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(reports).
  public func get(app: String? = nil) throws -> Ledger {
    let ledger = try store.read { try LedgerAudit(app: app, in: $0).ledger }
    if let app, ledger.accounts.isEmpty { throw try store.apps.unknown(app) }
    return ledger
  }

  /// Returns the accounts of the apps as in the ledger, without recounting anything.
  ///
  /// - Parameter app: The only app to include; `nil` for all.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(days), independent of the number of reports.
  public func accounts(app: String? = nil) throws -> [LedgerAccount] {
    let ledger = try store.read { try LedgerAudit(app: app, isCounted: false, in: $0).ledger }
    if let app, ledger.accounts.isEmpty { throw try store.apps.unknown(app) }
    return ledger.accounts
  }
}
