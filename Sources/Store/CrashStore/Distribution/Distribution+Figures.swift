internal import Database
public import Identifiers
internal import Updates

/// Downloads and installations of files.
extension CrashStore.Distribution {
  /// Counts downloads of an artefact.
  ///
  /// - Parameter group: The id of the group that the downloader got it from; empty for none.
  /// - Throws: ``StoreError/unknownApp(_:near:)``, ``DistributionError/noSuchArtefact(_:app:)``;
  ///   `DatabaseError`.
  public func countDownloads(
    of number: Int, app: String, group: String, by count: Int = 1, at now: Timestamp
  ) throws {
    try store.write(app: app) { database in
      let found = try AppsTable.known(app, in: database)
      _ = try ArtefactsTable.one(number, of: found.row, found.name, in: database)
      try database.insert(
        into: "artefact_downloads",
        [
          "app": found.row, "artefact": number, "distribution_group": group, "day": now.day,
          "count": count,
        ],
        onConflict: """
          ON CONFLICT (app, artefact, distribution_group, day)
          DO UPDATE SET count = artefact_downloads.count + excluded.count
          """)
    }
  }

  /// Returns the downloads and installations of an artefact, of all days.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func figures(ofArtefact number: Int, of app: String) throws -> DistributionFigures {
    try store.read { database in
      let found = try AppsTable.known(app, in: database)
      return try Self.figures(ofArtefacts: [number], app: found.row, found.name, in: database)
    }
  }

  /// Returns the downloads and installations of some artefacts, together.
  ///
  /// - Parameter days: The days that are listed one by one; `nil` for all.
  static func figures(
    ofArtefacts numbers: [Int], app: RowID<Tables.Apps>, _ name: String,
    days: ClosedRange<Int>? = nil, in database: borrowing Connection
  ) throws -> DistributionFigures {
    let known = Dictionary(
      try DistributionTables.groups(of: app, name, in: database).map { ($0.id, $0.name) }
    ) { first, _ in first }
    var groups: [String: DistributionFigures.Group] = [:]
    var byDay: [DayKey: DistributionFigures.Day] = [:]
    func add(_ group: String, _ day: Int, downloads: Int, installs: Int) {
      // Clients may name any group; those that are not the app's are not told apart.
      let group = known[group] == nil ? "" : group
      var entry = groups[group] ?? .init(id: group.isEmpty ? nil : group, name: known[group])
      entry.downloads += downloads
      entry.installs += installs
      groups[group] = entry
      guard days?.contains(day) != false else { return }
      let key = DayKey(day: day, group: group)
      var ofDay = byDay[key] ?? .init(start: Timestamp(day: day), group: known[group])
      ofDay.downloads += downloads
      ofDay.installs += installs
      byDay[key] = ofDay
    }
    for number in numbers {
      let downloads = try database.prepare(
        """
        SELECT distribution_group, day, count FROM artefact_downloads
        WHERE app = ?1 AND artefact = ?2
        """, [app, number])
      while try downloads.step() {
        try add(
          downloads.text("distribution_group"), downloads.int("day"),
          downloads: downloads.int("count"), installs: 0)
      }
      // Microseconds to days.
      let installs = try database.prepare(
        """
        SELECT distribution_group, time / 86400000000 AS day, count(*) AS count
        FROM update_installs WHERE app = ?1 AND artefact = ?2
        GROUP BY distribution_group, time / 86400000000
        """, [app, number])
      while try installs.step() {
        try add(
          installs.text("distribution_group"), installs.int("day"), downloads: 0,
          installs: installs.int("count"))
      }
    }
    var figures = DistributionFigures()
    figures.groups = groups.values.sorted {
      ($1.downloads, $1.installs, $0.name ?? "", $0.id ?? "")
        < ($0.downloads, $0.installs, $1.name ?? "", $1.id ?? "")
    }
    figures.days = byDay.sorted { ($0.key.day, $0.key.group) < ($1.key.day, $1.key.group) }
      .map(\.value)
    return figures
  }

  private struct DayKey: Hashable {
    let day: Int
    let group: String
  }
}
