internal import Database
internal import Identifiers
internal import TriageModel

/// Users' actions on groups, inside a transaction.
struct GroupActions: ~Copyable {
  let author: String
  let now: Timestamp
  let reader: StoredReader

  /// Events that decide about the state; an `undone` that reverts one of them counts as well.
  static let stateEvents: [HistoryEvent] = [.resolved, .reopened, .ignored]

  // MARK: The history

  /// Adds a line to a group's history.
  ///
  /// - Parameter record: The data for undoing it; `nil` for a line that cannot be undone by itself.
  /// - Returns: The number of the line.
  @discardableResult
  func note(
    _ group: RowID<Tables.Groups>, _ event: HistoryEvent, _ detail: String,
    _ record: ActionRecord? = nil,
    in database: borrowing Connection
  ) throws -> RowID<Tables.History> {
    try database.insert(
      into: "group_history",
      [
        "id": RowNumbers.history.next(in: database), "app": app(of: group, in: database),
        "grp": group, "time": now.microseconds, "author": author, "event": event,
        "detail": detail, "data": record?.text,
      ])
    return database.lastID()
  }

  func app(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> RowID<Tables.Apps> {
    try database.requiredID("SELECT app FROM groups WHERE id = ?1", group)
  }

  func assignee(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> String? {
    try database.text("SELECT assignee FROM groups WHERE id = ?1", group)
  }

  func assign(
    _ group: RowID<Tables.Groups>, to name: String?, in database: borrowing Connection
  ) throws {
    try database.run("UPDATE groups SET assignee = ?2 WHERE id = ?1", group, name)
  }

  // MARK: States

  /// Gives a group a state that a user decided on.
  private func decide(
    _ status: GroupStatus, _ event: HistoryEvent, _ detail: String, of group: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    var record = ActionRecord()
    record.status = try .read(group, in: database)
    record.mark = try GroupStatuses.mark(in: database)
    var status = status
    status.time = now
    status.author = author
    try status.write(to: group, in: database)
    try note(group, event, detail, record, in: database)
  }

  func resolve(
    _ group: RowID<Tables.Groups>, _ resolution: Resolution, in database: borrowing Connection
  ) throws {
    let app = try app(of: group, in: database)
    let fix: GroupFix
    switch resolution {
    case .inRelease(let release): fix = GroupFix(.inRelease, release)
    case .afterNewestSeen:
      let seen = try ReleasesTable.newest(inGroup: group, of: app, in: database)
      fix = seen.map { GroupFix(.after, $0) } ?? GroupFix(.time)
    case .next:
      let newest = try ReleasesTable.newest(of: app, in: database)
      fix = newest.map { GroupFix(.next, $0) } ?? GroupFix(.time)
    }
    try decide(
      GroupStatus(.resolved, fix: fix), .resolved, fix.words, of: group, in: database)
  }

  func reopen(_ group: RowID<Tables.Groups>, in database: borrowing Connection) throws {
    guard try GroupStatus.read(group, in: database).state != .open else { return }
    try decide(GroupStatus(.open), .reopened, "", of: group, in: database)
  }

  func ignore(
    _ group: RowID<Tables.Groups>, _ condition: IgnoreCondition, in database: borrowing Connection
  ) throws {
    try decide(
      GroupStatus(.ignored, ignore: condition), .ignored, condition.words, of: group,
      in: database)
  }

  // MARK: Assignees and notes

  func assign(
    _ group: RowID<Tables.Groups>, _ name: String?, in database: borrowing Connection
  ) throws {
    var record = ActionRecord()
    record.assignee = try assignee(of: group, in: database)
    guard record.assignee != name else { return }
    try assign(group, to: name, in: database)
    try note(group, .assigned, name.map { "to \($0)" } ?? "to nobody", record, in: database)
  }

  func set(
    _ ticket: GroupTicket?, of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws {
    var record = ActionRecord()
    record.ticket = try GroupTickets.ticket(of: group, in: database)
    guard record.ticket != ticket else { return }
    try GroupTickets.set(ticket, of: group, in: database)
    try note(group, .ticketed, Self.words(for: ticket, after: record.ticket), record, in: database)
  }

  /// `to https://github.com/acme/tern/issues/7, closed`
  private static func words(for ticket: GroupTicket?, after old: GroupTicket?) -> String {
    guard let ticket else { return "no longer to " + (old?.url ?? "") }
    return "to \(ticket.url)"
      + (ticket.state == .closed ? ", closed" : old?.url == ticket.url ? ", open" : "")
  }

  func write(
    _ text: String, to group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws {
    try note(group, .noted, text, ActionRecord(), in: database)
  }
}
