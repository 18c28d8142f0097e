internal import Database
public import Identifiers
internal import Updates

extension CrashStore.Releases {
  /// Number of days with session figures: the default and the maximum.
  public static let figureDays = (usual: 30, most: ClientLimits.sessionDays)
  /// Maximum number of groups and images in each list.
  public static let figureItems = 20

  /// Returns the apps that have a release: a report or a session names it, or it was added.
  ///
  /// - Throws: `DatabaseError`.
  public func apps(with release: Release) throws -> [String] {
    try store.read { database in
      var apps: [(name: String, row: RowID<Tables.Apps>)] = []
      let rows = try database.prepare("SELECT name, id FROM apps ORDER BY name")
      while try rows.step() { try apps.append((rows.text("name"), rows.id("id"))) }
      return try apps.filter { try Self.exists(release, of: $0.row, in: database) }.map(\.name)
    }
  }

  /// Returns the figures of a release.
  ///
  /// - Parameters:
  ///   - release: A version without a build means all of its builds.
  ///   - days: Number of days with session figures, up to that of `now`; at most ``figureDays``.
  /// - Throws: ``StoreError/unknownApp(_:near:)``, ``ActionError/noSuchRelease(_:app:near:)``;
  ///   `DatabaseError`.
  /// - Complexity: O(*n*) in the sessions of the app on those days, in the groups that the release was seen
  ///   in times their releases, and in one column of the index of reports.
  public func figures(
    of release: Release, app: String, days: Int = figureDays.usual, now: Timestamp
  ) throws -> ReleaseFigures {
    try store.read { database in
      let found = try AppsTable.known(app, in: database)
      guard try Self.exists(release, of: found.row, in: database) else {
        let near = try Self.releases(of: found.row, in: database).last {
          $0.version.hasPrefix(release.version)
        }
        throw ActionError.noSuchRelease(release.name, app: found.name, near: near?.name)
      }
      let last = now.day
      let span = (last - min(max(days, 1), Self.figureDays.most) + 1)...last
      var figures = ReleaseFigures(
        app: found.name, release: release,
        days: ReleaseFigures.Days(
          first: Timestamp(day: span.lowerBound), last: Timestamp(day: span.upperBound)))
      try Self.addReports(to: &figures, app: found.row, in: database)
      figures.installs = try Self.installs(of: release, app: found.row, in: database)
      figures.crashFree = try CrashStore.Sessions.crashFree(
        app: found.row, days: span, release: release, in: database)
      figures.adoption = try Self.adoption(of: release, app: found.row, days: span, in: database)
      try ReleaseGroups(of: release, app: found.row, in: database).add(to: &figures, in: database)
      let missing = try CrashStore.DebugFiles.missing(
        of: release, app: found.row, limit: Self.figureItems, in: database)
      figures.missing = ReleaseFigures.TopItems(items: missing.images, total: missing.total)
      try Self.addDistribution(to: &figures, app: found.row, in: database)
      return figures
    }
  }

