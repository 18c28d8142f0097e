internal import Database
public import Identifiers

/// The crash-free figures of one day.
public struct CrashFreeDay: Hashable, Sendable {
  /// Midnight of the day in UTC.
  public var day: Timestamp
  public var figures: CrashFree

  public init(day: Timestamp, figures: CrashFree) {
    self.day = day
    self.figures = figures
  }
}

extension CrashStore.Sessions {
  /// The crash-free figures of an app, day by day. A user counts on each day on which they were seen, so the
  /// days do not add up to a total.
  ///
  /// - Parameters:
  ///   - days: Counted from 1970, in UTC.
  ///   - release: Only this release; a version without a build means all of its builds.
  /// - Returns: The figures; days with neither sessions nor crashes are left out.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the sessions and crashes of these days.
  public func crashFreeDays(
    app: String, days: Range<Int>, release: Release? = nil
  ) throws -> [CrashFreeDay] {
    guard let last = days.last else { return [] }
    return try store.read { database in
      let row = try AppsTable.known(app, in: database).row
      let found = try CrashFreeScan.figures(
        of: row, days: days.lowerBound...last, release: release, by: .days, in: database)
      return found.compactMap { key, figures in
        key.day.map { CrashFreeDay(day: Timestamp(day: $0), figures: figures) }
      }
      .sorted { $0.day < $1.day }
    }
  }
}
