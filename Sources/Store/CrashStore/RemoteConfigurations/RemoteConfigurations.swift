internal import Database
internal import Identifiers
public import Updates

/// The remote configurations of apps. Only documents that clients can decode are published; a published
/// document is never lost or changed.
extension CrashStore.RemoteConfigurations {
  /// Returns all configurations that were published for an app, the newest first.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func history(of app: String) throws -> [PublishedConfiguration] {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      let rows = try database.prepare(
        "SELECT \(Self.columns) FROM update_documents WHERE app = ?1 ORDER BY number DESC",
        [app.row])
      var history: [PublishedConfiguration] = []
      while try rows.step() { try history.append(Self.configuration(of: app.name, rows)) }
      if history.first?.followsReleases == true {
        history[0].servedVersion = try Self.servedVersion(of: app, in: database)
      }
      return history
    }
  }

  /// Returns the served configuration, or the one with a number.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; ``RemoteConfigurationAbsence`` where nothing
  ///   was published, or nothing with this number; `DatabaseError`.
  public func get(_ number: Int? = nil, of app: String) throws -> PublishedConfiguration {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      var found = try Self.get(number, of: app, in: database)
      if found.followsReleases, try found.number == Self.find(nil, of: app, in: database)?.number {
        found.servedVersion = try Self.servedVersion(of: app, in: database)
      }
      return found
    }
  }

  /// Publishes a document.
  ///
  /// - Parameter followsReleases: `nil` keeps the previous setting.
  /// - Throws: ``StoreError/notFound(_:)``, ``ActionError`` for an author or a note; `DatabaseError`.
  @discardableResult
  public func publish(
    _ document: RemoteConfiguration, of app: String, followsReleases: Bool? = nil,
    note: String? = nil, by author: String
  ) throws -> PublishedConfiguration {
    try add(to: app, note: note, by: author) { current, _, _ in
      New(
        event: .published, document: document,
        followsReleases: followsReleases ?? current?.followsReleases ?? false)
    }
  }

  /// Publishes the served document with changes.
  ///
  /// - Throws: As ``publish(_:of:followsReleases:note:by:)``, and `RemoteConfigurationError` where clients
  ///   could not decode the result.
  @discardableResult
  public func edit(
    _ edit: RemoteConfigurationEdit, of app: String, followsReleases: Bool? = nil,
    note: String? = nil, by author: String
  ) throws -> PublishedConfiguration {
    try add(to: app, note: note, by: author) { current, _, _ in
      let document = try current.map { try RemoteConfiguration($0.text.utf8) }
      return New(
        event: .edited,
        document: try edit.isEmpty ? document ?? edit.apply(to: nil) : edit.apply(to: document),
        followsReleases: followsReleases ?? current?.followsReleases ?? false)
    }
  }

  /// Publishes a former document again, exactly as it was.
  ///
  /// - Parameter number: `nil` for the one before the served one.
  /// - Throws: ``StoreError/notFound(_:)``, ``RemoteConfigurationAbsence``, ``ActionError`` for an author
  ///   or a note; `DatabaseError`.
  @discardableResult
  public func rollBack(
    of app: String, to number: Int? = nil, note: String? = nil, by author: String
  ) throws -> PublishedConfiguration {
    try add(to: app, note: note, by: author) { current, app, database in
      guard let current else { throw RemoteConfigurationAbsence(app: app.name, cause: .nothing) }
      if let number, number == current.number {
        throw RemoteConfigurationAbsence(app: app.name, cause: .isServed(number))
      }
      if number == nil, current.number <= 1 {
        throw RemoteConfigurationAbsence(app: app.name, cause: .noFormer)
      }
      let former = try Self.get(number ?? current.number - 1, of: app, in: database)
      return New(
        event: .rolledBack, source: former.number,
        document: try RemoteConfiguration(former.text.utf8),
        followsReleases: former.followsReleases)
    }
  }

  // MARK: Rows

  private static func servedVersion(
    of app: AppsTable.App, in database: borrowing Connection
  ) throws -> String? {
    // The name matters only for releases that are rolled out in part, which documents leave out.
    try CrashStore.Distribution.updates(of: app.row, app.name, keyName: app.name, in: database)
      .newestForConfiguration?.shownVersion
  }

  private static let columns = """
    number, time, author, event, source, note, follows_releases, document
    """

  private static func get(
    _ number: Int?, of app: AppsTable.App, in database: borrowing Connection
  ) throws -> PublishedConfiguration {
    guard let found = try find(number, of: app, in: database) else {
      throw RemoteConfigurationAbsence(app: app.name, cause: number.map { .number($0) } ?? .nothing)
    }
    return found
  }

  private static func find(
    _ number: Int?, of app: AppsTable.App, in database: borrowing Connection
  ) throws -> PublishedConfiguration? {
    let rows = try database.prepare(
      """
      SELECT \(columns) FROM update_documents
      WHERE app = ?1 AND number = coalesce(?2, (SELECT max(number) FROM update_documents WHERE app = ?1))
      """, [app.row, number])
    return try rows.step() ? configuration(of: app.name, rows) : nil
  }

  private static func configuration(
    of app: String, _ rows: borrowing Statement
  ) throws -> PublishedConfiguration {
    let number = try rows.int("number")
    let event = try rows.text("event")
    guard let event = PublishedConfiguration.Event(rawValue: event) else {
      throw StoreError.damaged("remote configuration \(number) of \(app) was '\(event)'")
    }
    let document: RemoteConfiguration
    do {
      document = try RemoteConfiguration(rows.text("document").utf8)
    } catch let error as RemoteConfigurationError {
      throw StoreError.damaged("remote configuration \(number) of \(app): \(error)")
    }
    return try PublishedConfiguration(
      app: app, number: number, time: rows.timestamp("time"), author: rows.text("author"),
      event: event, source: rows.optionalInt("source"), note: rows.optionalText("note"),
      followsReleases: rows.bool("follows_releases"), document: document)
  }

  /// The configuration to publish next.
  private struct New {
    let event: PublishedConfiguration.Event
    var source: Int?
    let document: RemoteConfiguration
    let followsReleases: Bool
  }

  /// - Parameter next: Creates it from the served one.
  private func add(
    to app: String, note: String?, by author: String,
    _ next: (PublishedConfiguration?, AppsTable.App, borrowing Connection) throws -> New
  ) throws -> PublishedConfiguration {
    try CrashStore.Triage.check(name: author)
    if let note, note.utf8.count > CrashStore.Triage.noteLimit {
      throw ActionError.tooLong("the note", limit: CrashStore.Triage.noteLimit)
    }
    return try store.act(.apps([app])) { database, now in
      let app = try AppsTable.known(app, in: database)
      let current = try Self.find(nil, of: app, in: database)
      let new = try next(current, app, database)
      let configuration = PublishedConfiguration(
        app: app.name, number: (current?.number ?? 0) + 1, time: now.wholeMicroseconds,
        author: author, event: new.event, source: new.source, note: note,
        followsReleases: new.followsReleases, document: new.document)
      try database.insert(
        into: "update_documents",
        [
          "app": app.row, "number": configuration.number, "time": now.microseconds,
          "author": author, "event": new.event.rawValue, "source": new.source, "note": note,
          "follows_releases": new.followsReleases, "document": configuration.text,
        ])
      try DistributionHistory.raiseGeneration(in: database)
      return configuration
    }
  }
}

extension CrashStore.RemoteConfigurations {
  /// Returns the served configurations, by the name of the app.
  static func served(
    in database: borrowing Connection
  ) throws -> [String: ServedConfiguration] {
    let rows = try database.prepare(
      """
      SELECT apps.id AS app_row, apps.name AS name, follows_releases, document FROM update_documents
      JOIN apps ON apps.id = update_documents.app
      WHERE number = (SELECT max(number) FROM update_documents AS newer WHERE newer.app = apps.id)
      """)
    var served: [String: ServedConfiguration] = [:]
    while try rows.step() {
      // A document that a later version refuses is not served: clients keep what they have. The other apps
      // still get theirs.
      guard let document = try? RemoteConfiguration(rows.text("document").utf8) else { continue }
      let app: RowID<Tables.Apps> = try rows.id("app_row")
      served[try rows.text("name")] = ServedConfiguration(
        document, followsReleases: try rows.bool("follows_releases"),
        order: try ReleasesTable.ordered(of: app, in: database))
    }
    return served
  }
}
