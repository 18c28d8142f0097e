internal import Database
internal import Identifiers

extension CrashStore.Sessions {
  /// Stores sessions that a client reports, all or none. Sessions reported twice count once: a known session
  /// gets the data it lacked, and the status that takes precedence, in whatever order they arrive. Everything
  /// is on disk when this returns.
  ///
  /// - Throws: `DatabaseError`, such as on a full disk. Nothing is stored then.
  @discardableResult
  public func add(_ batch: SessionBatch) throws -> SessionReceipt {
    try store.act(.apps([batch.app])) { database, _ in
      let app = try AppsTable.app(named: batch.app, in: database).row
      var receipt = SessionReceipt()
      for session in batch.sessions {
        let row = SessionRow(session, received: batch.received)
        guard let known = try SessionRow(row.id, of: app, in: database) else {
          try row.insert(of: app, received: batch.received, in: database)
          receipt.new += 1
          continue
        }
        let merged = known.merged(with: row)
        guard merged != known else {
          receipt.known += 1
          continue
        }
        try merged.update(of: app, in: database)
        receipt.changed += 1
      }
      for count in batch.counts {
        try database.insert(
          into: "session_counts",
          [
            "app": app, "id": count.id,
            "day": SessionBatch.believed(count.started, received: batch.received).day,
            "version": count.release.version, "build": count.release.build,
            "sessions": count.sessions, "crashed": count.crashed,
            "received": batch.received.microseconds,
          ], onConflict: "ON CONFLICT DO NOTHING")
        if database.changes > 0 { receipt.new += 1 } else { receipt.known += 1 }
      }
      return receipt
    }
  }
}

/// A session as a table row.
private struct SessionRow: Equatable {
  var id: String
  var started: Timestamp
  var release: Release
  var install: [UInt8]?
  var duration: Int?
  var status: SessionStatus

  init(_ session: SessionBatch.Session, received: Timestamp) {
    id = PersonHash.canonical(session.id)
    let time = SessionBatch.believed(session.started, received: received)
    started = Timestamp(microseconds: time.microseconds)
    release = session.release
    install = session.person.map(PersonHash.hash(of:))
    duration = session.duration
    status = session.status
  }

  init?(_ id: String, of app: RowID<Tables.Apps>, in database: borrowing Connection) throws {
    let rows = try database.prepare(
      """
      SELECT started, version, build, install, duration, status FROM sessions
      WHERE app = ?1 AND id = ?2
      """, [app, id])
    guard try rows.step() else { return nil }
    self.id = id
    started = try rows.timestamp("started")
    release = try Release(version: rows.text("version"), build: rows.text("build"))
    install = try rows.optionalBlob("install")
    duration = try rows.optionalInt("duration")
    status = try SessionStatus(rawValue: rows.text("status")) ?? .ok
  }

  /// The combined data of both, whichever came first; it began at the earlier time.
  func merged(with other: SessionRow) -> SessionRow {
    var merged = self
    if other.started < started { merged.started = other.started }
    if release.isEmpty { merged.release = other.release }
    merged.install = install ?? other.install
    merged.duration = [duration, other.duration].compactMap(\.self).max()
    merged.status = max(status, other.status)
    return merged
  }

  func insert(
    of app: RowID<Tables.Apps>, received: Timestamp, in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "sessions",
      [
        "app": app, "id": id, "day": started.day, "started": started.microseconds,
        "version": release.version, "build": release.build, "install": install,
        "duration": duration, "status": status.rawValue, "received": received.microseconds,
      ])
  }

  func update(of app: RowID<Tables.Apps>, in database: borrowing Connection) throws {
    try database.run(
      """
      UPDATE sessions SET day = ?3, started = ?4, version = ?5, build = ?6, install = ?7,
        duration = ?8, status = ?9
      WHERE app = ?1 AND id = ?2
      """, app, id, started.day, started.microseconds, release.version, release.build, install,
      duration, status.rawValue)
  }
}
