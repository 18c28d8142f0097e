internal import Database
internal import TriageModel

/// Moves the reports of one key from an origin to another, with all their counts, inside a transaction; the
/// number of statements does not depend on the number of reports.
struct GroupMove {
  let key: String
  let source: Origin
  let target: Origin

  init(key: String, from source: Origin, to target: Origin) {
    self.key = key
    self.source = source
    self.target = target
  }

  func run(
    _ table: borrowing GroupsTable, _ rules: SplitRules, in database: borrowing Connection
  ) throws {
    let moving = try needsEach(in: database) ? reports(in: database) : []
    let count =
      try database.requiredInteger(
        "SELECT count(*) FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3", source.group,
        source.id, key)
    let counted = try CountedReports.move(key: key, from: source, to: target, in: database)
    guard count + counted > 0 else { return }
    try CountersTable.move(
      key: key, from: (source.group, source.id), to: (target.group, target.id), in: database)
    for (origin, sign) in [(target, 1), (source, -1)] {
      try database.run(
        """
        INSERT INTO group_installs (grp, install, origin, count)
        SELECT ?4, install, ?5, ?6 * count(*) FROM reports
        WHERE grp = ?1 AND origin = ?2 AND key = ?3 AND install IS NOT NULL GROUP BY install
        ON CONFLICT (grp, install, origin) DO UPDATE SET count = group_installs.count + excluded.count
        """, source.group, source.id, key, origin.group, origin.id, sign)
    }
    try database.run(
      "DELETE FROM group_installs WHERE grp = ?1 AND origin = ?2 AND count <= 0", source.group,
      source.id)
    let name = try GroupsTable.name(of: source.group, in: database)
    try ReportsTable.move(
      where: ["grp": source.group, "origin": source.id, "key": key], of: source.group, to: target,
      setting: ["found_by": MatchReason.moved(from: name).word, "found_detail": name], in: database)
    try follow(moving, table, rules, in: database)
    if source.group != target.group {
      try GroupStatuses(app: table.app, now: table.now, isLate: table.isLate)
        .left(source.group, for: target.group, of: database)
    }
    try table.refresh(target, in: database)
    try table.recount(target.group, in: database)
    try note(count + counted, table, in: database)
  }

  /// Whether each report has to be examined: rules of splits may lead it further, or it may show that the
  /// group is not fixed.
  private func needsEach(in database: borrowing Connection) throws -> Bool {
    try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM origins WHERE parent = ?1 AND rule IS NOT NULL)
        OR EXISTS (SELECT 1 FROM groups WHERE id = ?2 AND state = ?3)
      """, target.id, target.group, GroupState.resolved.rawValue) == 1
  }

  private func reports(
    in database: borrowing Connection
  ) throws -> [(report: CountedReport, row: RowID<Tables.Reports>)] {
    let rows = try database.prepare(
      """
      SELECT \(CountedReport.columns), id FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3
      ORDER BY id
      """, [source.group, source.id, key])
    var reports: [(report: CountedReport, row: RowID<Tables.Reports>)] = []
    while try rows.step() { try reports.append((CountedReport(rows), rows.id("id"))) }
    return reports
  }

  private func follow(
    _ moved: [(report: CountedReport, row: RowID<Tables.Reports>)], _ table: borrowing GroupsTable,
    _ rules: SplitRules, in database: borrowing Connection
  ) throws {
    let states = GroupStatuses(app: table.app, now: table.now, isLate: table.isLate)
    for (report, row) in moved {
      let destination = try rules.follow(from: target, report: row, in: database)
      if destination != target {
        try table.move(report, from: target, to: destination, in: database)
        try table.refresh(destination, in: database)
        try table.refresh(destination.group, in: database)
      }
      if destination.group != source.group {
        try states.moved(report, to: destination.group, of: database)
      }
    }
  }

  private func note(
    _ count: Int, _ table: borrowing GroupsTable, in database: borrowing Connection
  ) throws {
    let what = count == 1 ? "1 report" : "\(count) reports"
    let (old, new) = (
      try GroupsTable.name(of: source.group, in: database),
      try GroupsTable.name(of: target.group, in: database)
    )
    let text = try database.text(
      "SELECT signature FROM reports WHERE origin = ?1 AND key = ?2 LIMIT 1", target.id, key)
    try table.note(source.group, .moved, "\(what) to \(new): \(text ?? "")", in: database)
    try table.note(target.group, .moved, "\(what) from \(old)", in: database)
  }
}
