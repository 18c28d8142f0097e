internal import Database
internal import Identifiers
internal import Query

/// Apps by the secrets that are compiled into them. A secret is an identifier, not a password: it is shown
/// shortened so that it is not mistaken for a complete one to copy.
extension CrashStore.Apps {
  /// Returns the name under which reports with this secret are signed and stored; for a secret without an
  /// app, creates one named `unknown-` and the start of the secret.
  ///
  /// - Parameter secret: In canonical spelling.
  /// - Throws: `DatabaseError`.
  public func app(forSecret secret: String) throws -> String {
    let known = try store.read { try AppsTable.keyName(ofSecret: secret, in: $0) }
    if let known { return known }
    return try store.write(.global) { database in
      if let known = try AppsTable.keyName(ofSecret: secret, in: database) { return known }
      let prefix = AppsTable.unknownPrefix
      var name = prefix + (AppName.valid(from: String(secret.prefix(8))) ?? "app")
      if try AppsTable.find(name, in: database) != nil {
        name = AppName.valid(from: prefix + secret) ?? name
      }
      let app = try AppsTable.app(named: name, in: database)
      try AppsTable.add(secret, to: app.row, in: database)
      return try AppsTable.keyName(of: app.row, in: database)
    }
  }

  /// Returns the named app that has this secret; `nil` for a secret that the user has not assigned.
  ///
  /// - Parameter secret: In canonical spelling.
  /// - Throws: `DatabaseError`.
  public func namedApp(ofSecret secret: String) throws -> String? {
    try store.read { database in
      let rows = try database.prepare(
        "SELECT apps.name FROM app_secrets JOIN apps ON apps.id = app WHERE secret = ?1", [secret])
      guard try rows.step() else { return nil }
      let name = try rows.text("name")
      return name.hasPrefix(AppsTable.unknownPrefix) ? nil : name
    }
  }

  /// Returns the name from which the ids and keys of an app's reports are derived: its first one.
  ///
  /// - Throws: `DatabaseError`.
  public func keyName(of app: String) throws -> String {
    try store.read { database in
      guard let found = try AppsTable.find(app, in: database) else { return app }
      return try AppsTable.keyName(of: found.row, in: database)
    }
  }

  /// Returns the current name of an app, by any of its names; an unknown name is returned as is.
  ///
  /// - Throws: `DatabaseError`.
  public func name(of app: String) throws -> String {
    try store.read { database in
      guard let found = try AppsTable.find(app, in: database) else { return app }
      return try AppsTable.name(of: found.row, in: database)
    }
  }

  /// Checks that a user may give an app this name.
  ///
  /// - Throws: ``StoreError/alike(_:other:)`` if there is no app of this name, but one whose name differs
  ///   only in letter case; `DatabaseError`.
  public func checkName(ofApp name: String) throws {
    try store.read { try AppsTable.check(new: name, in: $0) }
  }

  /// Creates an app, or adds a secret to one. Reports that arrived with the secret before stay where they
  /// are.
  ///
  /// - Throws: ``StoreError/invalidAppName(_:)``, `DatabaseError`.
  public func add(_ name: String, secret: String?) throws {
    guard AppName.isValid(name) else { throw StoreError.invalidAppName(name) }
    try store.write(.global) { database in
      try AppsTable.check(new: name, in: database)
      let app = try AppsTable.app(named: name, in: database)
      guard let secret else { return }
      try AppsTable.add(secret, to: app.row, in: database)
      try DistributionHistory.raiseGeneration(in: database)
    }
  }

  /// Names the app that was created for a secret; all of its reports then belong to the named app.
  ///
  /// - Parameter start: The secret, or an unambiguous prefix of it.
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/ambiguous(prefix:matches:)``; as
  ///   ``renameApp(_:to:)``.
  public func adopt(secret start: String, as name: String) throws {
    try rename(try app(ofSecretStarting: start).name, to: name)
  }

  /// Renames an app, with all of its reports, groups and counts. The ids of groups stay, but those of an app
  /// that was never named get a prefix derived from the name.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/invalidAppName(_:)``,
  ///   ``StoreError/nameTaken(_:)`` when another app has, or had, this name; `DatabaseError`.
  public func rename(_ old: String, to name: String) throws {
    guard AppName.isValid(name) else { throw StoreError.invalidAppName(name) }
    try store.write(.global) { database in
      let app = try AppsTable.known(old, in: database)
      let current = try AppsTable.name(of: app.row, in: database)
      guard name != current else { return }
      if let other = try AppsTable.find(name, in: database), other.row != app.row {
        throw StoreError.nameTaken(name)
      }
      // Only the letter case of its own name may change.
      if TextPattern.folded(name) != TextPattern.folded(current) {
        try AppsTable.check(new: name, in: database)
      }
      let isMeant = try database.integer("SELECT 1 FROM refused WHERE app = ?1 LIMIT 1", name)
      if isMeant != nil { throw StoreError.nameTaken(name) }
      if current.hasPrefix(AppsTable.unknownPrefix),
        try AppsTable.keyName(of: app.row, in: database) == current
      {
        try AppsTable.setPrefix(
          try AppsTable.freePrefix(for: name, in: database), of: app.row, in: database)
      }
      try database.run(
        "UPDATE apps SET key_name = coalesce(key_name, name), name = ?2 WHERE id = ?1", app.row,
        name)
      // Files may have been refused under the new name before there was such an app.
      try database.run(
        """
        INSERT INTO ledger (app, day, what, reason, count, bytes)
        SELECT ?2, day, what, reason, count, bytes FROM ledger WHERE app = ?1
        ON CONFLICT (app, day, what, reason) DO UPDATE SET count = ledger.count + excluded.count, bytes = ledger.bytes + excluded.bytes
        """, current, name)
      try database.run("DELETE FROM ledger WHERE app = ?1", current)
      try DistributionHistory.raiseGeneration(in: database)
      try database.run("UPDATE refused SET app = ?2 WHERE app = ?1", current, name)
    }
  }
}

extension AppsTable {
  /// Prefix of the names of unnamed apps, which were created for unknown secrets.
  static let unknownPrefix = "unknown-"

  static func add(
    _ secret: String, to app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "app_secrets", ["secret": secret, "app": app, "created": CrashStore.now.microseconds],
      onConflict: "ON CONFLICT (secret) DO UPDATE SET app = excluded.app")
  }

  static func name(of app: RowID<Tables.Apps>, in database: borrowing Connection) throws -> String {
    let rows = try database.prepare("SELECT name FROM apps WHERE id = ?1", [app])
    return try rows.step() ? rows.text("name") : ""
  }

  static func keyName(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> String {
    let rows = try database.prepare(
      "SELECT coalesce(key_name, name) AS key_name FROM apps WHERE id = ?1", [app])
    return try rows.step() ? rows.text("key_name") : ""
  }

  static func keyName(
    ofSecret secret: String, in database: borrowing Connection
  ) throws -> String? {
    let rows = try database.prepare(
      """
      SELECT coalesce(key_name, name) AS key_name FROM app_secrets JOIN apps ON apps.id = app_secrets.app
      WHERE secret = ?1
      """, [secret])
    return try rows.step() ? rows.text("key_name") : nil
  }
}
