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
        let artefacts = try ArtefactsTable.all(of: app.row, app.name, in: database)
        var updates = AppUpdates(
          app: app.name, artefacts: artefacts.filter(\.isEnabled),
          groups: try DistributionTables.groups(of: app.row, app.name, in: database),
          testers: try DistributionTables.testers(of: app.row, in: database), salt: app.keyName)
        updates.rollouts = try Self.rollouts(of: app.row, in: database)
        updates.settings = try Self.settings(of: app.row, in: database)
        updates.order = try ReleasesTable.order(of: app.row, in: database)
        if !updates.artefacts.isEmpty {
          updates.knownFixes = try KnownFixes.all(of: app.row, in: database)
          updates.releasesByHash = try KnownFixes.builds(
            with: updates.knownFixes, of: app.row, artefacts, in: database)
        }
        // What a file says is surer than what follows from reports.
        for artefact in artefacts {
          for hash in artefact.package.hashes { updates.releasesByHash[hash] = artefact.release }
        }
        catalog.apps[app.name] = updates
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
}
