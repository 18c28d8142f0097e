internal import Database
public import Identifiers

extension CrashStore.Sessions {
  /// The crash-free figures of an app.
  ///
  /// Sessions and crashes count on the days on which they happened, in UTC by the devices' clocks; where
  /// those are implausible, the time of arrival counts.
  ///
  /// - Parameters:
  ///   - first: The first day; `nil` for no limit.
  ///   - last: The last day; `nil` for no limit.
  ///   - release: Only this release; a version without a build means all of its builds.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func crashFree(
    app: String, from first: Timestamp? = nil, to last: Timestamp? = nil, release: Release? = nil
  ) throws -> CrashFree {
    try store.read { database in
      let row = try AppsTable.known(app, in: database).row
      let (start, end) = (first?.day ?? Int(Int32.min), last?.day ?? Int(Int32.max))
      guard start <= end else { return CrashFree() }
      return try Self.crashFree(app: row, days: start...end, release: release, in: database)
    }
  }

  static func crashFree(
    app: RowID<Tables.Apps>, days: ClosedRange<Int>, release: Release?,
    in database: borrowing Connection
  ) throws -> CrashFree {
    try CrashFreeScan.figures(of: app, days: days, release: release, in: database)[
      CrashFreeScan.Key()] ?? CrashFree()
  }

  /// The crash-free figures of each release of an app with sessions or crashes between two days, without
  /// user figures. Those of a version without a build are of all of its builds.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func crashFreeReleases(
    app: String, from first: Timestamp, to last: Timestamp
  ) throws -> [Release: CrashFree] {
    guard first.day <= last.day else { return [:] }
    return try store.read { database in
      let figures = try CrashFreeScan.figures(
        of: AppsTable.known(app, in: database).row, days: first.day...last.day,
        by: [.releases, .versions], in: database)
      var found: [Release: CrashFree] = [:]
      for (key, figures) in figures {
        if let release = key.release, !release.build.isEmpty { found[release] = figures }
        if let version = key.version, !version.isEmpty {
          found[Release(version: version)] = figures
        }
      }
      return found
    }
  }

  /// The figures of each release by itself, without user figures.
  static func crashFreeReleases(
    app: RowID<Tables.Apps>, days: ClosedRange<Int>, in database: borrowing Connection
  ) throws -> [Release: CrashFree] {
    var found: [Release: CrashFree] = [:]
    for (key, figures) in try CrashFreeScan.figures(
      of: app, days: days, by: [.releases], in: database)
    {
      if let release = key.release, !release.isEmpty { found[release] = figures }
    }
    return found
  }
}