  private static func exists(
    _ release: Release, of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Bool {
    for table in ["releases", "sessions", "session_counts"] {
      let row = try database.integer(
        """
        SELECT 1 FROM \(table) WHERE app = ?1 AND version = ?2 AND (build = ?3 OR ?3 = '') LIMIT 1
        """, app, release.version, release.build)
      if row != nil { return true }
    }
    return false
  }

  /// Returns the releases of an app, oldest first.
  static func releases(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [Release] {
    let rows = try database.prepare("SELECT version, build FROM releases WHERE app = ?1", [app])
    var releases: [Release] = []
    while try rows.step() {
      try releases.append(Release(version: rows.text("version"), build: rows.text("build")))
    }
    return try ReleasesTable.order(of: app, in: database).sorted(releases)
  }

  private static func addReports(
    to figures: inout ReleaseFigures, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    let (release, order) = (figures.release, try ReleasesTable.order(of: app, in: database))
    let rows = try database.prepare(
      """
      SELECT build, reports, first_seen, last_seen FROM releases
      WHERE app = ?1 AND version = ?2 AND (build = ?3 OR ?3 = '')
      """, [app, release.version, release.build])
    var builds: [Release] = []
    while try rows.step() {
      try builds.append(Release(version: release.version, build: rows.text("build")))
      figures.reports += try rows.int("reports")
      if let first = try rows.optionalTimestamp("first_seen") {
        figures.firstSeen = min(figures.firstSeen ?? first, first)
      }
      if let last = try rows.optionalTimestamp("last_seen") {
        figures.lastSeen = max(figures.lastSeen ?? last, last)
      }
    }
    figures.builds = order.sorted(builds).map(\.build).filter { !$0.isEmpty }
  }

  /// Returns the number of distinct installations with a report or a session of a release.
  private static func installs(
    of release: Release, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Int {
    var installs = NumberSet()
    let rows = try database.prepare(
      """
      SELECT DISTINCT install FROM sessions
      WHERE app = ?1 AND version = ?2 AND (build = ?3 OR ?3 = '') AND install IS NOT NULL
      """, [app, release.version, release.build])
    while try rows.step() {
      installs.insert(UInt64(bitPattern: Int64(SearchEntry.install(try rows.blob("install")))))
    }
    try SearchScan(conditions(release, app, in: database)).run(
      [.install], withPast: true, in: database
    ) { chunk, positions in
      let column = chunk[.install]
      for position in positions where column[position] != 0 {
        installs.insert(UInt64(bitPattern: Int64(column[position])))
      }
    }
    return installs.count
  }

  /// Returns the conditions for the reports of a release in the index.
  private static func conditions(
    _ release: Release, _ app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [CompiledCondition] {
    var groups = CodeSet()
    let rows = try database.prepare("SELECT id FROM groups WHERE app = ?1", [app])
    while try rows.step() { groups.insert(try rows.int("id")) }
    var checks: [SearchCheck] = [
      .codes(.group, groups), try code(release.version, .version, in: database),
    ]
    if !release.build.isEmpty { checks.append(try code(release.build, .build, in: database)) }
    return checks.map { CompiledCondition(isNegated: false, checks: [$0]) }
  }

  private static func code(
    _ text: String, _ field: SearchField, in database: borrowing Connection
  ) throws -> SearchCheck {
    guard !text.isEmpty else { return .codes(field, CodeSet([0])) }
    let ids = SearchTerm.ids(of: field)
    let rows = try database.prepare(
      "SELECT id FROM search_terms WHERE id >= ?1 AND id < ?2 AND text = ?3",
      [ids.lowerBound, ids.upperBound, text])
    var codes = CodeSet()
    while try rows.step() { codes.insert(SearchTerm.code(try rows.int("id"))) }
    return .codes(field, codes)
  }

  private static func addDistribution(
    to figures: inout ReleaseFigures, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    let release = figures.release
    figures.artefacts = try ArtefactsTable.all(of: app, figures.app, in: database).filter {
      $0.release.isBuild(of: release)
    }
    figures.distribution = try CrashStore.Distribution.figures(
      ofArtefacts: figures.artefacts.map(\.number), app: app, figures.app,
      days: figures.days.first.day...figures.days.last.day, in: database)
    figures.rollouts = try CrashStore.Distribution.rollouts(of: release, app: app, in: database)
      .filter { $0.rollout != nil }
    figures.history = try CrashStore.Distribution.history(of: app, release, in: database)
      .suffix(figureItems)
    figures.knownFixAnswers = try database.requiredInteger(
      """
      SELECT coalesce(sum(count), 0) FROM known_fix_answers
      WHERE app = ?1 AND version = ?2 AND (build = ?3 OR ?3 = '')
      """, app, release.version, release.build)
  }

  private static func adoption(
    of release: Release, app: RowID<Tables.Apps>, days: ClosedRange<Int>,
    in database: borrowing Connection
  ) throws -> [ReleaseFigures.Day] {
    let isIt = "version = ?4 AND (build = ?5 OR ?5 = '')"
    let rows = try database.prepare(
      """
      SELECT day, count(*) AS all_sessions, count(DISTINCT install) AS all_installs,
        sum(CASE WHEN \(isIt) THEN 1 ELSE 0 END) AS sessions,
        count(DISTINCT CASE WHEN \(isIt) THEN install END) AS installs
      FROM sessions WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY day ORDER BY day
      """, [app, days.lowerBound, days.upperBound, release.version, release.build])
    var found: [Int: ReleaseFigures.Day] = [:]
    while try rows.step() {
      let day = try rows.int("day")
      found[day] = try ReleaseFigures.Day(
        start: Timestamp(day: day), sessions: rows.int("sessions"),
        allSessions: rows.int("all_sessions"), installs: rows.int("installs"),
        allInstalls: rows.int("all_installs"))
    }
    let counted = try database.prepare(
      """
      SELECT day, sum(sessions) AS all_sessions,
        sum(CASE WHEN \(isIt) THEN sessions ELSE 0 END) AS sessions
      FROM session_counts WHERE app = ?1 AND day >= ?2 AND day <= ?3 GROUP BY day ORDER BY day
      """, [app, days.lowerBound, days.upperBound, release.version, release.build])
    while try counted.step() {
      let day = try counted.int("day")
      let none = ReleaseFigures.Day(
        start: Timestamp(day: day), sessions: 0, allSessions: 0, installs: 0, allInstalls: 0)
      found[day, default: none].sessions += try counted.int("sessions")
      found[day, default: none].allSessions += try counted.int("all_sessions")
    }
    guard let first = found.keys.min() else { return [] }
    return (first...days.upperBound).map { day in
      found[day]
        ?? ReleaseFigures.Day(
          start: Timestamp(day: day), sessions: 0, allSessions: 0, installs: 0, allInstalls: 0)
    }
  }
}
