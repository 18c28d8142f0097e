internal import Database
public import Identifiers

extension CrashStore.Releases {
  /// Returns the summaries of an app's releases.
  ///
  /// - Parameter now: The last of the ``ReleaseSummaries/adoptionDays``.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in three columns of the index of reports, in the sessions of the app, and in its
  ///   groups times their releases.
  public func summaries(of app: String, now: Timestamp) throws -> ReleaseSummaries {
    try store.read { database in
      guard let found = try AppsTable.find(app, in: database) else {
        throw StoreError.notFound(app)
      }
      var summaries = ReleaseSummaries()
      try Self.addGroups(to: &summaries, of: found.row, in: database)
      try Self.addRegressedGroups(to: &summaries, of: found.row, in: database)
      try Self.addInstalls(to: &summaries, of: found.row, in: database)
      let first = now.day - ReleaseSummaries.adoptionDays + 1
      try Self.addSessions(to: &summaries, of: found.row, days: first...now.day, in: database)
      return summaries
    }
  }

  private static func addGroups(
    to summaries: inout ReleaseSummaries, of app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws {
    let order = try releases(of: app, in: database)
    let positions = Dictionary(zip(order, 0...)) { first, _ in first }
    let rows = try database.prepare(
      """
      SELECT grp, group_versions.version, build FROM group_versions JOIN groups ON groups.id = grp
      WHERE app = ?1
      """, [app])
    var first: [Int: Int] = [:]
    while try rows.step() {
      let release = try Release(version: rows.text("version"), build: rows.text("build"))
      // A report without a release does not show when its group began.
      guard let position = positions[release] else { continue }
      summaries.releases[release, default: ReleaseSummary()].groups += 1
      let group = try rows.int("grp")
      first[group] = min(first[group] ?? position, position)
    }
    for position in first.values {
      summaries.releases[order[position], default: ReleaseSummary()].newGroups += 1
    }
  }

  /// Adds the groups that came back; for those merged since, the group that contains them.
  private static func addRegressedGroups(
    to summaries: inout ReleaseSummaries, of app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      """
      SELECT DISTINCT grp, group_history.version, group_history.build
      FROM group_history JOIN groups ON groups.id = grp
      WHERE group_history.version IS NOT NULL AND event = '\(HistoryEvent.regressed.rawValue)'
        AND undone IS NULL AND groups.app = ?1
      """, [app])
    while try rows.step() {
      let release = try Release(
        version: rows.text("version"), build: rows.optionalText("build") ?? "")
      let group = try GroupsTable.root(of: rows.id("grp"), in: database)
      summaries.releases[release, default: ReleaseSummary()].regressedGroups.insert(
        try GroupsTable.name(of: group, in: database))
    }
  }

  private static func addInstalls(
    to summaries: inout ReleaseSummaries, of app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws {
    var installs: [Release: NumberSet] = [:]
    let rows = try database.prepare(
      """
      SELECT DISTINCT version, build, install FROM sessions
      WHERE app = ?1 AND install IS NOT NULL
      """, [app])
    while try rows.step() {
      let release = try Release(version: rows.text("version"), build: rows.text("build"))
      installs[release, default: NumberSet()].insert(
        UInt64(bitPattern: Int64(SearchEntry.install(try rows.blob("install")))))
    }
    var found: [UInt64: NumberSet] = [:]
    try SearchScan([CompiledCondition.reports(of: app, in: database)]).run(
      [.install, .version, .build], withPast: true, in: database
    ) { chunk, positions in
      let (column, versions, builds) = (chunk[.install], chunk[.version], chunk[.build])
      for position in positions where column[position] != 0 {
        found[NumberSet.pair(versions[position], builds[position]), default: NumberSet()]
          .insert(UInt64(bitPattern: Int64(column[position])))
      }
    }
    for (code, numbers) in found {
      let release = try BuildCases.release(code, in: database)
      guard !release.isEmpty else { continue }
      numbers.forEach { installs[release, default: NumberSet()].insert($0) }
    }
    for (release, numbers) in installs {
      summaries.releases[release, default: ReleaseSummary()].installs = numbers.count
    }
  }

  private static func addSessions(
    to summaries: inout ReleaseSummaries, of app: RowID<Tables.Apps>, days: ClosedRange<Int>,
    in database: borrowing Connection
  ) throws {
    for (table, count) in [("sessions", "count(*)"), ("session_counts", "sum(sessions)")] {
      let rows = try database.prepare(
        """
        SELECT version, build, \(count) AS sessions FROM \(table)
        WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY version, build
        """, [app, days.lowerBound, days.upperBound])
      while try rows.step() {
        let release = try Release(version: rows.text("version"), build: rows.text("build"))
        let sessions = try rows.int("sessions")
        summaries.releases[release, default: ReleaseSummary()].sessions += sessions
        summaries.sessions += sessions
      }
    }
  }
}
