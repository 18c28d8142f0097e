internal import Database
internal import Identifiers
internal import TriageModel

/// The states of groups, inside a transaction: the changes that reports and time make to them.
struct GroupStatuses: ~Copyable {
  /// A change that reports and time can make to a state.
  enum Change: Sendable {
    /// A resolved group was seen in a release in which it should be fixed.
    case regressed
    /// An ignored group was reopened.
    case returned
  }

  private let app: RowID<Tables.Apps>
  private let now: Timestamp
  private let isLate: Bool

  /// - Parameter isLate: Whether the reports were stored before, so that changes need no notification.
  init(app: RowID<Tables.Apps>, now: Timestamp, isLate: Bool = true) {
    self.app = app
    self.now = now
    self.isLate = isLate
  }

  /// Whether reports can change the state of a group.
  func mayChange(
    _ group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> Bool {
    Self.mayChange(
      fromState: try database.requiredText("SELECT state FROM groups WHERE id = ?1", group))
  }

  static func mayChange(fromState state: String) -> Bool {
    state == GroupState.resolved.rawValue || state == GroupState.ignored.rawValue
  }

  /// Checks the effect of a newly stored report on its group's state.
  ///
  /// - Parameter isNewUser: Whether the report is the first from its installation; asked only where the state
  ///   depends on it.
  @discardableResult
  func stored(
    _ report: CountedReport, isNewUser: () throws -> Bool, in group: RowID<Tables.Groups>,
    of database: borrowing Connection
  ) throws -> Change? {
    let state = try database.requiredText("SELECT state FROM groups WHERE id = ?1", group)
    switch state {
    case GroupState.resolved.rawValue: return try check(report, in: group, of: database)
    case GroupState.ignored.rawValue:
      return try count(report, isNewUser: isNewUser, in: group, of: database)
    default: return nil
    }
  }

  /// Checks the effect of a report that moved into a group on its state: it may show that the group is not
  /// fixed, but it is not a new report.
  @discardableResult
  func moved(
    _ report: CountedReport, to group: RowID<Tables.Groups>, of database: borrowing Connection
  ) throws -> Change? {
    let state = try database.requiredText("SELECT state FROM groups WHERE id = ?1", group)
    guard state == GroupState.resolved.rawValue else { return nil }
    return try check(report, in: group, of: database)
  }

  private func check(
    _ report: CountedReport, in group: RowID<Tables.Groups>, of database: borrowing Connection
  ) throws -> Change? {
    var status = try GroupStatus.read(group, in: database)
    guard let fix = status.fix, let time = status.time,
      let words = try Regression.shown(
        by: report, against: fix, resolved: time, app: app, in: database)
    else { return nil }
    status.state = .regressed
    status.time = now
    status.author = "mayday"
    try status.write(to: group, in: database)
    try note(
      group, .regressed, "\(words): report \(report.id.prefix(10))",
      release: Release(version: report.version, build: report.build), in: database)
    return .regressed
  }

  /// Reverts a regression that no report of the group shows any more, after later debug files or mappings
  /// moved reports to another group.
  ///
  /// - Parameter newGroup: The group that they moved to.
  func left(
    _ group: RowID<Tables.Groups>, for newGroup: RowID<Tables.Groups>,
    of database: borrowing Connection
  ) throws {
    var status = try GroupStatus.read(group, in: database)
    guard status.state == .regressed, let fix = status.fix,
      let regression = try lastLine(.regressed, of: group, in: database),
      let resolution = try lastLine(.resolved, of: group, before: regression.row, in: database),
      let mark = resolution.mark
    else { return }
    // The rows are read before the group changes.
    var reports: [CountedReport] = []
    do {
      let rows = try database.prepare(
        "SELECT \(CountedReport.columns) FROM reports WHERE grp = ?1 AND id > ?2 ORDER BY id",
        [group, mark])
      while try rows.step() { try reports.append(CountedReport(rows)) }
    }
    for report in reports {
      let words = try Regression.shown(
        by: report, against: fix, resolved: resolution.time, app: app, in: database)
      if words != nil { return }
    }
    status.state = .resolved
    status.time = resolution.time
    status.author = resolution.author
    try status.write(to: group, in: database)
    let name = try GroupsTable.name(of: newGroup, in: database)
    try note(
      group, .undone,
      "#\(regression.row.rawValue), \(HistoryEvent.regressed.rawValue): what showed it belongs to \(name);"
        + " \(status.words) again",
      in: database)
    let line = try database.requiredInteger(
      "SELECT max(id) FROM group_history WHERE grp = ?1", group)
    try database.run(
      "UPDATE group_history SET undone = ?2 WHERE id = ?1", regression.row, line)
  }

  /// The last line of a group's history with an event that is still in effect.
  private func lastLine(
    _ event: HistoryEvent, of group: RowID<Tables.Groups>,
    before limit: RowID<Tables.History> = RowID(.max), in database: borrowing Connection
  ) throws -> (
    row: RowID<Tables.History>, time: Timestamp, author: String, mark: RowID<Tables.Reports>?
  )? {
    let rows = try database.prepare(
      """
      SELECT id, time, author, data FROM group_history
      WHERE grp = ?1 AND event = ?2 AND undone IS NULL AND id < ?3
      ORDER BY id DESC LIMIT 1
      """, [group, event.rawValue, limit])
    guard try rows.step() else { return nil }
    return try (
      rows.id("id"), rows.timestamp("time"), rows.text("author"),
      rows.optionalText("data").map { try ActionRecord($0) }?.mark
    )
  }

  private func count(
    _ report: CountedReport, isNewUser: () throws -> Bool, in group: RowID<Tables.Groups>,
    of database: borrowing Connection
  ) throws -> Change? {
    var status = try GroupStatus.read(group, in: database)
    guard var ignore = status.ignore else { return nil }
    if let reports = ignore.reports { ignore.reports = max(0, reports - 1) }
    if let users = ignore.users, try isNewUser() { ignore.users = max(0, users - 1) }
    status.ignore = ignore
    var reason: String?
    if ignore.users == 0 { reason = "it reached as many more users as were allowed" }
    if ignore.reports == 0 { reason = "it had as many more reports as were allowed" }
    guard let reason else {
      if ignore.reports != nil || ignore.users != nil {
        try status.write(to: group, in: database)
      }
      return nil
    }
    try Self.open(group, time: now, in: database)
    try note(group, .returned, reason, in: database)
    return .returned
  }

  private static func open(
    _ group: RowID<Tables.Groups>, time: Timestamp, in database: borrowing Connection
  ) throws {
    try GroupStatus(.open, time: time, author: "mayday")
      .write(to: group, in: database)
  }

  /// - Parameter release: The release of the report that caused the event.
  private func note(
    _ group: RowID<Tables.Groups>, _ event: HistoryEvent, _ detail: String,
    release: Release? = nil, in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "group_history",
      [
        "id": RowNumbers.history.next(in: database), "app": app, "grp": group,
        "time": now.microseconds, "author": "mayday", "event": event, "detail": detail,
        "version": release?.version, "build": release?.build, "is_late": isLate,
      ])
  }

