public import CrashModel
internal import Database

/// What need not be sent again.
extension CrashStore.DebugFiles {
  /// Those of `digests` that are debug files.
  ///
  /// - Parameters:
  ///   - digests: SHA-256, 32 bytes each.
  ///   - release: Only those that belong to this release of an app.
  ///   - owner: Only those that were handed in for this app.
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

  /// How many debug files have ever arrived. It only grows: what was looked for while it had one value
  /// has seen every debug file up to that.
  ///
  /// - Throws: `DatabaseError`.
  public func arrivals() throws -> Int {
    try store.read { try WaitingReports.arrivals(in: $0) }
  }
}
