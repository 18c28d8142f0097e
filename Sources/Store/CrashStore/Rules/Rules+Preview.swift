internal import Database

extension CrashStore.Rules {
  /// A report and its group.
  public struct Member: Hashable, Sendable {
    /// The database row, for asking for the next ones.
    public let row: Int
    public let report: String
    /// `TERN-12`.
    public let group: String
    public let title: String
    /// Whether a user merged or split the group: rules leave it alone.
    public let isHeld: Bool
  }

  /// Reports of an app with their groups, in order of arrival.
  ///
  /// - Parameter row: The row of the last known report; 0 for the first page.
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func members(of app: String, after row: Int, limit: Int) throws -> [Member] {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      let rows = try database.prepare(
        """
        SELECT reports.id AS row, reports.name AS report, groups.number AS number,
          groups.title AS title,
          (SELECT count(DISTINCT home) + count(parent) FROM origins WHERE grp = groups.id) AS origins
        FROM reports JOIN groups ON groups.id = reports.grp
        WHERE reports.app = ?1 AND reports.id > ?2 ORDER BY reports.id LIMIT ?3
        """, [app.row, row, limit])
      var members: [Member] = []
      while try rows.step() {
        try members.append(
          Member(
            row: rows.int("row"), report: rows.text("report"),
            group: "\(app.prefix)-\(rows.int("number"))", title: rows.text("title"),
            isHeld: rows.int("origins") != 1))
      }
      return members
    }
  }
}
