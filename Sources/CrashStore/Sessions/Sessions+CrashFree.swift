public import CrashModel
internal import Database

extension CrashStore.Sessions {
  /// The crash-free figures of an app.
  ///
  /// Sessions and crashes count by the days on which they happened, in UTC, as the devices' clocks
  /// say; where those are not to be believed, the time of arrival counts.
  ///
  /// - Parameters:
  ///   - first: The first day; from the beginning where it is `nil`.
  ///   - last: The last day; to the end where it is `nil`.
  ///   - release: Only this release; a version without a build stands for all of its builds.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func crashFree(
    app: String, from first: Timestamp? = nil, to last: Timestamp? = nil, release: Release? = nil
  ) throws -> CrashFree {
    try store.read { database in
      guard let row = try AppsTable.find(app, in: database)?.row else {
        throw StoreError.notFound(app)
      }
      let (start, end) = (first?.day ?? Int(Int32.min), last?.day ?? Int(Int32.max))
      guard start <= end else { return CrashFree() }
      return try Self.crashFree(app: row, days: start...end, release: release, in: database)
    }
  }

  static func crashFree(
    app: RowID<Tables.Apps>, days: ClosedRange<Int>, release: Release?,
    in database: borrowing Connection
  ) throws -> CrashFree {
    let condition = """
      WHERE app = ?1 AND day >= ?2 AND day <= ?3 AND (version = ?4 OR ?4 IS NULL)
        AND (build = ?5 OR ?5 IS NULL)
      """
    let build = release.flatMap { $0.build.isEmpty ? nil : $0.build }
    let values: [any SQLBindable] = [
      app, days.lowerBound, days.upperBound, release?.version, build,
    ]
    var result = CrashFree()
    let all = try database.prepare(
      "SELECT count(*) AS count, count(DISTINCT install) AS installs FROM sessions \(condition)",
      values)
    if try all.step() {
      (result.sessions, result.installs) = try (all.int("count"), all.int("installs"))
    }
    let crashed = try database.prepare(
      """
      SELECT count(*) AS count,
        count(DISTINCT CASE session WHEN '' THEN 'report ' || client ELSE session END) AS sessions,
        count(DISTINCT install) AS installs
      FROM client_reports \(condition) AND kind = '\(ReportKind.crash.rawValue)'
      """, values)
    if try crashed.step() {
      result.crashes = try crashed.int("count")
      result.crashedSessions = try crashed.int("sessions")
      result.crashedInstalls = try crashed.int("installs")
    }
    return result
  }
}
