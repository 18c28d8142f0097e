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
    number: Int, group: String, app: String, kind: Kind, time: Timestamp, release: Release,
    detail: String
  ) {
    self.number = number
    self.group = group
    self.app = app
    self.kind = kind
    self.time = time
    self.release = release
    self.detail = detail
  }
}

extension CrashStore.Groups {
  /// Returns the number of the last line of all histories, from which ``arrivals(after:limit:)`` continues; 0
  /// if there is none.
  ///
  /// - Throws: `DatabaseError`.
  public func lastEvent() throws -> Int {
    try store.read { try $0.requiredInteger("SELECT coalesce(max(id), 0) FROM group_history") }
  }

  /// Returns groups that were opened or regressed after a line of the histories, in order.
  ///
  /// Left out are groups that late debug files or a user made of existing reports, groups that came back with
  /// such a report, groups that were merged into another meanwhile, and what happened to a group in another
  /// store before it was imported.
  ///
  /// - Parameters:
  ///   - mark: The number of the last known line.
  ///   - limit: Maximum number of lines to read.
  /// - Returns: The groups, and the number of the last line read.
  /// - Throws: `DatabaseError`.
  /// - Complexity: O(*n*) in the lines after `mark`, found by their number.
  public func arrivals(
    after mark: Int, limit: Int
  ) throws -> (arrivals: [GroupArrival], last: Int) {
    try store.read { database in
      let last = try database.requiredInteger(
        """
        SELECT coalesce(max(id), ?1) FROM
          (SELECT id FROM group_history WHERE id > ?1 ORDER BY id LIMIT ?2) AS lines
        """, mark, limit)
      let rows = try database.prepare(
        """
        SELECT group_history.id, apps.prefix || '-' || groups.number AS group_name,
          apps.name AS app_name, event, time, version, build, detail
        FROM group_history JOIN groups ON groups.id = group_history.grp
          JOIN apps ON apps.id = groups.app
        WHERE group_history.id > ?1 AND group_history.id <= ?2 AND version IS NOT NULL
          AND event IN \(HistoryEvent.list([.opened, .regressed])) AND is_late = 0 AND undone IS NULL
          AND redirect IS NULL AND NOT EXISTS (
            SELECT 1 FROM group_history AS later WHERE later.grp = group_history.grp
              AND later.id > group_history.id AND later.event = '\(HistoryEvent.imported)')
        ORDER BY group_history.id
        """, [mark, last])
      var arrivals: [GroupArrival] = []
      while try rows.step() {
        let isNew = try rows.text("event") == HistoryEvent.opened.rawValue
        try arrivals.append(
          GroupArrival(
            number: rows.int("id"), group: rows.text("group_name"), app: rows.text("app_name"),
            kind: isNew ? .new : .regressed, time: rows.timestamp("time"),
            release: Release(
              version: rows.text("version"), build: rows.optionalText("build") ?? ""),
            detail: rows.text("detail")))
      }
      return (arrivals, last)
    }
  }
}