  /// Repeats the effects of later reports on the state, oldest first.
  ///
  /// - Parameter mark: The row of the last report to skip.
  func replay(
    after mark: RowID<Tables.Reports>, in group: RowID<Tables.Groups>,
    of database: borrowing Connection
  ) throws {
    let status = try GroupStatus.read(group, in: database)
    guard status.state == .resolved || status.state == .ignored else { return }
    // The rows are read before the group changes.
    var reports: [(report: CountedReport, isNewUser: Bool)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT \(CountedReport.columns), install IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM reports AS earlier WHERE earlier.grp = ?1
            AND earlier.install = reports.install AND earlier.id < reports.id) AS is_new_user
        FROM reports WHERE grp = ?1 AND id > ?2 ORDER BY id
        """, [group, mark])
      while try rows.step() { try reports.append((CountedReport(rows), rows.bool("is_new_user"))) }
    }
    for (report, isNewUser) in reports {
      try stored(report, isNewUser: { isNewUser }, in: group, of: database)
    }
  }

  /// The row of the last report.
  static func mark(in database: borrowing Connection) throws -> RowID<Tables.Reports> {
    try database.requiredID("SELECT coalesce(max(id), 0) FROM reports")
  }

  /// Whether any ignored group is due to be reopened.
  static func isDue(now: Timestamp, in database: borrowing Connection) throws -> Bool {
    try database.integer(
      """
      SELECT 1 FROM groups WHERE ignore_until IS NOT NULL AND redirect IS NULL
        AND ignore_until <= ?1 LIMIT 1
      """, now.microseconds) != nil
  }

  /// Reopens the ignored groups whose time is over.
  static func wake(now: Timestamp, in database: borrowing Connection) throws {
    guard try isDue(now: now, in: database) else { return }
    var due: [(group: RowID<Tables.Groups>, app: RowID<Tables.Apps>, time: Timestamp)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT id, app, ignore_until FROM groups
        WHERE ignore_until IS NOT NULL AND redirect IS NULL AND ignore_until <= ?1
        ORDER BY ignore_until, id
        """, [now.microseconds])
      while try rows.step() {
        try due.append((rows.id("id"), rows.id("app"), rows.timestamp("ignore_until")))
      }
    }
    for (group, app, time) in due {
      // The time at which it was over, not the time of this check.
      try open(group, time: time, in: database)
      try GroupStatuses(app: app, now: time, isLate: false).note(
        group, .returned, "the time for which it was ignored is over", in: database)
    }
  }
}
