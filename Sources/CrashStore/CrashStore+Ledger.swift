public import CrashModel
internal import SQLite

extension CrashStore {
  /// Counts files that were refused, all of them or none. The same bytes, refused for the same
  /// reason from the same place, count once.
  ///
  /// - Parameter app: The app that they were meant for; `nil` where nobody said.
  /// - Throws: ``StoreError/invalidAppName(_:)``; `DatabaseError`.
  public func refuse(_ files: [Refusal], app: String?, time: Timestamp) throws {
    if let app, !AppName.isValid(app) { throw StoreError.invalidAppName(app) }
    guard !files.isEmpty else { return }
    try write { database in
      for file in files {
        try database.run(
          """
          INSERT INTO refused (app, source, reason, digest, time) VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT DO NOTHING
          """, app ?? "", file.source, file.reason, file.digest, time.microseconds)
      }
    }
  }

  /// What was refused: how many files for each app and reason, the most frequent first.
  ///
  /// - Throws: `DatabaseError`.
  public func refusals() throws -> [RefusalCount] {
    try read { database in
      let rows = try database.prepare(
        """
        SELECT app, reason, count(*), min(source) FROM refused
        GROUP BY app, reason ORDER BY count(*) DESC, app, reason
        """)
      var counts: [RefusalCount] = []
      while try rows.step() {
        let app = rows.text(0)
        counts.append(
          RefusalCount(
            app: app.isEmpty ? nil : app, reason: rows.text(1), files: rows.int(2),
            example: rows.text(3)))
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
