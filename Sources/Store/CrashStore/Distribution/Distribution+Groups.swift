internal import Database
internal import Identifiers
public import Updates

/// Recipients of releases: groups of testers, and the public.
extension CrashStore.Distribution {
  /// Returns the groups of an app, by name. The group of its collaborators always exists.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func groups(of app: String) throws -> [DistributionGroup] {
    let groups = try store.read { database in
      let found = try AppsTable.known(app, in: database)
      return try DistributionTables.groups(of: found.row, found.name, in: database)
    }
    if groups.contains(where: { $0.name == DistributionGroup.collaborators }) { return groups }
    return try store.act(.apps([app])) { database, now in
      let found = try AppsTable.known(app, in: database)
      try DistributionTables.ensureCollaborators(
        of: found.row, now: now.microseconds, in: database)
      try DistributionHistory.raiseGeneration(in: database)
      return try DistributionTables.groups(of: found.row, found.name, in: database)
    }
  }

  /// Returns the group with this name or id.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError/noSuchGroup(_:app:)``; `DatabaseError`.
  public func group(_ name: String, of app: String) throws -> DistributionGroup {
    let groups = try groups(of: app)
    guard
      let group = groups.first(where: { $0.name == name }) ?? groups.first(where: { $0.id == name })
    else { throw DistributionError.noSuchGroup(name, app: app) }
    return group
  }

  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func addGroup(
    _ name: String, isPublic: Bool, to app: String, by author: String
  ) throws -> DistributionGroup {
    try change(app, by: author) { database, row, now, note in
      try Self.check(name: name)
      try DistributionTables.ensureCollaborators(of: row, now: now.microseconds, in: database)
      try database.insert(
        into: "distribution_groups",
        [
          "app": row, "id": DistributionTables.makeID(), "name": name, "public": isPublic,
          "created": now.microseconds,
        ], onConflict: "ON CONFLICT DO NOTHING")
      guard database.changes > 0 else { throw DistributionError.groupExists(name, app: app) }
      try note(.groupAdded, name + (isPublic ? ", public" : ""))
      return try DistributionTables.group(name, of: row, app, in: database)
    }
  }

  /// Renames a group, or makes it public or private. A value that is `nil` is left unchanged.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  @discardableResult
  public func editGroup(
    _ name: String, of app: String, name newName: String? = nil, isPublic: Bool? = nil,
    by author: String
  ) throws -> DistributionGroup {
    try change(app, by: author) { database, row, now, note in
      try DistributionTables.ensureCollaborators(of: row, now: now.microseconds, in: database)
      let group = try DistributionTables.group(name, of: row, app, in: database)
      if let newName, newName != group.name {
        guard group.name != DistributionGroup.collaborators else {
          throw DistributionError.cannotRemove(group.name)
        }
        try Self.check(name: newName)
        let taken = try database.integer(
          "SELECT 1 FROM distribution_groups WHERE app = ?1 AND name = ?2", row, newName)
        guard taken == nil else { throw DistributionError.groupExists(newName, app: app) }
        try database.run(
          "UPDATE distribution_groups SET name = ?3 WHERE app = ?1 AND id = ?2", row, group.id,
          newName)
        try note(.groupRenamed, "\(group.name) to \(newName)")
      }
      if let isPublic, isPublic != group.isPublic {
        try database.run(
          "UPDATE distribution_groups SET public = ?3 WHERE app = ?1 AND id = ?2", row, group.id,
          isPublic)
        try note(isPublic ? .groupOpened : .groupClosed, newName ?? group.name)
      }
      return try DistributionTables.group(group.id, of: row, app, in: database)
    }
  }

  /// Removes a group; its testers stay, in one group fewer.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func removeGroup(_ name: String, of app: String, by author: String) throws {
    try change(app, by: author) { database, row, _, note in
      let group = try DistributionTables.group(name, of: row, app, in: database)
      guard group.name != DistributionGroup.collaborators else {
        throw DistributionError.cannotRemove(group.name)
      }
      try database.run(
        "DELETE FROM distribution_members WHERE app = ?1 AND distribution_group = ?2", row, group.id
      )
      try database.run(
        "DELETE FROM artefact_destinations WHERE app = ?1 AND kind = 'group' AND id = ?2", row,
        group.id)
      try database.run(
        "DELETE FROM distribution_groups WHERE app = ?1 AND id = ?2", row, group.id)
      try note(.groupRemoved, group.name)
    }
  }

  private static func check(name: String) throws {
    guard AppName.isValid(name) else { throw DistributionError.invalidName(name) }
  }

  typealias Note = (DistributionEvent.Kind, String) throws -> Void

  /// Changes data of an app that belongs to no release, in one transaction.
  func change<Result: Sendable>(
    _ app: String, by author: String,
    _ body: (borrowing Connection, RowID<Tables.Apps>, Timestamp, Note) throws -> Result
  ) throws -> Result {
    try store.act(.apps([app])) { database, now in
      let row = try AppsTable.known(app, in: database).row
      // The connection cannot be captured: history lines are written after the change.
      var lines: [(DistributionEvent.Kind, String)] = []
      let result = try body(database, row, now) { lines.append(($0, $1)) }
      for (kind, detail) in lines {
        try DistributionHistory.note(kind, detail, by: author, at: now, app: row, in: database)
      }
      return result
    }
  }
}
