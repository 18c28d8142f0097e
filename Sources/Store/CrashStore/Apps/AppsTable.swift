internal import Database
internal import Identifiers
internal import Query
internal import Spelling

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
        "id": RowNumbers.apps.next(in: database), "name": name, "prefix": prefix,
        "intake_key": key, "created": CrashStore.now.microseconds,
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

  /// Checks the name of an app that a release or a file names, which is created if it is new.
  ///
  /// - Throws: ``StoreError/resembling(_:other:)`` for a new name that may be a misspelt one; as
  ///   ``check(new:in:)``.
  static func check(named name: String, in database: borrowing Connection) throws {
    try check(new: name, in: database)
    guard try find(name, in: database) == nil else { return }
    if case .unknownApp(_, let near?) = try unknown(name, in: database) {
      throw StoreError.resembling(name, other: near)
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

  /// Returns the app that has this name, or had it before it was renamed.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``.
  static func known(_ name: String, in database: borrowing Connection) throws -> App {
    guard let app = try find(name, in: database) else { throw try unknown(name, in: database) }
    return app
  }

  /// Returns the error for a name that no app has.
  static func unknown(_ name: String, in database: borrowing Connection) throws -> StoreError {
    var names: [String] = []
    let rows = try database.prepare("SELECT name FROM apps ORDER BY name")
    while try rows.step() { try names.append(rows.text("name")) }
    return .unknownApp(name, among: names)
  }
}

extension StoreError {
  /// Returns the error for a name that no app has.
  ///
  /// - Parameter names: The names of the apps that the caller may know of.
  public static func unknownApp(_ name: String, among names: [String]) -> StoreError {
    // Whoever types `tern` means Tern, however many letters differ in case.
    let near =
      names.first { TextPattern.folded($0) == TextPattern.folded(name) }
      ?? Suggestion.nearest(to: name, among: names)
    return .unknownApp(name, near: near)
  }
}
