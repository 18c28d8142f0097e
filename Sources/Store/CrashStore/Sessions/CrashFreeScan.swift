internal import Bytes
internal import CrashModel
internal import Database
internal import Identifiers

/// Counts the sessions and crashes of an app; defines which sessions count as crashed, and for which users.
///
/// A crash belongs to the session that its report names or, if that is missing or unknown, to the session of
/// its user in which it happened. Such a crash counts on the day and for the release of its session. Other
/// crashes count on their own day and for their own release, each as a separate crashed session. Those that
/// name neither session nor user may belong to sessions that were reported as crashed, or to crashed sessions
/// that a client only counted, so they are not counted in addition to them.
struct CrashFreeScan {
  /// How the counts are divided.
  enum Division {
    case none, days
    /// By release, without users.
    case releases
    /// By version, with all of its builds, without users.
    case versions
  }

  /// A day, a release or a version; none of them where everything is counted together.
  struct Key: Hashable {
    var day: Int?
    var release: Release?
    var version: String?
  }

  /// Maximum number of days between the start of a session and its crash, in either direction, as clocks
  /// differ.
  private static let longestSession = 7
  /// The assumed length of a session whose duration is unknown, in microseconds.
  private static let unknownLength = 86_400_000_000
  /// Crash reports may have whole seconds only, and may be later than the recorded end of a session.
  private static let tolerance = 60_000_000

  private let app: RowID<Tables.Apps>
  private let days: ClosedRange<Int>
  private let release: Release?
  private let divisions: [Division]
  private var tallies: [Key: CrashFreeCounts] = [:]

  /// - Parameter release: A version without a build means all of its builds.
  /// - Complexity: O(*n*) in the sessions and crashes of these days.
  static func figures(
    of app: RowID<Tables.Apps>, days: ClosedRange<Int>, release: Release? = nil,
    by divisions: [Division] = [.none], in database: borrowing Connection
  ) throws -> [Key: CrashFree] {
    var scan = CrashFreeScan(app: app, days: days, release: release, divisions: divisions)
    try scan.addSessions(in: database)
    for table in ["reports", "past_crashes"] {
      try scan.addCrashes(of: table, in: database)
      try scan.addOthers(of: table, in: database)
    }
    scan.shareAmongBuilds()
    var figures: [Key: CrashFree] = [:]
    for (key, tally) in scan.tallies {
      var strangers = 0
      for person in tally.strangers where key.release == nil && key.version == nil {
        if try !scan.hasSession(person, key, in: database) { strangers += 1 }
      }
      figures[key] = tally.figures(strangers: strangers)
    }
    return figures
  }

  private init(
    app: RowID<Tables.Apps>, days: ClosedRange<Int>, release: Release?, divisions: [Division]
  ) {
    self.app = app
    self.days = days
    self.release = release.flatMap { $0.isEmpty ? nil : $0 }
    self.divisions = divisions
  }

  // MARK: Conditions

  private func key(_ day: Int, _ release: Release, by division: Division) -> Key {
    switch division {
    case .none: Key()
    case .days: Key(day: day)
    case .releases: Key(release: release)
    case .versions: Key(version: release.version)
    }
  }

  private var condition: String {
    "app = ?1 AND day >= ?2 AND day <= ?3"
      + (release == nil ? "" : " AND version = ?4" + (isBuild ? " AND build = ?5" : ""))
  }

  private var isBuild: Bool { release?.build.isEmpty == false }

  private var values: [any SQLBindable] {
    let range: [any SQLBindable] = [app, days.lowerBound, days.upperBound]
    guard let release else { return range }
    return range + [release.version] + (isBuild ? [release.build] : [])
  }

  private func key(of rows: borrowing Statement, by division: Division) throws -> Key {
    switch division {
    case .none: Key()
    case .days: Key(day: try rows.int("day"))
    case .releases:
      Key(release: try Release(version: rows.text("version"), build: rows.text("build")))
    case .versions: Key(version: try rows.text("version"))
    }
  }

  /// A crash with a version but no build may belong to any build of that version.
  private func isAsked(_ crash: Release, isOfSession: Bool) -> Bool {
    guard let release else { return true }
    guard crash.version == release.version else { return false }
    return !isBuild || crash.build == release.build || (!isOfSession && crash.build.isEmpty)
  }

  /// Midnight at the start of a day, clamped to the range of numbers.
  private static func start(_ day: Int) -> Int {
    let (start, isTooFar) = day.multipliedReportingOverflow(by: 86_400_000_000)
    return isTooFar ? (day < 0 ? .min : .max) : start
  }

  // MARK: Sessions

