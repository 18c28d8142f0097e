public import CrashModel
internal import SQLite

extension CrashStore {
  /// Counts files that were refused, all of them or none. The same bytes, refused for the same
  /// reason from the same place, count once.
  ///
  /// - Throws: ``StoreError/invalidAppName(_:)``; `DatabaseError`.
  public func refuse(_ files: [Refusal], app: String, time: Timestamp) throws {
    guard AppName.isValid(app) else { throw StoreError.invalidAppName(app) }
    guard !files.isEmpty else { return }
    try write { database in
      let app = try AppBook.app(named: app, in: database)
      for file in files {
        try database.run(
          """
          INSERT INTO refused (app, source, reason, digest, time) VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT DO NOTHING
          """, app.row, file.source, file.reason, file.digest, time.microseconds)
      }
    }
  }

  /// What was refused: how many files for each reason, the most frequent first.
  ///
  /// - Throws: `DatabaseError`.
  public func refusals() throws -> [RefusalCount] {
    try read { database in
      let rows = try database.prepare(
        """
        SELECT apps.name, refused.reason, count(*), min(refused.source) FROM refused
        JOIN apps ON apps.id = refused.app
        GROUP BY refused.app, refused.reason ORDER BY count(*) DESC, apps.name, refused.reason
        """)
      var counts: [RefusalCount] = []
      while try rows.step() {
        counts.append(
          RefusalCount(
            app: rows.text(0), reason: rows.text(1), files: rows.int(2), example: rows.text(3)))
      }
      return counts
    }
  }

  /// The apps by name.
  ///
  /// - Throws: `DatabaseError`.
  public func apps() throws -> [AppRecord] {
    try read { database in
      let rows = try database.prepare("SELECT name, prefix, intake_key FROM apps ORDER BY name")
      var apps: [AppRecord] = []
      while try rows.step() {
        apps.append(AppRecord(name: rows.text(0), prefix: rows.text(1), intakeKey: rows.text(2)))
      }
      return apps
    }
  }
}
