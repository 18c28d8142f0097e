internal import SQLite

/// Counts for which debug files some reports wait.
struct MissingTally {
  /// Past so many reports it is faster to go through all that wait than to look each up.
  private static let lookUpLimit = 20_000

  private struct Count {
    var reports = 0
    var groups: Set<Int> = []
    var provisional: Set<Int> = []
  }

  private let groupsOfApp: Set<Int>?
  private let provisionalGroups: Set<Int>
  /// The group of each report that is wanted, by its row.
  private var wanted: [Int: Int] = [:]

  init(app: Int?, in database: borrowing Connection) throws {
    groupsOfApp = try app.map {
      try Self.groups("SELECT id FROM groups WHERE app = ?1", [$0], in: database)
    }
    provisionalGroups = try Self.groups(
      "SELECT id FROM groups WHERE provisional = 1", [], in: database)
  }

  private static func groups(
    _ sql: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws -> Set<Int> {
    let rows = try database.prepare(sql, values)
    var groups: Set<Int> = []
    while try rows.step() { groups.insert(rows.int(0)) }
    return groups
  }

  mutating func want(_ report: Int, of group: Int) {
    if let groupsOfApp, !groupsOfApp.contains(group) { return }
    wanted[report] = group
  }

  func counts(in database: borrowing Connection) throws -> [MissingCount] {
    var counts: [String: Count] = [:]
    func count(_ id: String, _ group: Int, decides: Bool) {
      counts[id, default: Count()].reports += 1
      counts[id]?.groups.insert(group)
      if decides && provisionalGroups.contains(group) { counts[id]?.provisional.insert(group) }
    }
    if wanted.count <= Self.lookUpLimit {
      for (report, group) in wanted {
        let rows = try database.prepare(
          "SELECT debug_id, decides FROM waiting WHERE report = ?1", [report])
        while try rows.step() { count(rows.text(0), group, decides: rows.int(1) != 0) }
      }
    } else {
      let rows = try database.prepare("SELECT debug_id, report, decides FROM waiting")
      while try rows.step() {
        guard let group = wanted[rows.int(1)] else { continue }
        count(rows.text(0), group, decides: rows.int(2) != 0)
      }
    }
    return try counts.map { id, count in
      MissingCount(
        debugID: id, reports: count.reports, groups: count.groups.count,
        provisional: count.provisional.count,
        isOwn: try database.integer("SELECT is_own FROM images WHERE debug_id = ?1", id) != 0)
    }
  }
}
