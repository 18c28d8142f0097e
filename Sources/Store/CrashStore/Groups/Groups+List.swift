internal import Database
internal import Identifiers
internal import Query
public import TriageModel

extension CrashStore.Groups {
  /// Returns the groups that match `query`.
  ///
  /// - Throws: ``StoreError/wrongCursor(_:)``; `DatabaseError`.
  /// - Complexity: If all conditions are on groups, O(*n*) in the groups that are returned, found through an
  ///   index; otherwise O(*n*) in the reports of the store, a few nanoseconds each.
  public func list(_ query: GroupQuery = GroupQuery()) throws -> Page<GroupSummary> {
    let after = try PageCursor(query.after, of: query.list)
    return try store.read { database in
      query.query.conditions.allSatisfy(\.asksForGroups)
        ? try Self.plainGroups(query, after: after, in: database)
        : try Self.countedGroups(query, after: after, in: database)
    }
  }

  // MARK: Groups by their stored totals

  private static func plainGroups(
    _ query: GroupQuery, after: PageCursor?, in database: borrowing Connection
  ) throws -> Page<GroupSummary> {
    var page = Page<GroupSummary>()
    guard let filter = try GroupFilter(query.query, in: database) else { return page }
    let total = try database.prepare(
      "SELECT count(*) FROM groups WHERE " + filter.sql, filter.values
    ).first
    guard let total else { throw StoreError.damaged("groups have no count") }
    page.total = total
    let (sql, values) = plainList(query, filter, after: after)
    let rows = try database.prepare(sql, values)
    var groups: [(row: Int, cursor: PageCursor)] = []
    while try rows.step() {
      let row = try rows.int("id")
      try groups.append((row, PageCursor(rows.int("first"), rows.int("second"), row: row)))
    }
    if let limit = query.limit, groups.count > max(limit, 0) {
      groups.removeLast(groups.count - max(limit, 0))
      page.next = groups.last.map { $0.cursor.text(of: query.list) }
    }
    page.items = try groups.map { try summary(ofGroup: RowID($0.row), in: database) }
    return page
  }

  /// Returns the statement that finds the groups of a page, with one more to see whether there are others.
  static func plainList(
    _ query: GroupQuery, _ filter: GroupFilter, after: PageCursor?
  ) -> (sql: String, values: [any SQLBindable]) {
    let columns = query.order.columns
    let (down, up) = query.isReversed ? ("ASC", "DESC") : ("DESC", "ASC")
    let further = query.isReversed ? ">" : "<"
    var sql =
      "SELECT id, \(columns.first) AS first, \(columns.second ?? "0") AS second FROM groups WHERE "
      + filter.sql
    var values = filter.values
    if let after {
      let next = values.count
      values += [after.first, after.row]
      if columns.second != nil { values.append(after.second) }
      let first = columns.first
      // Only the bare comparison can start from an index.
      sql += " AND \(first) \(further)= ?\(next + 1)"
      let last = "id \(query.isReversed ? "<" : ">") ?\(next + 2)"
      let rest =
        columns.second.map {
          "(\($0) \(further) ?\(next + 3) OR \($0) = ?\(next + 3) AND \(last))"
        } ?? last
      sql += " AND (\(first) \(further) ?\(next + 1) OR \(rest))"
    }
    sql += " ORDER BY \(columns.first) \(down)"
    if let second = columns.second { sql += ", \(second) \(down)" }
    sql += ", id \(up)"
    if let limit = query.limit { sql += " LIMIT \(max(limit, 0) + 1)" }
    return (sql, values)
  }

  static func summary(
    ofGroup row: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> GroupSummary {
    let rows = try database.prepare(groupColumns + " WHERE groups.id = ?1", [row])
    guard try rows.step() else { throw StoreError.damaged("there is no group in row \(row)") }
    return try group(rows, in: database)
  }

  // MARK: Groups by their reports

  private static func countedGroups(
    _ query: GroupQuery, after: PageCursor?, in database: borrowing Connection
  ) throws -> Page<GroupSummary> {
    let conditions = try SearchCompiler().compile(query.query, in: database)
    var tallies = GroupCountsOfQuery(
      countsVersions: query.order == .versions, countsInstalls: query.order == .installs)
    var found = FoundPositions()
    try SearchScan(conditions).run(tallies.fields, withPast: true, in: database) {
      chunk, positions in
      tallies.add(positions, of: chunk)
      found.add(positions, of: chunk)
    }
    tallies.finish()
    var cursors = tallies.groups.map { group, tally in
      PageCursor(tally.first(in: query.order), tally.second(in: query.order), row: -group)
    }
    var page = Page<GroupSummary>(total: cursors.count)
    // In a reversed list, the newest group comes first among those that are otherwise equal.
    let mark = after.map { PageCursor($0.first, $0.second, row: -$0.row) }
    if let mark { cursors.removeAll { query.isReversed ? $0 <= mark : $0 >= mark } }
    cursors.sort { query.isReversed ? $0 < $1 : $0 > $1 }
    if let limit = query.limit, cursors.count > max(limit, 0) {
      cursors.removeLast(cursors.count - max(limit, 0))
      page.next = cursors.last.map {
        PageCursor($0.first, $0.second, row: -$0.row).text(of: query.list)
      }
    }
    var details = GroupDetailTallies(groups: cursors.map { -$0.row })
    try SearchScan.visit(found, details.fields, in: database) { chunk, positions in
      details.add(positions, of: chunk)
    }
    details.finish()
    for cursor in cursors {
      var summary = try summary(ofGroup: RowID(-cursor.row), in: database)
      if let tally = tallies.groups[-cursor.row] { summary.take(tally) }
      (summary.versions, summary.installs) = try details.result(of: -cursor.row, in: database)
      page.items.append(summary)
    }
    return page
  }
}

extension GroupSummary {
  /// Replaces the totals by those of some reports.
  fileprivate mutating func take(_ tally: GroupCounts) {
    reports = tally.reports
    firstSeen = Timestamp(microseconds: tally.firstSeen)
    lastSeen = Timestamp(microseconds: tally.lastSeen)
  }
}

extension GroupQuery.Order {
  /// The columns by which groups are sorted; the second applies where the first is equal.
  var columns: (first: String, second: String?) {
    switch self {
    case .reports: ("reports", "last_seen")
    case .lastSeen: ("last_seen", nil)
    case .firstSeen: ("first_seen", nil)
    case .versions: ("versions", "last_seen")
    case .installs: ("installs", "last_seen")
    }
  }
}

extension Condition {
  /// Whether it can be answered without looking at reports.
  var asksForGroups: Bool {
    alternatives.allSatisfy { alternative in
      alternative.sources.allSatisfy { $0.isOfGroup || $0 == .app || $0 == .group }
    }
  }
}
