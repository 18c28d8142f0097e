internal import Database
public import Identifiers
internal import TriageModel
internal import Updates

/// Groups that are resolved in a release, inside a transaction.
enum KnownFixes {
  /// Returns the known fixes of an app, the oldest group first.
  static func all(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [KnownFix] {
    let order = try ReleasesTable.order(of: app, in: database)
    var found: [(group: RowID<Tables.Groups>, name: String, release: Release)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT groups.id, apps.prefix || '-' || groups.number AS group_name, fixed_version,
          coalesce(fixed_build, '') AS fixed_build
        FROM groups JOIN apps ON apps.id = groups.app
        WHERE groups.app = ?1 AND fixed_version IS NOT NULL AND redirect IS NULL
          AND state = '\(GroupState.resolved.rawValue)'
          AND fixed_how = '\(GroupFix.Kind.inRelease.rawValue)'
        ORDER BY groups.id
        """, [app])
      while try rows.step() {
        try found.append(
          (
            rows.id("id"), rows.text("group_name"),
            Release(version: rows.text("fixed_version"), build: rows.text("fixed_build"))
          ))
      }
    }
    return try found.map { group, name, release in
      let rows = try database.prepare(
        "SELECT version, build FROM group_versions WHERE grp = ?1", [group])
      var seen: Set<Release> = []
      while try rows.step() {
        seen.insert(try Release(version: rows.text("version"), build: rows.text("build")))
      }
      let first =
        release.build.isEmpty
        ? try ReleasesTable.oldest(of: release.version, app: app, order: order, in: database)
        : release
      return KnownFix(group: name, release: release, first: first, seen: seen)
    }
  }

  /// Has the offers to clients reloaded where a group is resolved in a release.
  static func changed(
    _ group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      UPDATE distribution_generation SET number = number + 1 WHERE id = 1 AND EXISTS
        (SELECT 1 FROM groups WHERE id = ?1
          AND fixed_how = '\(GroupFix.Kind.inRelease.rawValue)')
      """, group)
  }
}

extension CrashStore.Distribution {
  /// How a client learned that a release fixes one of its crashes.
  public enum KnownFixWay: String, CaseIterable, Sendable {
    /// In the response to a report.
    case report
    /// In a check for updates.
    case check
    /// In a document of RemoteConfiguration.
    case document
  }

  /// Counts responses that informed clients of a fix in a release.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func countKnownFix(
    in release: Release, of app: String, _ way: KnownFixWay, by count: Int = 1, at now: Timestamp
  ) throws {
    try store.write(app: app) { database in
      try database.insert(
        into: "known_fix_answers",
        [
          "app": try AppsTable.known(app, in: database).row, "version": release.version,
          "build": release.build, "day": now.day, "way": way.rawValue, "count": count,
        ],
        onConflict: """
          ON CONFLICT (app, version, build, day, way)
          DO UPDATE SET count = known_fix_answers.count + excluded.count
          """)
    }
  }
}
