internal import Database
internal import Identifiers

/// The table of releases, inside a transaction.
enum ReleasesTable {
  /// Returns the order of an app's releases: as set by the user, and by rules for the rest.
  static func order(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> ReleaseOrder {
    var order = ReleaseOrder(try ordered(of: app, in: database))
    let rows = try database.prepare(
      "SELECT version, build, first_seen FROM releases WHERE app = ?1", [app])
    while try rows.step() {
      let release = Release(version: try rows.text("version"), build: try rows.text("build"))
      // Other releases are ordered by their numbers.
      guard release.hasHash, let seen = try rows.optionalTimestamp("first_seen") else { continue }
      order.note(release, seen: seen)
    }
    return order
  }

  /// Returns the releases whose order was set by the user, oldest first.
  static func ordered(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [Release] {
    let rows = try database.prepare(
      """
      SELECT version, build FROM releases WHERE app = ?1 AND position IS NOT NULL
      ORDER BY position
      """, [app])
    return try releases(rows)
  }

  /// Returns the newest release of an app.
  static func newest(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Release? {
    let rows = try database.prepare("SELECT version, build FROM releases WHERE app = ?1", [app])
    return try order(of: app, in: database).sorted(releases(rows)).last
  }

  /// Returns the newest release in which a group was seen.
  static func newest(
    inGroup group: RowID<Tables.Groups>, of app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws -> Release? {
    let rows = try database.prepare(
      """
      SELECT DISTINCT version, build FROM counters
      WHERE grp = ?1 AND (version != '' OR build != '')
      """, [group])
    return try order(of: app, in: database).sorted(releases(rows)).last
  }

  /// Returns the oldest known build of a version; the version alone where none is known.
  static func oldest(
    of version: String, app: RowID<Tables.Apps>, order: ReleaseOrder,
    in database: borrowing Connection
  ) throws -> Release {
    let rows = try database.prepare("SELECT version, build FROM releases WHERE app = ?1", [app])
    let known = try releases(rows).filter { VersionOrder.areSame($0.version, version) }
    return order.sorted(known).first ?? Release(version: version)
  }

  private static func releases(_ rows: borrowing Statement) throws -> [Release] {
    var releases: [Release] = []
    while try rows.step() {
      try releases.append(Release(version: rows.text("version"), build: rows.text("build")))
    }
    return releases
  }
}
