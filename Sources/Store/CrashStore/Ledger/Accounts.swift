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
      var sheet = LedgerBatch()
      try sheet.refuse(files, app: app, time: time, in: database)
      try sheet.write(to: database)
    }
  }

  /// Counts a submission that is discarded from the quarantine as refused: once, even if a process was killed
  /// before it could delete it.
  ///
  /// - Parameters:
  ///   - id: The submission.
  ///   - app: The app that it was meant for; `nil` where none was given.
  /// - Throws: ``StoreError/invalidAppName(_:)``; `DatabaseError`.
  public func discard(
    _ refusal: Refusal, of id: IntakeID, app: String?, time: Timestamp
  ) throws {
    if let app, !AppName.isValid(app) { throw StoreError.invalidAppName(app) }
    try store.write(app.map { .apps([$0]) } ?? .global) { database in
      guard try IntakeProgress.discard(id, in: database) else { return }
      var sheet = LedgerBatch()
      try sheet.refuse([refusal], app: app, time: time, in: database)
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
