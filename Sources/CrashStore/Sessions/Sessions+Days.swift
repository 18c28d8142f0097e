public import CrashModel
internal import Database

/// The crash-free figures of one day.
public struct CrashFreeDay: Hashable, Sendable {
  /// Its midnight in UTC.
  public var day: Timestamp
  public var figures: CrashFree

  public init(day: Timestamp, figures: CrashFree) {
    self.day = day
    self.figures = figures
  }
}

extension CrashStore.Sessions {
  /// The crash-free figures of an app, day by day. An installation counts on each day on which it was seen, so
  /// the days do not add up to a total.
  ///
  /// - Parameters:
  ///   - days: Counted from 1970, in UTC.
  ///   - release: Only this release; a version without a build stands for all of its builds.
  /// - Returns: The figures; days with neither sessions nor crashes are left out.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the sessions of these days.
  public func crashFreeDays(
    app: String, days: Range<Int>, release: Release? = nil
  ) throws -> [CrashFreeDay] {
    guard let last = days.last else { return [] }
    return try store.read { database in
      guard let row = try AppsTable.find(app, in: database)?.row else {
        throw StoreError.notFound(app)
      }
      let build = release.flatMap { $0.build.isEmpty ? nil : $0.build }
      let values: [any SQLBindable] = [row, days.lowerBound, last, release?.version, build]
      var found: [Int: CrashFree] = [:]
      let all = try database.prepare(
        """
        SELECT day, count(*) AS count, count(DISTINCT install) AS installs FROM sessions
        WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND (version = ?4 OR ?4 IS NULL)
          AND (build = ?5 OR ?5 IS NULL)
        GROUP BY day
        """, values)
      while try all.step() {
        let day = try all.int("day")
        found[day, default: CrashFree()].sessions = try all.int("count")
        found[day, default: CrashFree()].installs = try all.int("installs")
      }
      let crashed = try database.prepare(
        """
        SELECT day, count(*) AS count,
          count(DISTINCT CASE session WHEN '' THEN 'report ' || client ELSE session END) AS sessions,
          count(DISTINCT install) AS installs
        FROM client_reports
        WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND (version = ?4 OR ?4 IS NULL)
          AND (build = ?5 OR ?5 IS NULL) AND kind = ?6
        GROUP BY day
        """, values + [ReportKind.crash.rawValue])
      while try crashed.step() {
        let day = try crashed.int("day")
        found[day, default: CrashFree()].crashes = try crashed.int("count")
        found[day, default: CrashFree()].crashedSessions = try crashed.int("sessions")
        found[day, default: CrashFree()].crashedInstalls = try crashed.int("installs")
      }
      return found.sorted { $0.key < $1.key }.map {
        CrashFreeDay(day: Timestamp(day: $0.key), figures: $0.value)
      }
    }
  }
}
