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
    try CrashFreeScan.figures(of: app, days: days, release: release, in: database)[
      CrashFreeScan.Key()] ?? CrashFree()
  }

  /// The crash-free figures of each release of an app that has sessions or crashes on the days from one to
  /// another, without those of users.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func crashFreeReleases(
    app: String, from first: Timestamp, to last: Timestamp
  ) throws -> [Release: CrashFree] {
    guard first.day <= last.day else { return [:] }
    return try store.read { database in
      try Self.crashFreeReleases(
        app: AppsTable.known(app, in: database).row, days: first.day...last.day, in: database)
    }
  }

  /// As ``crashFreeReleases(app:from:to:)``.
  static func crashFreeReleases(
    app: RowID<Tables.Apps>, days: ClosedRange<Int>, in database: borrowing Connection
  ) throws -> [Release: CrashFree] {
    var found: [Release: CrashFree] = [:]
    for (key, figures) in try CrashFreeScan.figures(
      of: app, days: days, by: .releases, in: database)
    {
      if let release = key.release, !release.isEmpty { found[release] = figures }
    }
    return found
  }
}
