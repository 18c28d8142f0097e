internal import CrashModel
internal import Database
public import Identifiers
public import TriageModel

extension CrashStore.Groups {
  /// Returns the group of this name, `TERN-12`, in either letter case. The name of a group that was merged
  /// into another finds the other.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func get(_ name: String) throws -> GroupSummary {
    try store.read { database in
      try Self.summary(of: try Self.groupRow(named: name, in: database), in: database)
    }
  }

  /// Returns the group of a row.
  static func summary(
    of row: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> GroupSummary {
    let rows = try database.prepare(groupColumns + " WHERE groups.id = ?1", [row])
    guard try rows.step() else { throw StoreError.damaged("there is no group in row \(row)") }
    return try group(rows, in: database)
  }

  /// Returns the row of a group, following redirects.
  static func groupRow(
    named name: String, in database: borrowing Connection
  ) throws -> RowID<Tables.Groups> {
    try GroupsTable.root(of: try namedRow(name, in: database), in: database)
  }

  /// Returns the row of the group that was created under this name.
  static func namedRow(
    _ name: String, in database: borrowing Connection
  ) throws -> RowID<Tables.Groups> {
    let dash = name.lastIndex(of: "-") ?? name.startIndex
    guard dash > name.startIndex, let number = Int(name[name.index(after: dash)...]),
      let app = try AppsTable.owner(ofPrefix: name[..<dash].uppercased(), in: database),
      let row: RowID<Tables.Groups> = try database.id(
        "SELECT id FROM groups WHERE app = ?1 AND number = ?2", app, number)
    else { throw StoreError.notFound(name) }
    return row
  }

  static let groupColumns = """
    SELECT groups.id, apps.prefix || '-' || groups.number AS group_name, apps.name AS app_name,
      groups.title, groups.main_key, groups.category, groups.rules, groups.provisional,
      groups.reason, groups.kind, groups.reports, groups.installs, groups.first_seen, groups.last_seen, groups.exemplar,
      groups.assignee, group_tickets.url AS ticket, group_tickets.state AS ticket_state,
      \(GroupStatus.columns)
    FROM groups JOIN apps ON apps.id = groups.app 
      LEFT JOIN group_tickets ON group_tickets.grp = groups.id
    """ + "\n"

  static func group(
    _ row: borrowing Statement, in database: borrowing Connection
  ) throws -> GroupSummary {
    let signature = try Signature(
      text: row.text("title"), key: row.text("main_key"),
      category: SignatureCategory(rawValue: row.text("category")) ?? .signal,
      rules: row.text("rules"),
      isProvisional: row.bool("provisional"))
    var group = try GroupSummary(
      id: row.text("group_name"), app: row.text("app_name"), signature: signature,
      reason: row.optionalText("reason"),
      kind: ReportKind(rawValue: row.text("kind")) ?? .other,
      status: GroupStatus(row), assignee: row.optionalText("assignee"),
      merged: try merged(into: row.id("id"), in: database), reports: row.int("reports"),
      installs: row.int("installs") > 0 ? row.int("installs") : nil,
      firstSeen: row.timestamp("first_seen"),
      lastSeen: row.timestamp("last_seen"),
      versions: try versions(of: row.id("id"), in: database), exemplar: row.text("exemplar"))
    group.ticket = try row.optionalText("ticket").map { url in
      GroupTicket(url: url, state: try GroupTickets.state(row.text("ticket_state")))
    }
    return group
  }

  /// Returns the counts of reports by version, in the order of the versions.
  static func versions(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> [VersionCount] {
    let rows = try database.prepare(
      "SELECT version, build, count FROM group_versions WHERE grp = ?1", [group])
    var versions: [VersionCount] = []
    while try rows.step() {
      let identity = try identity(
        of: Release(version: rows.text("version"), build: rows.text("build")))
      try versions.append(VersionCount(version: identity.versionText, reports: rows.int("count")))
    }
    return ordered(versions)
  }

  /// Returns the release of a group that lists show as `name`, see ``VersionCount/version``: with its build
  /// also where the build equals the version and lists omit it.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func release(listedAs name: String, ofGroup group: String) throws -> Release {
    let releases = try store.read { database in
      let row = try Self.groupRow(named: group, in: database)
      let rows = try database.prepare(
        "SELECT version, build FROM group_versions WHERE grp = ?1 ORDER BY build DESC", [row])
      var releases: [Release] = []
      while try rows.step() {
        try releases.append(Release(version: rows.text("version"), build: rows.text("build")))
      }
      return releases
    }
    let listed = releases.first { release in
      Self.identity(of: release).versionText == name
    }
    return listed ?? Release(name)
  }

  private static func identity(of release: Release) -> AppIdentity {
    AppIdentity(
      version: release.version.isEmpty ? nil : release.version,
      build: release.build.isEmpty ? nil : release.build)
  }

  static func ordered(_ versions: [VersionCount]) -> [VersionCount] {
    versions.sorted {
      let order = VersionOrder.compare($0.version, $1.version)
      return order < 0 || order == 0 && $0.version < $1.version
    }
  }

  /// Returns the group that owns a key, and whether it is a key of its reports or only one by which they
  /// could be read.
  ///
  /// - Throws: `DatabaseError`.
  public func owner(ofKey key: String, app: String) throws -> (group: String, isMain: Bool)? {
    try store.read { database in
      guard let app = try AppsTable.find(app, in: database) else { return nil }
      let rows = try database.prepare(
        "SELECT grp, is_main FROM group_keys WHERE app = ?1 AND key = ?2", [app.row, key])
      guard try rows.step() else { return nil }
      return try (GroupsTable.name(of: rows.id("grp"), in: database), rows.bool("is_main"))
    }
  }
}
