internal import Database
public import Identifiers

/// A change of the releases of an app by a user or by the program itself.
public struct DistributionEvent: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case added, removed, edited, enabled, disabled
    case published, withdrawn
    case rolledOut = "rolled out"
    case paused, resumed
    case groupAdded = "group added"
    case groupRenamed = "group renamed"
    case groupOpened = "group made public"
    case groupClosed = "group made private"
    case groupRemoved = "group removed"
    case invited, accepted
    case testerRemoved = "tester removed"
    case revoked
    case invitationsRevoked = "invitations revoked"
    case subscribed, unsubscribed
    case notified
    case set
  }

  /// The release concerned; empty for an event of the app.
  public var release: Release
  public var time: Timestamp
  public var author: String
  public var kind: Kind
  public var detail: String

  public init(
    release: Release, time: Timestamp, author: String, kind: Kind, detail: String
  ) {
    self.release = release
    self.time = time
    self.author = author
    self.kind = kind
    self.detail = detail
  }
}

/// The history of an app's releases, inside a transaction. Each line also raises the generation of the offers
/// to clients.
enum DistributionHistory {
  static func note(
    _ kind: DistributionEvent.Kind, _ detail: String = "", release: Release = Release(version: ""),
    by author: String, at now: Timestamp, app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws {
    let last = try database.requiredInteger(
      "SELECT coalesce(max(number), 0) FROM distribution_history WHERE app = ?1", app)
    try database.insert(
      into: "distribution_history",
      [
        "app": app, "number": last + 1, "version": release.version, "build": release.build,
        "time": now.microseconds, "author": author, "event": kind.rawValue, "detail": detail,
      ])
    try raiseGeneration(in: database)
  }

  /// Invalidates all copies of the offers to clients.
  static func raiseGeneration(in database: borrowing Connection) throws {
    try database.run("UPDATE distribution_generation SET number = number + 1 WHERE id = 1")
  }
}

extension CrashStore.Distribution {
  /// Returns the history of an app's releases, the oldest line first.
  ///
  /// - Parameter release: Only events of this release; a version without a build means all of its builds.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func history(of app: String, release: Release? = nil) throws -> [DistributionEvent] {
    try store.read { database in
      try Self.history(of: try AppsTable.known(app, in: database).row, release, in: database)
    }
  }

  static func history(
    of app: RowID<Tables.Apps>, _ release: Release?, in database: borrowing Connection
  ) throws -> [DistributionEvent] {
    let build = release.flatMap { $0.build.isEmpty ? nil : $0.build }
    let rows = try database.prepare(
      """
      SELECT version, build, time, author, event, detail FROM distribution_history
      WHERE app = ?1 AND (version = ?2 OR ?2 IS NULL) AND (build = ?3 OR ?3 IS NULL) ORDER BY number
      """, [app, release?.version, build])
    var events: [DistributionEvent] = []
    while try rows.step() {
      let word = try rows.text("event")
      guard let kind = DistributionEvent.Kind(rawValue: word) else {
        throw StoreError.damaged("the history of releases has an event '\(word)'")
      }
      try events.append(
        DistributionEvent(
          release: Release(version: rows.text("version"), build: rows.text("build")),
          time: rows.timestamp("time"), author: rows.text("author"), kind: kind,
          detail: rows.text("detail")))
    }
    return events
  }
}
