internal import Database

/// The apps that were looked up in one run of a transaction, by their names.
struct KnownApps {
  private var apps: [String: (name: String, app: AppsTable.App?)] = [:]

  /// Returns the app of this name; see ``AppsTable/find(_:in:)``.
  mutating func find(_ name: String, in database: borrowing Connection) throws -> AppsTable.App? {
    if let known = apps[name], known.name.hasSameBytes(as: name) { return known.app }
    let app = try AppsTable.find(name, in: database)
    apps[name] = (name, app)
    return app
  }

  /// Returns the app of this name; creates it if it is new.
  mutating func app(
    named name: String, in database: borrowing Connection
  ) throws -> AppsTable.App {
    if let app = try find(name, in: database) { return app }
    let app = try AppsTable.app(named: name, in: database)
    apps[name] = (name, app)
    return app
  }
}
