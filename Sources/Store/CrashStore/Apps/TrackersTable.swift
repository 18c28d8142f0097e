internal import Database
public import TriageModel

/// The table of the apps' trackers, inside a transaction.
enum TrackersTable {
  static let columns = """
    trackers.kind AS tracker, trackers.address AS tracker_address, trackers.token,
      trackers.reports AS ticket_reports, trackers.users AS ticket_users
    """

  /// - Parameter row: A row with ``columns``.
  static func tracker(_ row: borrowing Statement) throws -> TicketTracker {
    let text = try row.text("tracker")
    guard let kind = TicketTracker.Kind(rawValue: text) else {
      throw StoreError.damaged("'\(text)' is not a kind of tracker")
    }
    return try TicketTracker(
      kind, row.text("tracker_address"), token: row.optionalText("token"),
      reports: row.optionalInt("ticket_reports"), users: row.optionalInt("ticket_users"))
  }
}

extension CrashStore.Apps {
  /// Sets the tracker of an app; `nil` removes it. The token stays if the new address has the same host, and is
  /// replaced by one that is given.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; ``ActionError/invalidTracker(_:)`` with the reason; `DatabaseError`.
  public func setTracker(_ tracker: TicketTracker?, of app: String) throws {
    if let problem = tracker?.problem { throw ActionError.invalidTracker(problem) }
    try store.write(.apps([app])) { database in
      guard let row = try AppsTable.find(app, in: database)?.row else {
        throw StoreError.notFound(app)
      }
      var old: TicketTracker?
      do {
        let rows = try database.prepare(
          "SELECT \(TrackersTable.columns) FROM trackers WHERE app = ?1", [row])
        if try rows.step() { old = try TrackersTable.tracker(rows) }
      }
      try database.run("DELETE FROM trackers WHERE app = ?1", row)
      guard let tracker else { return }
      let isSameHost =
        old.map {
          TicketTracker.origin(of: $0.address) == TicketTracker.origin(of: tracker.address)
        } ?? false
      try database.insert(
        into: "trackers",
        [
          "app": row, "kind": tracker.kind.rawValue, "address": tracker.address,
          "token": tracker.token ?? (isSameHost ? old?.token : nil), "reports": tracker.reports,
          "users": tracker.users,
        ])
    }
  }
}
