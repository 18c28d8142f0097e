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

  /// Returns the builds that had a fixed crash, by the hashes with which their clients check for updates, as
  /// far as reports tell: files of old builds may never have been uploaded.
  ///
  /// - On iOS the hash names the main executable. Any of the app's own images may be it; no client has the
  ///   hash of another. Slices that no report named are known by the debug files uploaded with those.
  /// - On Android it names the package, which can't change between a build and its update.
  static func builds(
    with fixes: [KnownFix], of app: RowID<Tables.Apps>, _ artefacts: [Artefact],
    in database: borrowing Connection
  ) throws -> [String: Release] {
    var builds: [String: Release] = [:]
    let releases = fixes.reduce(into: Set<Release>()) { $0.formUnion($1.seen) }
      .filter { !$0.version.isEmpty && !$0.build.isEmpty }
    let packages = Set(
      artefacts.filter { $0.platform == .android }.compactMap(\.package.identifier))
    let isForApple = artefacts.contains { $0.platform == .iOS }
    for release in releases {
      for package in packages { builds[BuildHash.android(package, of: release)] = release }
      guard isForApple else { continue }
      let rows = try database.prepare(
        """
        SELECT image_builds.debug_id AS debug_id FROM image_builds
          JOIN images ON images.debug_id = image_builds.debug_id
        WHERE image_builds.app = ?1 AND image_builds.version = ?2 AND image_builds.build = ?3
          AND images.is_own = 1
        UNION
        SELECT slices.debug_id AS debug_id FROM image_builds
          JOIN images ON images.debug_id = image_builds.debug_id
          JOIN debug_files ON debug_files.debug_id = image_builds.debug_id
          JOIN debug_files AS slices ON slices.digest = debug_files.digest
        WHERE image_builds.app = ?1 AND image_builds.version = ?2 AND image_builds.build = ?3
          AND images.is_own = 1
        """, [app, release.version, release.build])
      while try rows.step() {
        guard let id = try DebugID(rows.text("debug_id")), !id.isTimestamp else { continue }
        builds[BuildHash.apple(id, of: release)] = release
      }
    }
    return builds
  }

  /// Has the offers to clients reloaded where a group is resolved in a release.
  static func changed(
    _ group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws {
    try database.run(changedGroup, group)
  }

  private static let changedGroup = """
    UPDATE distribution_generation SET number = number + 1 WHERE id = 1 AND EXISTS
      (SELECT 1 FROM groups WHERE id = ?1
        AND fixed_how = '\(GroupFix.Kind.inRelease.rawValue)')
    """

  /// Has them reloaded where an app with such a group has another image, or another slice of one.
  static func changed(
    imagesOf app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      UPDATE distribution_generation SET number = number + 1 WHERE id = 1 AND EXISTS
        (SELECT 1 FROM groups WHERE app = ?1 AND fixed_version IS NOT NULL
          AND fixed_how = ?2)
      """, app, GroupFix.Kind.inRelease.rawValue)
  }

  /// Has them reloaded where a debug file of an image arrived, which may have more slices.
  static func changed(
    debugFilesOf debugID: String, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      UPDATE distribution_generation SET number = number + 1 WHERE id = 1 AND EXISTS
        (SELECT 1 FROM image_builds JOIN groups ON groups.app = image_builds.app
          WHERE debug_id = ?1 AND fixed_version IS NOT NULL
            AND fixed_how = ?2)
      """, debugID, GroupFix.Kind.inRelease.rawValue)
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
