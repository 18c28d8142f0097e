internal import Database
internal import TriageModel

extension CrashStore.Apps {
  /// Returns the apps by name.
  ///
  /// - Throws: `DatabaseError`.
  public func list() throws -> [AppRecord] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT name, prefix, intake_key, keep_days, keep_bytes, keep_per_group, keep_per_day, link,
          \(TrackersTable.columns)
        FROM apps LEFT JOIN trackers ON trackers.app = apps.id
        ORDER BY name
        """)
      var apps: [AppRecord] = []
      while try rows.step() {
        var app = try AppRecord(
          name: rows.text("name"), prefix: rows.text("prefix"),
          intakeKey: rows.text("intake_key"),
          retention: Retention(
            days: rows.optionalInt("keep_days"), bytes: rows.optionalInt("keep_bytes"),
            perGroup: rows.optionalInt("keep_per_group"),
            perDay: rows.optionalInt("keep_per_day")),
          linking: rows.optionalText("link").flatMap { LinkPolicy($0) })
        if try !rows.isNull("tracker") { app.tracker = try TrackersTable.tracker(rows) }
        apps.append(app)
      }
      // A single query for the secrets, which have no index by app.
      var secrets: [String: [String]] = [:]
      let all = try database.prepare(
        """
        SELECT name, secret FROM app_secrets JOIN apps ON apps.id = app
        ORDER BY app_secrets.created, secret
        """)
      while try all.step() { try secrets[all.text("name"), default: []].append(all.text("secret")) }
      let protections = try Self.protections(in: database)
      for index in apps.indices {
        apps[index].secrets = secrets[apps[index].name] ?? []
        apps[index].protection = protections[apps[index].name] ?? ReportProtection()
      }
      return apps
    }
  }

  /// Returns the app with an intake key; `nil` where no app has it.
  ///
  /// - Throws: `DatabaseError`.
  public func app(ofIntakeKey key: String) throws -> String? {
    try store.read { try $0.text("SELECT name FROM apps WHERE intake_key = ?1", key) }
  }

  /// Whether an app currently has this name.
  ///
  /// - Throws: `DatabaseError`.
  public func contains(named name: String) throws -> Bool {
    try store.read { try $0.integer("SELECT 1 FROM apps WHERE name = ?1", name) != nil }
  }

  /// Returns the error for a name that no app has; its text suggests an app with a similar name.
  ///
  /// - Throws: `DatabaseError`.
  public func unknown(_ name: String) throws -> StoreError {
    try store.read { try AppsTable.unknown(name, in: $0) }
  }

  /// Returns the current name of an app of the store, by any of its names.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, unlike ``name(of:)``; `DatabaseError`.
  public func existingName(of app: String) throws -> String {
    try store.read { database in
      let found = try AppsTable.known(app, in: database)
      return try AppsTable.name(of: found.row, in: database)
    }
  }

  /// Returns the number of groups of an app; redirected groups are not counted.
  ///
  /// - Throws: `DatabaseError`.
  public func groupCount(of app: String) throws -> Int {
    try store.read { database in
      try database.requiredInteger(
        """
        SELECT count(*) FROM groups JOIN apps ON apps.id = groups.app
        WHERE apps.name = ?1 AND groups.redirect IS NULL
        """, app)
    }
  }
}
