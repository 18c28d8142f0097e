internal import Database
internal import Identifiers
public import Updates

/// All offers to clients, read at once.
extension CrashStore.Distribution {
  /// Returns the generation of the catalog: it differs after each change of the offers to clients.
  ///
  /// - Throws: `DatabaseError`.
  public func generation() throws -> Int {
    try store.read { try Self.generation(in: $0) }
  }

  private static func generation(in database: borrowing Connection) throws -> Int {
    try database.requiredInteger("SELECT number FROM distribution_generation WHERE id = 1")
  }

  /// Returns all offers to clients, as of one moment.
  ///
  /// - Throws: ``StoreError/damaged(_:)``; `DatabaseError`.
  public func catalog() throws -> UpdateCatalog {
    let now = CrashStore.now.microseconds
    return try store.read { database in
      var catalog = UpdateCatalog(
        generation: try Self.generation(in: database), apps: [:], secrets: [:], tokens: [:])
      var apps: [(row: RowID<Tables.Apps>, name: String, keyName: String)] = []
      do {
        // The other apps have nothing to offer.
        let rows = try database.prepare(
          """
          SELECT id, name, coalesce(key_name, name) AS key_name FROM apps
          WHERE last_artefact > 0 OR id IN (SELECT app FROM update_settings)
            OR id IN (SELECT app FROM distribution_groups)
          """)
        while try rows.step() {
          try apps.append((rows.id("id"), rows.text("name"), rows.text("key_name")))
        }
      }
      for app in apps {
        catalog.apps[app.name] = try Self.updates(
          of: app.row, app.name, keyName: app.keyName, in: database)
      }
      catalog.configurations = try CrashStore.RemoteConfigurations.served(in: database)
      do {
        let rows = try database.prepare(
          "SELECT secret, name FROM app_secrets JOIN apps ON apps.id = app_secrets.app")
        while try rows.step() {
          let name = try rows.text("name")
          if catalog.apps[name] != nil || catalog.configurations[name] != nil {
            try catalog.secrets[rows.text("secret")] = name
          }
        }
      }
      let rows = try database.prepare(
        """
        SELECT hash, tester, name FROM tester_secrets JOIN apps ON apps.id = tester_secrets.app
        WHERE kind = '\(SecretKind.update.rawValue)' AND (expires IS NULL OR expires > ?1)
        """, [now])
      while try rows.step() {
        try catalog.tokens[rows.text("hash")] = UpdateToken(
          app: rows.text("name"), tester: rows.text("tester"))
      }
      return catalog
    }
  }

  /// Returns the offers to clients of one app.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/damaged(_:)``; `DatabaseError`.
  public func updates(of app: String) throws -> AppUpdates {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      let keyName = try database.requiredText(
        "SELECT coalesce(key_name, name) FROM apps WHERE id = ?1", app.row)
      return try Self.updates(of: app.row, app.name, keyName: keyName, in: database)
    }
  }

  /// Returns the systems from which reports of an app came.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func systems(of app: String) throws -> SeenSystems {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      let rows = try database.prepare(
        """
        SELECT DISTINCT value FROM group_spread JOIN groups ON groups.id = group_spread.grp
        WHERE groups.app = ?1 AND field = 'os'
        """, [app.row])
      var names: [String] = []
      while try rows.step() { try names.append(rows.text("value")) }
      return SeenSystems(names)
    }
  }

  /// - Parameter keyName: The name of the app when it was added.
  static func updates(
    of app: RowID<Tables.Apps>, _ name: String, keyName: String, in database: borrowing Connection
  ) throws -> AppUpdates {
    let artefacts = try ArtefactsTable.all(of: app, name, in: database)
    var updates = AppUpdates(
      app: name, artefacts: artefacts.filter(\.isEnabled),
      groups: try DistributionTables.groups(of: app, name, in: database),
      testers: try DistributionTables.testers(of: app, in: database), salt: keyName)
    updates.rollouts = try rollouts(of: app, in: database)
    updates.settings = try settings(of: app, in: database)
    updates.order = try ReleasesTable.order(of: app, in: database)
    if !updates.artefacts.isEmpty {
      updates.knownFixes = try KnownFixes.all(of: app, in: database)
      updates.releasesByHash = try KnownFixes.builds(
        with: updates.knownFixes, of: app, artefacts, in: database)
    }
    // What a file says is surer than what follows from reports.
    for artefact in artefacts {
      for hash in artefact.package.hashes { updates.releasesByHash[hash] = artefact.release }
    }
    return updates
  }
}
