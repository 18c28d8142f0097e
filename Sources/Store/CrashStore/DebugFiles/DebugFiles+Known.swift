internal import Crypto
internal import Database
public import Identifiers

/// Debug files that need not be uploaded again.
extension CrashStore.DebugFiles {
  /// Returns those of `digests` that are debug files.
  ///
  /// - Parameters:
  ///   - digests: SHA-256, 32 bytes each.
  ///   - release: Only files that belong to this release of an app.
  ///   - owner: Only files that were uploaded for this app.
  /// - Throws: `DatabaseError`.
  public func known(
    _ digests: [[UInt8]], release: (app: String, release: Release)? = nil, of owner: String? = nil
  ) throws -> [[UInt8]] {
    try store.read { database in
      let ownerRow = try owner.map { try AppsTable.find($0, in: database)?.row } ?? nil
      if owner != nil && ownerRow == nil { return [] }
      let app = try release.map { try AppsTable.find($0.app, in: database)?.row } ?? nil
      if release != nil && app == nil { return [] }
      return try digests.filter { digest in
        let rows = try database.prepare(
          "SELECT 1 FROM debug_files WHERE digest = ?1 LIMIT 1", [digest])
        guard try rows.step() else { return false }
        if let ownerRow {
          let isOwn = try database.integer(
            "SELECT 1 FROM debug_file_apps WHERE digest = ?1 AND app = ?2", digest, ownerRow)
          if isOwn == nil { return false }
        }
        guard let app, let release = release?.release else { return true }
        let ties = try database.prepare(
          """
          SELECT 1 FROM debug_file_releases WHERE digest = ?1 AND app = ?2 AND version = ?3 AND build = ?4
          """, [digest, app, release.version, release.build])
        return try ties.step()
      }
    }
  }

  /// Returns whether debug files of a name belong to a release, by their SHA-256 in hexadecimal: as given by
  /// the user who added them, as their bundles say, or as reports of releases name their builds. Files
  /// without such information are left out.
  ///
  /// - Parameter release: With or without a build, like the files' own.
  /// - Throws: `DatabaseError`.
  public func belonging(to release: Release, named name: String) throws -> [String: Bool] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT files.digest AS digest, max(CASE WHEN known.version = ?2
          AND (known.build = ?3 OR known.build = '' OR ?3 = '') THEN 1 ELSE 0 END) AS is_right
        FROM debug_files AS files JOIN (
          SELECT digest, version, build FROM debug_file_releases
            WHERE digest IN (SELECT digest FROM debug_files WHERE name = ?1)
          UNION ALL
          SELECT digest, version, build FROM debug_file_bundles
            WHERE digest IN (SELECT digest FROM debug_files WHERE name = ?1)
          UNION ALL
          SELECT debug_files.digest AS digest, image_builds.version AS version, image_builds.build AS build
            FROM debug_files JOIN image_builds ON image_builds.debug_id = debug_files.debug_id
            WHERE debug_files.name = ?1 AND image_builds.version <> ''
        ) AS known ON known.digest = files.digest
        WHERE files.name = ?1 GROUP BY files.digest
        """, [name, release.version, release.build])
      var found: [String: Bool] = [:]
      while try rows.step() {
        found[try SHA256.hex(rows.blob("digest"))] = try rows.int("is_right") == 1
      }
      return found
    }
  }

  /// Returns how many debug files have ever arrived. The number only grows: a search made at one value has
  /// seen every debug file up to that value.
  ///
  /// - Throws: `DatabaseError`.
  public func arrivals() throws -> Int {
    try store.read { try WaitingReports.arrivals(in: $0) }
  }
}
