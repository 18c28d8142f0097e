internal import Database

/// Counts of the debug files that some reports lack.
struct MissingImageCounts {
  /// Number of reports above which scanning all waiting ones is faster than looking each up.
  private static let lookUpLimit = 20_000

  private struct Count {
    var reports = 0
    var groups: Set<Int> = []
    var provisional: Set<Int> = []
  }

  private let groupsOfApp: CodeSet?
  private let provisionalGroups: CodeSet
  /// The group of each wanted report, by the report's row.
  private var wanted: [Int: Int] = [:]

  init(app: RowID<Tables.Apps>?, in database: borrowing Connection) throws {
    groupsOfApp = try app.map {
      try Self.groups("SELECT id FROM groups WHERE app = ?1", [$0], in: database)
    }
    provisionalGroups = try Self.groups(
      "SELECT id FROM groups WHERE provisional = 1", [], in: database)
  }

  private static func groups(
    _ sql: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws -> CodeSet {
    let rows = try database.prepare(sql, values)
    var groups = CodeSet()
    while try rows.step() { try groups.insert(rows.int("id")) }
    return groups
  }

  mutating func want(_ report: Int, of group: Int) {
    if let groupsOfApp, !groupsOfApp.contains(group) { return }
    wanted[report] = group
  }

  /// Returns the counts of all reports, or of those of an app, from the sums by group.
  ///
  /// The database adds them up: reading each row from it would take twice as long.
  static func countsOfAll(
    app: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> [MissingCount] {
    let ofApp = app == nil ? "" : "AND grp IN (SELECT id FROM groups WHERE app = ?1)"
    let values: [any SQLBindable] = app.map { [$0] } ?? []
    var provisional: [Int: Int] = [:]
    do {
      let rows = try database.prepare(
        """
        SELECT image, count(*) AS groups FROM missing
        WHERE deciding > 0 AND grp IN (SELECT id FROM groups WHERE provisional = 1) \(ofApp)
        GROUP BY image
        """, values)
      while try rows.step() { provisional[try rows.int("image")] = try rows.count("groups") }
    }
    let rows = try database.prepare(
      """
      SELECT image, sum(reports) AS reports, count(*) AS groups FROM missing
      WHERE reports > 0 \(ofApp) GROUP BY image
      """, values)
    var counts: [MissingCount] = []
    while try rows.step() {
      let image = try rows.int("image")
      try counts.append(
        count(
          image, reports: rows.count("reports"), groups: rows.count("groups"),
          provisional: provisional[image] ?? 0, in: database))
    }
    return counts
  }

  func counts(in database: borrowing Connection) throws -> [MissingCount] {
    var counts: [Int: Count] = [:]
    func count(_ id: Int, _ group: Int, decides: Bool) {
      counts[id, default: Count()].reports += 1
      counts[id]?.groups.insert(group)
      if decides && provisionalGroups.contains(group) { counts[id]?.provisional.insert(group) }
    }
    if wanted.count <= Self.lookUpLimit {
      for (report, group) in wanted {
        let rows = try database.prepare(
          "SELECT image, decides FROM waiting WHERE report = ?1 AND coalesce(named, 0) = 0",
          [report])
        while try rows.step() { try count(rows.int("image"), group, decides: rows.bool("decides")) }
      }
    } else {
      let rows = try database.prepare(
        "SELECT image, report, decides FROM waiting WHERE coalesce(named, 0) = 0")
      while try rows.step() {
        guard let group = try wanted[rows.int("report")] else { continue }
        try count(rows.int("image"), group, decides: rows.bool("decides"))
      }
    }
    return try counts.map { image, count in
      try Self.count(
        image, reports: count.reports, groups: count.groups.count,
        provisional: count.provisional.count, in: database)
    }
  }

  private static func count(
    _ image: Int, reports: Int, groups: Int, provisional: Int, in database: borrowing Connection
  ) throws -> MissingCount {
    let id = try database.requiredText("SELECT debug_id FROM image_numbers WHERE id = ?1", image)
    return MissingCount(
      debugID: id, reports: reports, groups: groups, provisional: provisional,
      // Nothing else is noted yet of an image that a home of the first version knew.
      isOwn: try database.integer("SELECT is_own FROM images WHERE debug_id = ?1", id) != 0)
  }
}
