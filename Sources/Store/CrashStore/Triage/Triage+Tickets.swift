internal import Database
public import Identifiers
public import TriageModel

/// A ticket of a group, with the tracker that knows its state.
public struct TrackedTicket: Hashable, Sendable {
  /// The group's id.
  public var group: String
  public var ticket: GroupTicket
  public var tracker: TicketTracker
}

extension CrashStore.Triage {
  /// Returns tickets whose trackers can be asked, those not asked for the longest time first.
  ///
  /// - Parameter time: Tickets asked at this time or later are left out.
  public func tickets(notCheckedSince time: Timestamp, limit: Int) throws -> [TrackedTicket] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT apps.prefix || '-' || groups.number AS group_name, group_tickets.url,
          group_tickets.state, \(TrackersTable.columns)
        FROM group_tickets JOIN groups ON groups.id = group_tickets.grp
          JOIN apps ON apps.id = groups.app JOIN trackers ON trackers.app = apps.id
        WHERE groups.redirect IS NULL AND trackers.token IS NOT NULL
          AND coalesce(group_tickets.checked, 0) < ?1
        ORDER BY coalesce(group_tickets.checked, 0), groups.id LIMIT ?2
        """, [time.microseconds, limit])
      var tickets: [TrackedTicket] = []
      while try rows.step() {
        try tickets.append(
          TrackedTicket(
            group: rows.text("group_name"),
            ticket: GroupTicket(
              url: rows.text("url"), state: GroupTickets.state(rows.text("state"))),
            tracker: TrackersTable.tracker(rows)))
      }
      return tickets
    }
  }

  /// Records that a tracker was asked for the state of a ticket; a new state goes into the history.
  ///
  /// - Parameter state: `nil` if it did not say.
  /// - Throws: `DatabaseError`. A group that has another ticket by now stays as it is.
  public func check(
    _ tracked: TrackedTicket, found state: GroupTicket.State?, at time: Timestamp
  ) throws {
    _ = try store.act(.global) { database, now in
      let group = try CrashStore.Groups.groupRow(named: tracked.group, in: database)
      guard let ticket = try GroupTickets.ticket(of: group, in: database),
        ticket.url == tracked.ticket.url
      else { return }
      if let state, state != ticket.state {
        let actions = GroupActions(
          author: "mayday", now: now, reader: StoredReader(contents: store.contents))
        try actions.set(GroupTicket(url: ticket.url, state: state), of: group, in: database)
      }
      try database.run(
        "UPDATE group_tickets SET checked = ?2 WHERE grp = ?1", group, time.microseconds)
    }
  }
}
