internal import Database
public import Identifiers
public import Updates

/// Roll-outs of releases to a share of the installations, and the update settings of apps.
extension CrashStore.Distribution {
  /// Returns the roll-outs of an app, by release.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func rollouts(of app: String) throws -> [Release: Rollout] {
    try store.read { database in
      try Self.rollouts(of: try AppsTable.known(app, in: database).row, in: database)
    }
  }

  static func rollouts(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [Release: Rollout] {
    let rows = try database.prepare(
      "SELECT version, build, percent, pause FROM release_rollouts WHERE app = ?1", [app])
    var rollouts: [Release: Rollout] = [:]
    while try rows.step() {
      let release = try Release(version: rows.text("version"), build: rows.text("build"))
      rollouts[release] = try Rollout(
        percent: rows.int("percent"), pause: rows.optionalText("pause"))
    }
    return rollouts
  }

  /// Offers a release to a share of the installations, resumes, or pauses.
  ///
  /// - Parameters:
  ///   - rollout: `nil` offers it to all, as if it had never been rolled out in part.
  ///   - kind: The kind of event in the history.
  ///   - detail: The detail in the history.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError/wrongPercent(_:)``,
  ///   ``ActionError/noSuchRelease(_:app:near:)``; `DatabaseError`.
  public func setRollout(
    _ rollout: Rollout?, of release: Release, app: String, _ kind: DistributionEvent.Kind,
    _ detail: String, by author: String
  ) throws {
    if let rollout, !(0...100).contains(rollout.percent) {
      throw DistributionError.wrongPercent(rollout.percent)
    }
    try store.act(.apps([app])) { database, now in
      let row = try AppsTable.known(app, in: database).row
      let isThere = try database.integer(
        "SELECT 1 FROM releases WHERE app = ?1 AND version = ?2 AND build = ?3", row,
        release.version, release.build)
      guard isThere != nil else {
        throw ActionError.noSuchRelease(release.name, app: app, near: nil)
      }
      if let rollout {
        try database.insert(
          into: "release_rollouts",
          [
            "app": row, "version": release.version, "build": release.build,
            "percent": rollout.percent, "pause": rollout.pause, "changed": now.microseconds,
          ],
          onConflict: """
            ON CONFLICT (app, version, build) DO UPDATE SET percent = excluded.percent,
              pause = excluded.pause, changed = excluded.changed
            """)
      } else {
        try database.run(
          "DELETE FROM release_rollouts WHERE app = ?1 AND version = ?2 AND build = ?3", row,
          release.version, release.build)
      }
      try DistributionHistory.note(
        kind, detail, release: release, by: author, at: now, app: row, in: database)
    }
  }

  /// Returns the update settings of an app, by name.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func settings(of app: String) throws -> [String: String] {
    try store.read { database in
      try Self.settings(of: try AppsTable.known(app, in: database).row, in: database)
    }
  }

  static func settings(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [String: String] {
    let rows = try database.prepare(
      "SELECT name, value FROM update_settings WHERE app = ?1", [app])
    var settings: [String: String] = [:]
    while try rows.step() { try settings[rows.text("name")] = rows.text("value") }
    return settings
  }

  /// Changes an update setting of an app; `nil` restores the default.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func set(
    _ name: String, to value: String?, of app: String, by author: String
  ) throws {
    try change(app, by: author) { database, row, _, note in
      if let value {
        try database.insert(
          into: "update_settings", ["app": row, "name": name, "value": value],
          onConflict: "ON CONFLICT (app, name) DO UPDATE SET value = excluded.value")
      } else {
        try database.run(
          "DELETE FROM update_settings WHERE app = ?1 AND name = ?2", row, name)
      }
      try note(.set, value.map { "\(name) to \($0)" } ?? "\(name) to its default")
    }
  }
}
