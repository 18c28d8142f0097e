internal import Database
public import Identifiers

/// The releases of apps and their order, by which a report shows whether a group was fixed.
extension CrashStore.Releases {
  /// Returns the releases of one app or of all, oldest first.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func list(of app: String? = nil) throws -> [ReleaseRecord] {
    try store.read { database in
      var apps: [(name: String, row: RowID<Tables.Apps>)] = []
      if let app {
        let found = try AppsTable.known(app, in: database)
        apps = [(app, found.row)]
      } else {
        let rows = try database.prepare("SELECT name, id FROM apps ORDER BY name")
        while try rows.step() { try apps.append((rows.text("name"), rows.id("id"))) }
      }
      return try apps.flatMap { try Self.releases(of: $0.row, $0.name, in: database) }
    }
  }

  /// Adds releases that no report names yet; existing ones are left alone. An unknown app is created.
  ///
  /// - Returns: All releases of the app, oldest first.
  /// - Throws: ``StoreError/invalidAppName(_:)``, ``ActionError``; `DatabaseError`.
  @discardableResult
  public func add(_ releases: [Release], to app: String) throws -> [ReleaseRecord] {
    guard AppName.isValid(app) else { throw StoreError.invalidAppName(app) }
    for release in releases {
      for text in [release.version, release.build] where !text.isEmpty && !AppName.isValid(text) {
        throw ActionError.invalidName(text)
      }
      if release.isEmpty { throw ActionError.invalidName("") }
    }
    return try store.act(.apps([app])) { database, now in
      try AppsTable.check(named: app, in: database)
      let row = try AppsTable.app(named: app, in: database).row
      for release in releases {
        try database.insert(
          into: "releases",
          [
            "app": row, "version": release.version, "build": release.build,
            "added": now.microseconds,
          ],
          onConflict: "ON CONFLICT DO NOTHING")
      }
      return try Self.releases(of: row, app, in: database)
    }
  }

  /// Deletes releases that no report names.
  ///
  /// - Returns: The remaining releases, oldest first.
  /// - Throws: ``StoreError/notFound(_:)``, ``ActionError``; `DatabaseError`.
  @discardableResult
  public func remove(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    try store.act(.apps([app])) { database, _ in
      let row = try AppsTable.known(app, in: database).row
      for release in try Self.known(releases, of: row, app, in: database) {
        try database.run(
          """
          DELETE FROM releases WHERE app = ?1 AND version = ?2 AND build = ?3 AND reports = 0
          """, row, release.version, release.build)
        if database.changes == 0 {
          throw ActionError.releaseHasReports(release.name, app: app)
        }
      }
      return try Self.releases(of: row, app, in: database)
    }
  }

  /// Puts releases in order: the named ones follow each other, at the position of the first of them; the
  /// others stay as they are. A version without a build means all of its builds.
  ///
  /// - Returns: All releases of the app, oldest first.
  /// - Throws: ``StoreError/notFound(_:)``, ``ActionError``; `DatabaseError`.
  @discardableResult
  public func setOrder(of app: String, _ releases: [Release]) throws -> [ReleaseRecord] {
    try store.act(.apps([app])) { database, _ in
      let row = try AppsTable.known(app, in: database).row
      let named = try Self.known(releases, of: row, app, in: database)
      let all = try Self.releases(of: row, app, in: database).map(\.release)
      let rest = Set(named.dropFirst())
      let order = all.filter { !rest.contains($0) }.flatMap { $0 == named.first ? named : [$0] }
      for (position, release) in order.enumerated() {
        try database.run(
          "UPDATE releases SET position = ?4 WHERE app = ?1 AND version = ?2 AND build = ?3", row,
          release.version, release.build, position)
      }
      try DistributionHistory.raiseGeneration(in: database)
      return try Self.releases(of: row, app, in: database)
    }
  }

  /// Makes the order of the releases follow from their numbers again.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  @discardableResult
  public func resetOrder(of app: String) throws -> [ReleaseRecord] {
    try store.act(.apps([app])) { database, _ in
      let row = try AppsTable.known(app, in: database).row
      try database.run("UPDATE releases SET position = NULL WHERE app = ?1", row)
      try DistributionHistory.raiseGeneration(in: database)
      return try Self.releases(of: row, app, in: database)
    }
  }

  /// Returns the newest release in which a group was seen, unless it precedes `release`.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func newest(
    ofGroup name: String, notBefore release: Release
  ) throws -> Release? {
    try store.read { database in
      let group = try CrashStore.Groups.groupRow(named: name, in: database)
      let app: RowID<Tables.Apps> = try database.requiredID(
        "SELECT app FROM groups WHERE id = ?1", group)
      guard let newest = try ReleasesTable.newest(inGroup: group, of: app, in: database) else {
        return nil
      }
      if release.build.isEmpty, newest.isBuild(of: release) { return newest }
      let order = try ReleasesTable.order(of: app, in: database)
      return order.precedes(newest, release) ? nil : newest
    }
  }

  /// Returns the releases of these names, each once; a version without a build means all of its builds.
  private static func known(
    _ names: [Release], of row: RowID<Tables.Apps>, _ app: String, in database: borrowing Connection
  ) throws -> [Release] {
    let all = try releases(of: row, app, in: database).map(\.release)
    var known: [Release] = []
    for name in names {
      let found = all.filter {
        $0 == name || name.build.isEmpty && $0.version == name.version
      }
      guard !found.isEmpty else {
        let near = all.last { $0.version.hasPrefix(name.version) }
        throw ActionError.noSuchRelease(name.name, app: app, near: near?.name)
      }
      known += found.filter { !known.contains($0) }
    }
    return known
  }

  private static func releases(
    of row: RowID<Tables.Apps>, _ app: String, in database: borrowing Connection
  ) throws -> [ReleaseRecord] {
    let order = try ReleasesTable.order(of: row, in: database)
    let rows = try database.prepare(
      """
      SELECT version, build, position IS NOT NULL AS is_placed, added, first_seen, last_seen, reports
      FROM releases WHERE app = ?1
      """, [row])
    var records: [ReleaseRecord] = []
    while try rows.step() {
      try records.append(
        ReleaseRecord(
          app: app, release: Release(version: rows.text("version"), build: rows.text("build")),
          isPlaced: rows.bool("is_placed"), added: rows.timestamp("added"),
          firstSeen: rows.optionalTimestamp("first_seen"),
          lastSeen: rows.optionalTimestamp("last_seen"),
          reports: rows.int("reports")))
    }
    return records.sorted { order.precedes($0.release, $1.release) }
  }
}
