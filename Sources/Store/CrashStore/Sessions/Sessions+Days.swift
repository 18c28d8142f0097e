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

/// The crash-free figures of an app over some days, and of each of them.
public struct CrashFreeSpan: Hashable, Sendable {
  /// All days together; `nil` for an app without any session, of which only ``hasCrashes`` is known.
  public internal(set) var whole: CrashFree?
  public internal(set) var hasCrashes = false
  /// The days with sessions or crashes. A user counts on each day on which they were seen, so the days do not
  /// add up to ``whole``.
  public internal(set) var days: [CrashFreeDay] = []
}

extension CrashStore.Sessions {
  /// The crash-free figures of an app over some days.
  ///
  ///
  /// - Parameters:
  ///   - days: Counted from 1970, in UTC.
  ///   - release: Only this release; a version without a build means all of its builds.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the sessions and crashes of these days; without sessions, mostly O(1).
  public func crashFreeSpan(
    app: String, days: Range<Int>, release: Release? = nil
  ) throws -> CrashFreeSpan {
    guard let last = days.last else { return CrashFreeSpan() }
    return try store.read { database in
      let row = try AppsTable.known(app, in: database).row
      var span = CrashFreeSpan()
      guard try CrashFreeScan.hasSessions(of: row, in: database) else {
        span.hasCrashes = try CrashFreeScan.hasCrashes(
          of: row, days: days.lowerBound...last, release: release, in: database)
        return span
      }
      let found = try CrashFreeScan.figures(
        of: row, days: days.lowerBound...last, release: release, by: [.none, .days], in: database)
      let whole = found[CrashFreeScan.Key()] ?? CrashFree()
      (span.whole, span.hasCrashes) = (whole, whole.crashes > 0)
      span.days = found.compactMap { key, figures in
        key.day.map { CrashFreeDay(day: Timestamp(day: $0), figures: figures) }
      }
      .sorted { $0.day < $1.day }
      return span
    }
  }
}
