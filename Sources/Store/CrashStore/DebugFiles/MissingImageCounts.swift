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

  private struct Sum {
    var reports = 0
    var groups = 0
    var provisional = 0

    mutating func add(reports count: Int, isProvisional: Bool) {
      reports += count
      groups += 1
      if isProvisional { provisional += 1 }
    }
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

  /// Returns the counts of all reports, from the sums by group.
  ///
  /// Joining each row with its group in the database, or adding up there, would take longer than all the rest.
  func countsOfAll(in database: borrowing Connection) throws -> [MissingCount] {
    var sums: [Int: Sum] = [:]
    let rows = try database.prepare("SELECT image, grp, reports, deciding FROM missing")
    let (imageColumn, groupColumn) = try (rows.column("image"), rows.column("grp"))
    let (reportsColumn, decidingColumn) = try (rows.column("reports"), rows.column("deciding"))
    // The rows of a group come one after the other.
    var (group, isWanted, isProvisional) = (Int.min, false, false)
    while try rows.step() {
      let next = rows.int(groupColumn)
      if next != group {
        group = next
        isWanted = groupsOfApp?.contains(group) ?? true
        isProvisional = provisionalGroups.contains(group)
      }
      guard isWanted else { continue }
      sums[rows.int(imageColumn), default: Sum()].add(
        reports: rows.count(reportsColumn),
        isProvisional: isProvisional && rows.int(decidingColumn) > 0)
    }
    return try sums.map { image, sum in
      try Self.count(
        image, reports: sum.reports, groups: sum.groups, provisional: sum.provisional,
        in: database)
    }
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