  private mutating func addSessions(in database: borrowing Connection) throws {
    for division in divisions { try addSessions(by: division, in: database) }
    let crashed = try database.prepare(
      """
      SELECT id, day, version, build, install FROM sessions
      WHERE \(condition) AND status = '\(SessionStatus.crashed.rawValue)'
      """, values)
    while try crashed.step() {
      let day = try crashed.int("day")
      let release = try Release(version: crashed.text("version"), build: crashed.text("build"))
      let (session, install) = try (crashed.text("id"), crashed.optionalBlob("install"))
      for division in divisions {
        tallies[key(day, release, by: division), default: CrashFreeCounts()]
          .addCrashed(session, of: install)
      }
    }
  }

  private mutating func addSessions(
    by division: Division, in database: borrowing Connection
  ) throws {
    let columns = division.columns
    let grouping = columns.isEmpty ? "" : "GROUP BY " + columns.dropLast(2)
    let all = try database.prepare(
      """
      SELECT \(columns)count(*) AS count,
        \(division.countsUsers ? "count(DISTINCT install)" : "0") AS installs
      FROM sessions WHERE \(condition) \(grouping)
      """, values)
    while try all.step() {
      let key = try key(of: all, by: division)
      tallies[key, default: CrashFreeCounts()].sessions += try all.int("count")
      tallies[key, default: CrashFreeCounts()].installs = try all.int("installs")
    }
    let counted = try database.prepare(
      """
      SELECT \(columns)coalesce(sum(sessions), 0) AS sessions, coalesce(sum(crashed), 0) AS crashed
      FROM session_counts WHERE \(condition) \(grouping)
      """, values)
    while try counted.step() {
      let key = try key(of: counted, by: division)
      tallies[key, default: CrashFreeCounts()].sessions += try counted.int("sessions")
      tallies[key, default: CrashFreeCounts()].counted += try counted.int("crashed")
    }
    if division == .none { tallies[Key(), default: CrashFreeCounts()].sessions += 0 }
  }

  /// Whether a session names a user whose crash belongs to no session.
  private func hasSession(
    _ person: [UInt8], _ key: Key, in database: borrowing Connection
  ) throws -> Bool {
    let days = key.day.map { $0...$0 } ?? days
    let release = key.release ?? release
    let build = release.flatMap { $0.build.isEmpty && key.release == nil ? nil : $0.build }
    return try database.integer(
      """
      SELECT 1 FROM sessions WHERE install = ?1 AND app = ?2 AND day >= ?3 AND day <= ?4
        AND (version = ?5 OR ?5 IS NULL) AND (build = ?6 OR ?6 IS NULL) LIMIT 1
      """, person, app, days.lowerBound, days.upperBound, release?.version, build) != nil
  }

