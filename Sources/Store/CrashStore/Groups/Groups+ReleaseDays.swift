internal import Database
public import Identifiers

/// Reports of a group on one day in one release.
public struct ReleaseDay: Hashable, Sendable {
  /// Midnight of the day in UTC.
  public var day: Timestamp
  /// `1.4.0 (512)`; empty where the reports name none.
  public var release: String
  public var reports: Int

  public init(day: Timestamp, release: String, reports: Int) {
    self.day = day
    self.release = release
    self.reports = reports
  }
}

extension CrashStore.Groups {
  /// Returns the number of a group's reports on each day in each release, including expired ones.
  ///
  /// - Parameters:
  ///   - name: `TERN-12`, in either letter case.
  ///   - days: Days since 1970, in UTC.
  /// - Returns: The counts; days and releases without reports are left out.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the group's releases, and in the systems and devices of these days.
  public func releaseDays(ofGroup name: String, days: Range<Int>) throws -> [ReleaseDay] {
    guard let last = days.last else { return [] }
    return try store.read { database in
      let group = try Self.groupRow(named: name, in: database)
      // One query per release, with which the key of the counters begins; a query by day would read all
      // counters.
      let rows = try database.prepare(
        """
        SELECT this.version AS version, this.build AS build, counters.day AS day,
          sum(counters.count) AS count
        FROM group_versions AS this JOIN counters ON counters.grp = this.grp
          AND counters.version = this.version AND counters.build = this.build
          AND counters.day BETWEEN ?2 AND ?3
        WHERE this.grp = ?1
        GROUP BY this.version, this.build, counters.day
        ORDER BY counters.day, this.version, this.build
        """, [group, days.lowerBound, last])
      var found: [ReleaseDay] = []
      while try rows.step() {
        let release = try Release(version: rows.text("version"), build: rows.text("build"))
        try found.append(
          ReleaseDay(
            day: Timestamp(day: rows.day("day")), release: release.name,
            reports: rows.count("count"))
        )
      }
      return found
    }
  }
}
