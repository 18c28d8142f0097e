internal import Database
public import Identifiers

/// A group that a report opened or reopened.
public struct GroupArrival: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// No group had the report's key.
    case new
    /// The group was resolved, and the report shows that it is not fixed.
    case regressed
  }

  /// The number of the line in the histories.
  public var number: Int
  /// The app's row number, as in ``EventMarks``.
  public var appRow: Int
  /// `TERN-12`
  public var group: String
  public var app: String
  public var kind: Kind
  /// When the report was stored.
  public var time: Timestamp
  /// The release of the report; empty where it names none.
  public var release: Release
  /// For a regression, a text about what was compared.
  public var detail: String

  public init(
    number: Int, appRow: Int, group: String, app: String, kind: Kind, time: Timestamp,
    release: Release, detail: String
  ) {
    self.number = number
    self.appRow = appRow
    self.group = group
    self.app = app
    self.kind = kind
    self.time = time
    self.release = release
    self.detail = detail
  }
}

/// Numbers of lines of the histories or of the news, by the row number of their app.
///
/// Lines of an app are committed in the order of their numbers. Those of several apps are not where a database
/// has several writers, so whoever reads new lines remembers the last one of each app. An app without lines
/// has no mark.
public typealias EventMarks = [Int: Int]

extension CrashStore.Groups {
  /// Returns the greatest number of a line of all histories; 0 if there is none.
  ///
  /// - Throws: `DatabaseError`.
  public func lastEvent() throws -> Int {
    try store.read { try $0.requiredInteger("SELECT coalesce(max(id), 0) FROM group_history") }
  }

  /// Returns the number of the last line of each app's histories, from which ``arrivals(after:limit:)``
  /// continues.
  ///
  /// - Throws: `DatabaseError`.
  /// - Complexity: O(*n*) in the apps.
  public func lastEvents() throws -> EventMarks {
    try store.read { try Self.lastEvents(in: $0) }
  }

  private static func lastEvents(in database: borrowing Connection) throws -> EventMarks {
    let rows = try database.prepare(
      """
      SELECT id, (SELECT max(line.id) FROM group_history AS line WHERE line.app = apps.id) AS last
      FROM apps
      """)
    var marks: EventMarks = [:]
    while try rows.step() { try marks[rows.int("id")] = rows.optionalInt("last") }
    return marks
  }

  /// Returns groups that were opened or regressed after a line of the histories of their app, by number.
  ///
  /// Left out are groups that late debug files or a user made of existing reports, groups that came back with
  /// such a report, groups that were merged into another meanwhile, and what happened to a group in another
  /// store before it was imported.
  ///
  /// - Parameters:
  ///   - marks: The last known line of each app; all lines of an app without a mark are new.
  ///   - limit: Maximum number of lines to read, shared equally by the apps that have new ones; at least one
  ///     of each.
  /// - Returns: The groups, and the last line read of each app. The mark of an app whose last lines were
  ///   deleted is its last line now.
  /// - Throws: `DatabaseError`.
  /// - Complexity: O(*n*) in the apps and in the new lines, found by app and number.
  public func arrivals(
    after marks: EventMarks, limit: Int
  ) throws -> (arrivals: [GroupArrival], marks: EventMarks) {
    try store.read { database in
      var next = try Self.lastEvents(in: database)
      let apps = next.filter { $0.value > marks[$0.key] ?? 0 }.keys.sorted()
      var arrivals: [GroupArrival] = []
      for app in apps {
        let mark = marks[app] ?? 0
        let last = try database.requiredInteger(
          """
          SELECT coalesce(max(id), ?2) FROM
            (SELECT id FROM group_history WHERE app = ?1 AND id > ?2 ORDER BY id LIMIT ?3) AS lines
          """, app, mark, max(1, limit / apps.count))
        next[app] = last
        try Self.read(&arrivals, of: app, after: mark, through: last, in: database)
      }
      return (arrivals.sorted { $0.number < $1.number }, next)
    }
  }

  private static func read(
    _ arrivals: inout [GroupArrival], of app: Int, after mark: Int, through last: Int,
    in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      """
      SELECT group_history.id, apps.prefix || '-' || groups.number AS group_name,
        apps.name AS app_name, event, time, version, build, detail
      FROM group_history JOIN groups ON groups.id = group_history.grp
        JOIN apps ON apps.id = groups.app
      WHERE group_history.app = ?1 AND group_history.id > ?2 AND group_history.id <= ?3
        AND version IS NOT NULL AND event IN \(HistoryEvent.list([.opened, .regressed]))
        AND is_late = 0 AND undone IS NULL AND redirect IS NULL AND NOT EXISTS (
          SELECT 1 FROM group_history AS later WHERE later.grp = group_history.grp
            AND later.id > group_history.id AND later.event = '\(HistoryEvent.imported)')
      ORDER BY group_history.id
      """, [app, mark, last])
    while try rows.step() {
      let isNew = try rows.text("event") == HistoryEvent.opened.rawValue
      try arrivals.append(
        GroupArrival(
          number: rows.int("id"), appRow: app, group: rows.text("group_name"),
          app: rows.text("app_name"), kind: isNew ? .new : .regressed,
          time: rows.timestamp("time"),
          release: Release(version: rows.text("version"), build: rows.optionalText("build") ?? ""),
          detail: rows.text("detail")))
    }
  }
}
