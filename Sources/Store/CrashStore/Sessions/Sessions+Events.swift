public import CrashModel
internal import Database

/// An event of an app in a session, as reported by a client.
public struct SessionEvent: Sendable {
  /// The client's id for it; ``pageID`` for a page, which has no id.
  public var id: String
  public var crumb: Breadcrumb

  /// Used as the id of a page.
  public static let pageID = "page"

  public var isPage: Bool { id == Self.pageID }
}

extension CrashStore.Sessions {
  /// Events of a report's session before the report, oldest first: ``ReportRecord/breadcrumbs``
  /// with the ids that the client gave.
  ///
  /// - Parameter report: Its full id.
  /// - Throws: `DatabaseError`.
  public func events(of report: String) throws -> [SessionEvent] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT event.id, event.time, event.name, event.properties FROM reports
        JOIN submissions ON submissions.id = reports.submission
        JOIN client_reports AS client
          ON client.app = reports.app AND client.digest = submissions.digest
        JOIN session_events AS event
          ON event.app = client.app AND event.session = client.session
        WHERE reports.name = ?1 AND client.session != ''
          AND event.time < (reports.time / 1000000 + 1) * 1000000
        ORDER BY event.time, event.id, event.name
        """, [report])
      var events: [SessionEvent] = []
      while try rows.step() {
        try events.append(
          SessionEvent(
            id: rows.text("id"),
            crumb: Breadcrumb(
              time: rows.timestamp("time"), name: rows.text("name"),
              properties: ClientRecords.properties(rows.text("properties")))))
      }
      return events
    }
  }
}
