internal import Database
internal import Identifiers
internal import TriageModel

/// The columns of a group's row that hold its state.
extension GroupStatus {
  static let columns = """
    groups.state, groups.state_time, groups.state_author, groups.fixed_how, groups.fixed_version,
    groups.fixed_build, groups.ignore_reports, groups.ignore_users, groups.ignore_until
    """

  /// - Parameter row: A row with ``columns``.
  init(_ row: borrowing Statement) throws(DatabaseError) {
    try self.init(
      GroupState(rawValue: row.text("state")) ?? .open,
      time: row.optionalTimestamp("state_time"),
      author: row.optionalText("state_author"))
    if let kind = try row.optionalText("fixed_how").flatMap(GroupFix.Kind.init(rawValue:)) {
      let release = try Release(version: row.text("fixed_version"), build: row.text("fixed_build"))
      fix = GroupFix(kind, kind == .time ? nil : release)
    }
    if state == .ignored {
      ignore = try IgnoreCondition(
        reports: row.optionalInt("ignore_reports"), users: row.optionalInt("ignore_users"),
        until: row.optionalTimestamp("ignore_until"))
    }
  }

  /// Reads the state from a group's row.
  static func read(
    _ group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> GroupStatus {
    let rows = try database.prepare("SELECT \(columns) FROM groups WHERE id = ?1", [group])
    guard try rows.step() else { throw StoreError.damaged("there is no group in row \(group)") }
    return try GroupStatus(rows)
  }

  func write(to group: RowID<Tables.Groups>, in database: borrowing Connection) throws {
    // Losing or gaining a known fix changes what clients are offered.
    try KnownFixes.changed(group, in: database)
    try database.run(
      """
      UPDATE groups SET state = ?2, state_time = ?3, state_author = ?4, fixed_how = ?5,
        fixed_version = ?6, fixed_build = ?7, ignore_reports = ?8, ignore_users = ?9,
        ignore_until = ?10
      WHERE id = ?1
      """, group, state.rawValue, time?.microseconds, author, fix?.kind.rawValue,
      fix?.release?.version, fix?.release?.build, ignore?.reports, ignore?.users,
      ignore?.until?.microseconds)
    try KnownFixes.changed(group, in: database)
  }
}
