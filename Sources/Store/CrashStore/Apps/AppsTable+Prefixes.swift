internal import Database

extension AppsTable {
  /// Returns a prefix for the groups of a new app that no other app has, or had.
  static func freePrefix(for name: String, in database: borrowing Connection) throws -> String {
    var attempt = 0
    var prefix = AppName.prefix(of: name, attempt: attempt)
    while try owner(ofPrefix: prefix, in: database) != nil {
      attempt += 1
      prefix = AppName.prefix(of: name, attempt: attempt)
    }
    return prefix
  }

  /// Returns the app whose groups' ids begin with this prefix, or once did.
  static func owner(
    ofPrefix prefix: String, in database: borrowing Connection
  ) throws -> RowID<Tables.Apps>? {
    try database.id(
      """
      SELECT id FROM apps WHERE prefix = ?1 UNION ALL SELECT app FROM former_prefixes WHERE prefix = ?1
      """, prefix)
  }

  /// Changes the prefix of the ids of an app's groups. Ids with the old prefix still find the same groups.
  static func setPrefix(
    _ prefix: String, of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO former_prefixes (prefix, app) SELECT prefix, id FROM apps WHERE id = ?1 AND prefix != ?2
      """, app, prefix)
    try database.run("DELETE FROM former_prefixes WHERE prefix = ?1 AND app = ?2", prefix, app)
    try database.run("UPDATE apps SET prefix = ?2 WHERE id = ?1", app, prefix)
    try DistributionHistory.raiseGeneration(in: database)
  }
}

extension CrashStore.Apps {
  /// Changes the prefix of the ids of an app's groups: `TERN-12` becomes `TILL-12`. Ids with the old prefix
  /// still find the same groups.
  ///
  /// - Parameter prefix: In either letter case.
  /// - Throws: ``StoreError/invalidPrefix(_:)``, ``StoreError/prefixTaken(_:by:)``,
  ///   ``StoreError/notFound(_:)``; `DatabaseError`.
  public func setPrefix(_ prefix: String, of app: String) throws {
    let prefix = prefix.uppercased()
    guard AppName.isValidPrefix(prefix) else { throw StoreError.invalidPrefix(prefix) }
    try store.write(.global) { database in
      let found = try AppsTable.known(app, in: database)
      if let owner = try AppsTable.owner(ofPrefix: prefix, in: database), owner != found.row {
        throw StoreError.prefixTaken(prefix, by: try AppsTable.name(of: owner, in: database))
      }
      try AppsTable.setPrefix(prefix, of: found.row, in: database)
    }
  }
}