  /// Whether an app has any session.
  static func hasSessions(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Bool {
    for table in ["sessions", "session_counts"] {
      let row = try database.integer("SELECT 1 FROM \(table) WHERE app = ?1 LIMIT 1", app)
      if row != nil { return true }
    }
    return false
  }

  // MARK: Crashes

  /// Whether an app without sessions has a crash on some days.
  static func hasCrashes(
    of app: RowID<Tables.Apps>, days: ClosedRange<Int>, release: Release?,
    in database: borrowing Connection
  ) throws -> Bool {
    let scan = CrashFreeScan(app: app, days: days, release: release, divisions: [])
    let build = " AND (build = ?5 OR build = '')"
    for table in ["reports", "past_crashes"] {
      let row = try database.prepare(
        """
        SELECT 1 FROM \(table)
        WHERE app = ?1 AND kind = '\(ReportKind.crash.rawValue)' AND \(time(of: table)) >= ?2
          AND \(time(of: table)) < ?3
          \(scan.release == nil ? "" : "AND version = ?4" + (scan.isBuild ? build : "")) LIMIT 1
        """,
        [app, start(days.lowerBound), start(days.upperBound + 1)]
          + (scan.release.map { [$0.version] + (scan.isBuild ? [$0.build] : []) } ?? []))
      if try row.step() { return true }
    }
    return false
  }

  private struct Session {
    var id: String
    var day: Int
    var release: Release
    var install: [UInt8]?
  }

  private mutating func addCrashes(of table: String, in database: borrowing Connection) throws {
    let hasSessions =
      try database.integer("SELECT 1 FROM sessions WHERE app = ?1 LIMIT 1", app) != nil
    let values: [any SQLBindable] = [
      app, Self.start(days.lowerBound - Self.longestSession),
      Self.start(days.upperBound + 1 + Self.longestSession), Self.start(days.lowerBound),
    ]
    let rows = try database.prepare(
      Self.crashes(of: table, hasSessions: hasSessions, isOfRelease: release != nil),
      values + (release.map { [$0.version] } ?? []))
    while try rows.step() {
      let (time, named) = try (rows.timestamp("time"), rows.text("session"))
      let person = try rows.optionalBlob("person")
      if let session = try Self.session(of: rows, at: time, isNamed: !named.isEmpty) {
        guard days.contains(session.day), self.isAsked(session.release, isOfSession: true) else {
          continue
        }
        for division in divisions {
          let key = key(session.day, session.release, by: division)
          tallies[key, default: CrashFreeCounts()].addCrash(
            inSession: session.id, of: session.install ?? person, isKnown: session.install != nil)
        }
      } else {
        let release = try Release(version: rows.text("version"), build: rows.text("build"))
        guard days.contains(time.day), self.isAsked(release, isOfSession: false) else { continue }
        for division in divisions {
          let key = key(time.day, release, by: division)
          tallies[key, default: CrashFreeCounts()].addCrash(unknownSession: named, of: person)
        }
      }
    }
  }

  /// Selects crashes with their sessions, of an app between two times; before a third time, only those that
  /// name their session.
  static func crashes(of table: String, hasSessions: Bool, isOfRelease: Bool) -> String {
    // Crashes of other versions can belong to a session of this one only if they name it.
    let isAsked =
      isOfRelease ? " AND (crash.version = ?5 OR crash.version = '' OR crash.session != '')" : ""
    return """
      SELECT crash.\(time(of: table)) AS time, crash.version, crash.build, crash.person, crash.session, own.id AS own_id,
        own.day AS day, own.version AS own_version, own.build AS own_build,
        own.install AS install, own.started AS started, own.duration AS duration
      FROM \(table) AS crash LEFT JOIN sessions AS own
        ON own.app = crash.app AND own.id = \(hasSessions ? session(of: table) : "NULL")
      WHERE crash.app = ?1 AND crash.kind = '\(ReportKind.crash.rawValue)'
        AND crash.\(time(of: table)) >= ?2 AND crash.\(time(of: table)) < ?3
        AND (crash.\(time(of: table)) >= ?4 OR crash.session != '')\(isAsked)
      """
  }

  /// The column with the trusted time.
  private static func time(of table: String) -> String { table == "reports" ? "happened" : "time" }

  /// The id of the session that a crash names, or otherwise of its user's last session with that version that
  /// began before it.
  private static func session(of table: String) -> String {
    """
    CASE WHEN crash.session != '' THEN crash.session ELSE (
      SELECT id FROM sessions AS last
      WHERE last.install = crash.person AND last.app = crash.app
        AND last.started <= crash.\(time(of: table)) + 999999
        AND (last.version = crash.version OR crash.version = '')
      ORDER BY last.started DESC LIMIT 1) END
    """
  }

  /// - Parameter isNamed: Whether the crash names it; otherwise it must have happened before the session
  ///   ended.
  private static func session(
    of rows: borrowing Statement, at time: Timestamp, isNamed: Bool
  ) throws -> Session? {
    guard let id = try rows.optionalText("own_id") else { return nil }
    if !isNamed {
      let length = try rows.optionalInt("duration").map { $0.addingClamped(tolerance) }
      let end = try rows.int("started").addingClamped(length ?? unknownLength)
      guard time.microseconds <= end else { return nil }
    }
    return try Session(
      id: id, day: rows.int("day"),
      release: Release(version: rows.text("own_version"), build: rows.text("own_build")),
      install: rows.optionalBlob("install"))
  }

  /// Adds hangs and memory kills, which are counted separately from crashes.
  private mutating func addOthers(of table: String, in database: borrowing Connection) throws {
    for kind in [ReportKind.hang, .oom] {
      let rows = try database.prepare(
        """
        SELECT \(Self.time(of: table)) AS time, version, build FROM \(table)
        WHERE app = ?1 AND kind = ?2 AND \(Self.time(of: table)) >= ?3
          AND \(Self.time(of: table)) < ?4
        """,
        [
          app, kind.rawValue, Self.start(days.lowerBound), Self.start(days.upperBound + 1),
        ])
      while try rows.step() {
        let release = try Release(version: rows.text("version"), build: rows.text("build"))
        guard isAsked(release, isOfSession: false) else { continue }
        let day = try rows.timestamp("time").day
        for division in divisions {
          let key = key(day, release, by: division)
          if kind == .hang {
            tallies[key, default: CrashFreeCounts()].hangs += 1
          } else {
            tallies[key, default: CrashFreeCounts()].outOfMemory += 1
          }
        }
      }
    }
  }

  /// Counts of a version without a build are added to each of its builds.
  private mutating func shareAmongBuilds() {
    for (key, tally) in tallies {
      guard let release = key.release, release.build.isEmpty, !release.version.isEmpty else {
        continue
      }
      for other in tallies.keys
      where other.release?.version == release.version && other != key {
        tallies[other]?.addUnknown(tally)
      }
    }
  }
}

extension CrashFreeScan.Division {
  /// The columns that divide the counts, each followed by a comma.
  fileprivate var columns: String {
    switch self {
    case .none: ""
    case .days: "day, "
    case .releases: "version, build, "
    case .versions: "version, "
    }
  }

  fileprivate var countsUsers: Bool { self == .none || self == .days }
}
