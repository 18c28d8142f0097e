internal import Database
internal import Identifiers
internal import TriageModel

/// The groups of a release, inside a transaction: those seen, introduced, reopened or fixed in it.
struct ReleaseGroups {
  private let release: Release
  private let app: RowID<Tables.Apps>
  /// Reports of the release by group.
  private let reports: [RowID<Tables.Groups>: Int]

  init(
    of release: Release, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    self.release = release
    self.app = app
    let rows = try database.prepare(
      """
      SELECT grp, sum(count) AS reports FROM group_versions JOIN groups ON groups.id = grp
      WHERE group_versions.version = ?2 AND (build = ?3 OR ?3 = '') AND app = ?1
      GROUP BY grp
      """, [app, release.version, release.build])
    var reports: [RowID<Tables.Groups>: Int] = [:]
    while try rows.step() { try reports[rows.id("grp")] = rows.int("reports") }
    self.reports = reports
  }

  func add(to figures: inout ReleaseFigures, in database: borrowing Connection) throws {
    figures.groups = reports.count
    figures.newGroups = try topItems(new(in: database), in: database)
    figures.regressions = try topItems(regressed(in: database), in: database)
    figures.fixedGroups = try topItems(fixed(in: database), in: database)
  }

  /// Returns the groups whose first release, in the order of releases, it is.
  private func new(in database: borrowing Connection) throws -> [RowID<Tables.Groups>] {
    guard !reports.isEmpty else { return [] }
    let order = try CrashStore.Releases.releases(of: app, in: database)
    let positions = Dictionary(zip(order, 0...)) { first, _ in first }
    let rows = try database.prepare(
      """
      SELECT grp, group_versions.version, build FROM group_versions JOIN groups ON groups.id = grp
      WHERE app = ?1 AND grp IN (SELECT grp FROM group_versions
        WHERE version = ?2 AND (build = ?3 OR ?3 = ''))
      """, [app, release.version, release.build])
    var first: [RowID<Tables.Groups>: Int] = [:]
    while try rows.step() {
      // A report without a release does not show when its group began.
      guard
        let position = try positions[
          Release(version: rows.text("version"), build: rows.text("build"))]
      else { continue }
      let group: RowID<Tables.Groups> = try rows.id("grp")
      first[group] = min(first[group] ?? position, position)
    }
    return first.filter { order[$0.value].isBuild(of: release) }.map(\.key)
  }

  /// Returns the groups that came back in it; for those merged since, the group that contains them.
  private func regressed(in database: borrowing Connection) throws -> [RowID<Tables.Groups>] {
    let rows = try database.prepare(
      """
      SELECT DISTINCT grp FROM group_history JOIN groups ON groups.id = grp
      WHERE group_history.version = ?2 AND (group_history.build = ?3 OR ?3 = '')
        AND event = '\(HistoryEvent.regressed.rawValue)'
        AND undone IS NULL AND groups.app = ?1
      """, [app, release.version, release.build])
    var groups: Set<RowID<Tables.Groups>> = []
    while try rows.step() {
      groups.insert(try GroupsTable.root(of: rows.id("grp"), in: database))
    }
    return Array(groups)
  }

  private func fixed(in database: borrowing Connection) throws -> [RowID<Tables.Groups>] {
    let rows = try database.prepare(
      """
      SELECT id FROM groups WHERE app = ?1 AND fixed_version = ?2
        AND (fixed_build = ?3 OR fixed_build = '' OR ?3 = '') AND redirect IS NULL
        AND state = '\(GroupState.resolved.rawValue)'
        AND fixed_how = '\(GroupFix.Kind.inRelease.rawValue)'
      """, [app, release.version, release.build])
    var groups: [RowID<Tables.Groups>] = []
    while try rows.step() { groups.append(try rows.id("id")) }
    return groups
  }

  /// Returns the groups with the most reports of the release first, and their total.
  private func topItems(
    _ groups: [RowID<Tables.Groups>], in database: borrowing Connection
  ) throws -> ReleaseFigures.TopItems<ReleaseFigures.Group> {
    let sorted = groups.sorted { left, right in
      (reports[right] ?? 0, left.rawValue) < (reports[left] ?? 0, right.rawValue)
    }
    let items = try sorted.prefix(CrashStore.Releases.figureItems).map { group in
      let rows = try database.prepare("SELECT title, state FROM groups WHERE id = ?1", [group])
      guard try rows.step() else { throw StoreError.damaged("there is no group in row \(group)") }
      return try ReleaseFigures.Group(
        id: GroupsTable.name(of: group, in: database), signature: rows.text("title"),
        state: GroupState(rawValue: rows.text("state")) ?? .open, reports: reports[group] ?? 0)
    }
    return ReleaseFigures.TopItems(items: items, total: groups.count)
  }
}
