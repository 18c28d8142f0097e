internal import Database
internal import Identifiers
internal import Query

/// The table of apps, inside a transaction.
enum AppsTable {
  struct App {
    let row: RowID<Tables.Apps>
    let prefix: String
    /// Its current name.
    let name: String
  }

  /// Returns the app of this name; creates it if it is new.
  static func app(named name: String, in database: borrowing Connection) throws -> App {
    if let app = try find(name, in: database) { return app }
    let prefix = try freePrefix(for: name, in: database)
    var random = SystemRandomNumberGenerator()
    let key = (0..<2).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    try database.insert(
      into: "apps",
      [
        "name": name, "prefix": prefix, "intake_key": key, "created": CrashStore.now.microseconds,
        "rules": CrashStore.Rules.ofNewApps,
      ])
    return App(row: database.lastID(), prefix: prefix, name: name)
  }

  /// - Throws: ``StoreError/alike(_:other:)`` for the name of a new app that differs from that of another
  ///   only in letter case.
  static func check(new name: String, in database: borrowing Connection) throws {
    guard try find(name, in: database) == nil else { return }
    let folded = TextPattern.folded(name)
    let rows = try database.prepare("SELECT name FROM apps ORDER BY id")
    while try rows.step() {
      let other = try rows.text("name")
      if TextPattern.folded(other) == folded { throw StoreError.alike(name, other: other) }
    }
  }

  /// Returns the app that has this name, or had it before it was renamed.
  static func find(_ name: String, in database: borrowing Connection) throws -> App? {
    let rows = try database.prepare(
      """
      SELECT id, prefix, name FROM apps WHERE name = ?1 OR key_name = ?1 ORDER BY name != ?1 LIMIT 1
      """, [name])
    return try rows.step()
      ? App(row: rows.id("id"), prefix: rows.text("prefix"), name: rows.text("name")) : nil
  }
}
