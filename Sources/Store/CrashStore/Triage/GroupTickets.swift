internal import Database
internal import TriageModel

/// The table of issues about groups, inside a transaction.
enum GroupTickets {
  static func state(_ text: String) throws(StoreError) -> GroupTicket.State {
    guard let state = GroupTicket.State(rawValue: text) else {
      throw .damaged("'\(text)' is not the state of a ticket")
    }
    return state
  }

  static func ticket(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> GroupTicket? {
    let rows = try database.prepare(
      "SELECT url, state FROM group_tickets WHERE grp = ?1", [group])
    guard try rows.step() else { return nil }
    return try GroupTicket(url: rows.text("url"), state: state(rows.text("state")))
  }

  static func set(
    _ ticket: GroupTicket?, of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws {
    try database.run("DELETE FROM group_tickets WHERE grp = ?1", group)
    guard let ticket else { return }
    try database.insert(
      into: "group_tickets", ["grp": group, "url": ticket.url, "state": ticket.state.rawValue])
  }
}
