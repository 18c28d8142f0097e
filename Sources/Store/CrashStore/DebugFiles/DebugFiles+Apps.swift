internal import Database

/// Use of debug files by apps.
///
/// Every debug file is stored with the apps that it was uploaded for, or for all. In a home that shares them,
/// every file explains the reports of every app; in one that does not, an app's reports are explained by
/// files that were uploaded for it or for all.
extension CrashStore.DebugFiles {
  /// Used in place of an app's row: uploaded for all apps.
  static let allApps = RowID<Tables.Apps>(0)
  private static let sharingSetting = "debug_files"

  /// - Throws: `DatabaseError`; ``StoreError/damaged(_:)`` for an unknown setting.
  public func sharing() throws -> CrashStore.Sharing { try store.read { try Self.sharing(in: $0) } }

  static func sharing(in database: borrowing Connection) throws -> CrashStore.Sharing {
    let text = try database.text("SELECT value FROM settings WHERE name = ?1", sharingSetting)
    guard let text else { return .shared }
    guard let found = CrashStore.Sharing(rawValue: text) else {
      throw StoreError.damaged("the setting \(sharingSetting) is '\(text)'")
    }
    return found
  }

  /// Changes the sharing. Stored reports stay as they are until they are reprocessed.
  ///
  /// - Throws: `DatabaseError`.
  public func setSharing(_ sharing: CrashStore.Sharing) throws {
    try store.write(.global) { database in
      guard try Self.sharing(in: database) != sharing else { return }
      try database.run(
        """
        INSERT INTO settings (name, value) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """, Self.sharingSetting, sharing.rawValue)
      // Processes that cache their look-ups have to repeat them.
      try database.run("UPDATE arrivals SET last = last + 1")
    }
  }

  /// Notes the apps that a file was uploaded for.
  ///
  /// - Returns: Whether more apps may use it than before.
  static func tie(
    _ digest: [UInt8], toApps apps: [RowID<Tables.Apps>], in database: borrowing Connection
  ) throws -> Bool {
    var isWider = false
    for app in apps {
      try database.run(
        "INSERT INTO debug_file_apps (digest, app) VALUES (?1, ?2) ON CONFLICT DO NOTHING", digest,
        app)
      if database.changes > 0 { isWider = true }
    }
    return try isWider && sharing(in: database) == .perApp
  }

  /// Returns the apps that a debug file was uploaded for; `nil` for all.
  ///
  /// - Throws: `DatabaseError`.
  public func apps(ofDebugFile digest: String) throws -> [String]? {
    guard let bytes = CrashStore.Reports.bytes(ofHex: digest) else { return nil }
    return try store.read { database in
      let rows = try database.prepare(
        """
        SELECT debug_file_apps.app, apps.name FROM debug_file_apps
        LEFT JOIN apps ON apps.id = debug_file_apps.app WHERE digest = ?1 ORDER BY apps.name
        """, [bytes])
      var names: [String] = []
      while try rows.step() {
        if try rows.id("app") == Self.allApps { return nil }
        if let name = try rows.optionalText("name") { names.append(name) }
      }
      return names
    }
  }

  /// Returns the records of files that were uploaded for an app.
  ///
  /// - Throws: `DatabaseError`.
  public func list(
    _ records: [DebugFileRecord], handedInFor app: String
  ) throws -> [DebugFileRecord] {
    try store.read { database in
      guard let row = try AppsTable.find(app, in: database)?.row else { return [] }
      return try records.filter { record in
        try database.integer(
          "SELECT 1 FROM debug_file_apps WHERE digest = ?1 AND app = ?2",
          CrashStore.Reports.bytes(ofHex: record.digest) ?? [], row) != nil
      }
    }
  }

  /// Returns the records of files that may explain reports of an app.
  ///
  /// - Throws: `DatabaseError`.
  public func list(
    _ records: [DebugFileRecord], usableBy app: String
  ) throws -> [DebugFileRecord] {
    try store.read { database in
      let row = try AppsTable.find(app, in: database)?.row ?? Self.allApps
      return try records.filter { record in
        try database.integer(
          "SELECT 1 FROM debug_file_apps WHERE digest = ?1 AND app IN (?2, ?3) LIMIT 1",
          CrashStore.Reports.bytes(ofHex: record.digest) ?? [], Self.allApps, row) != nil
      }
    }
  }
}
