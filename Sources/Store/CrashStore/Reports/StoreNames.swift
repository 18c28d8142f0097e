internal import Database
internal import Glibc
internal import Identifiers

/// The names in a home folder, for completion on the command line: fast and read-only.
///
/// Nothing is created, changed or migrated, and a home of another version is read as far as its
/// tables are known; on any error, there are no names.
public struct StoreNames: ~Copyable {
  /// A group as shown to the user.
  public struct Group: Sendable {
    /// `TERN-12`.
    public let name: String
    /// The text of the signature.
    public let title: String
    public let reports: Int
  }

  private let connection: Connection

  /// - Returns: `nil` where there is no store, or none that can be read now.
  public init?(in home: String) {
    let path = home + "/mayday.db"
    var options = Connection.Options()
    options.patience = 100
    guard access(path, R_OK | W_OK) == 0,
      let connection = try? Connection(opening: path, options: options)
    else { return nil }
    self.connection = connection
  }

  /// The apps, by name.
  public func apps() -> [String] { texts("SELECT name FROM apps ORDER BY name") }

  /// The groups whose names begin with `prefix`, in either letter case; most recently seen first.
  public func groups(prefix: String, limit: Int) -> [Group] {
    var groups: [Group] = []
    do {
      let rows = try connection.prepare(
        """
        SELECT apps.prefix || '-' || groups.number AS group_name, groups.title, groups.reports
        FROM groups JOIN apps ON apps.id = groups.app
        WHERE groups.redirect IS NULL
          AND substr(apps.prefix || '-' || groups.number, 1, ?1) = ?2
        ORDER BY groups.last_seen DESC, groups.id LIMIT ?3
        """, [prefix.unicodeScalars.count, prefix.uppercased(), limit])
      while try rows.step() {
        try groups.append(
          Group(
            name: rows.text("group_name"), title: rows.text("title"), reports: rows.int("reports")))
      }
    } catch {
      // A completion offers what could be read.
    }
    return groups
  }

  /// The ids of reports that begin with `prefix`.
  public func reports(prefix: String, limit: Int) -> [String] {
    // Ids are hexadecimal digits, all of which come before "g".
    texts(
      "SELECT name FROM reports WHERE name >= ?1 AND name < ?1 || 'g' ORDER BY name LIMIT ?2",
      [prefix.lowercased(), limit])
  }

  /// The versions of all apps without their builds, newest first.
  public func versions() -> [String] {
    texts("SELECT DISTINCT version FROM counters WHERE version <> ''")
      .sorted { VersionOrder.precedes($1, $0) }
  }

  private func texts(_ sql: String, _ values: [any SQLBindable] = []) -> [String] {
    var texts: [String] = []
    guard let rows = try? connection.prepare(sql, values) else { return [] }
    // By position: each of the statements has one column.
    while let isRow = try? rows.step(), isRow { texts.append(rows.text(0)) }
    return texts
  }
}
