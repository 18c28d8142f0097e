internal import Hashing
internal import Database

/// Whose debug files explain whose reports.
///
/// Every debug file is kept with the apps that it was handed in for, or for all. In a home that shares
/// them, every file explains the reports of every app; in one that does not, an app's reports are explained
/// by files that were handed in for it or for all.
extension CrashStore {
  /// In place of an app's row: handed in for all.
  static let allApps = RowID<Tables.Apps>(0)
  private static let sharing = "debug_files"

  /// Who may use the debug files of an app.
  public enum Sharing: String, Sendable, CaseIterable {
    case shared
    case perApp = "per-app"
  }

  /// - Throws: `DatabaseError`; ``StoreError/damaged(_:)`` for an unknown setting.
  public func debugFileSharing() throws -> Sharing { try read { try Self.sharing(in: $0) } }

  static func sharing(in database: borrowing Connection) throws -> Sharing {
    let text = try database.text("SELECT value FROM settings WHERE name = ?1", sharing)
    guard let text else { return .shared }
    guard let found = Sharing(rawValue: text) else {
      throw StoreError.damaged("the setting \(sharing) is '\(text)'")
    }
    return found
  }

  /// Stored reports stay as they are until they are reprocessed.
  ///
  /// - Throws: `DatabaseError`.
  public func setDebugFileSharing(_ sharing: Sharing) throws {
    try write { database in
      guard try Self.sharing(in: database) != sharing else { return }
      try database.run(
        """
        INSERT INTO settings (name, value) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """, Self.sharing, sharing.rawValue)
      // Who remembers what was found looks again.
      try database.run("UPDATE arrivals SET last = last + 1")
    }
  }

  /// A random number of this home, in hexadecimal digits: what is hashed with it can be told from other
  /// things only by who has the home.
  ///
  /// - Throws: `DatabaseError`.
  public func auditKey() throws -> String {
    try write { database in
      var random = SystemRandomNumberGenerator()
      let digits = (0..<4).map { _ in String(random.next() as UInt64, radix: 16) }.joined(
        separator: "-")
      try database.run(
        "INSERT INTO settings (name, value) VALUES ('audit_key', ?1) ON CONFLICT DO NOTHING", digits
      )
      return try database.requiredText("SELECT value FROM settings WHERE name = 'audit_key'")
    }
  }

  /// Notes whom a file was handed in for.
  ///
  /// - Returns: Whether it may be used by more than before.
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

  /// The apps that a debug file was handed in for; `nil` for all.
  ///
  /// - Throws: `DatabaseError`.
  public func apps(ofDebugFile digest: String) throws -> [String]? {
    guard let bytes = Self.bytes(ofHex: digest) else { return nil }
    return try read { database in
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

  /// Of some digests those of files that were handed in for an app.
  ///
  /// - Throws: `DatabaseError`.
  public func debugFiles(
    _ records: [DebugFileRecord], handedInFor app: String
  ) throws -> [DebugFileRecord] {
    try read { database in
      guard let row = try AppsTable.find(app, in: database)?.row else { return [] }
      return try records.filter { record in
        try database.integer(
          "SELECT 1 FROM debug_file_apps WHERE digest = ?1 AND app = ?2",
          Self.bytes(ofHex: record.digest) ?? [], row) != nil
      }
    }
  }

  /// Of some debug files those that may explain reports of an app.
  ///
  /// - Throws: `DatabaseError`.
  public func debugFiles(
    _ records: [DebugFileRecord], usableBy app: String
  ) throws -> [DebugFileRecord] {
    try read { database in
      let row = try AppsTable.find(app, in: database)?.row ?? Self.allApps
      return try records.filter { record in
        try database.integer(
          "SELECT 1 FROM debug_file_apps WHERE digest = ?1 AND app IN (?2, ?3) LIMIT 1",
          Self.bytes(ofHex: record.digest) ?? [], Self.allApps, row) != nil
      }
    }
  }
}
