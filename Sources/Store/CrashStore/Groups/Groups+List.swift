internal import Database
internal import Identifiers
public import Query
internal import Statistics
public import TriageModel

extension CrashStore.Groups {
  /// Returns the groups that match `query`.
  ///
  /// - Throws: ``StoreError/wrongCursor(_:)``; `DatabaseError`.
  /// - Complexity: If all conditions are on groups, O(*n*) in the groups that are returned, found through an
  ///   index; otherwise O(*n*) in the reports of the store, a few nanoseconds each.
  public func list(_ query: GroupQuery = GroupQuery()) throws -> Page<GroupSummary> {
    try store.read { database in
      try Self.page(of: query) { try Self.part(of: $0, after: $1, in: database) }
    }
  }

  /// Returns the page that `part` reads, in the direction of the list.
  static func page(
    of query: GroupQuery, _ part: (GroupQuery, _ after: PageCursor?) throws -> Part
  ) throws -> Page<GroupSummary> {
    let after = try PageCursor(query.after, of: query.list)
    guard let before = try PageCursor(query.before, of: query.list) else {
      let part = try part(query, after)
      var page = Page(items: part.items, total: part.total)
      if part.hasMore { page.next = part.cursors.last?.text(of: query.list) }
      if after != nil { page.previous = part.cursors.first?.text(of: query.list) }
      return page
    }
    let part = try part(query.opposite, before)
    var page = Page(items: Array(part.items.reversed()), total: part.total)
    page.next = part.cursors.first?.text(of: query.list)
    if part.hasMore { page.previous = part.cursors.last?.text(of: query.list) }
    return page
  }

  /// Some groups of a list, with their positions in it.
  struct Part {
    fileprivate(set) var items: [GroupSummary] = []
    fileprivate(set) var cursors: [PageCursor] = []
    /// Whether others follow.
    fileprivate(set) var hasMore = false
    /// The number of groups in the whole list.
    fileprivate(set) var total = 0
    /// When the groups were first seen, whatever the query, and their reports per day, as far as a scan
    /// counted them.
    fileprivate(set) var firstSeen: [String: Timestamp] = [:]
    fileprivate(set) var days: [String: [Int: Int]] = [:]
  }

  private static func part(
    of query: GroupQuery, after: PageCursor?, in database: borrowing Connection
  ) throws -> Part {
    guard query.query.asksForGroups else {
      let keepsTimes = query.order == .change && !query.query.withoutTimes.asksForGroups
      let scan = try GroupScan(query, keepsTimes: keepsTimes, in: database)
      return try part(of: query, scan.groups, scan, after: after, in: database)
    }
    guard let filter = try GroupFilter(query.query, in: database) else { return Part() }
    let total = try database.prepare(
      "SELECT count(*) FROM groups WHERE " + filter.sql, filter.values
    ).first
    guard let total else { throw StoreError.damaged("groups have no count") }
    return try part(of: query, filter, total: total, after: after, in: database)
  }

  // MARK: Groups by their stored totals

  /// - Parameter total: The number of groups that match the filter.
  static func part(
    of query: GroupQuery, _ filter: GroupFilter, total: Int, after: PageCursor?,
    in database: borrowing Connection
  ) throws -> Part {
    try query.order == .change
      ? changedGroups(query, filter, after: after, in: database)
      : plainGroups(query, filter, total: total, after: after, in: database)
  }

  private static func plainGroups(
    _ query: GroupQuery, _ filter: GroupFilter, total: Int, after: PageCursor?,
    in database: borrowing Connection
  ) throws -> Part {
    var part = Part(total: total)
    let (sql, values) = plainList(query, filter, after: after)
    let rows = try database.prepare(sql, values)
    while try rows.step() {
      let row = try rows.int("id")
      try part.cursors.append(PageCursor(rows.int("first"), rows.int("second"), row: row))
    }
    if let limit = query.limit, part.cursors.count > max(limit, 0) {
      part.cursors.removeLast(part.cursors.count - max(limit, 0))
      part.hasMore = true
    }
    part.items = try part.cursors.map { try summary(ofGroup: RowID($0.row), in: database) }
    return part
  }

  /// The groups in the order of their change, with their stored totals.
  private static func changedGroups(
    _ query: GroupQuery, _ filter: GroupFilter, after: PageCursor?,
    in database: borrowing Connection
  ) throws -> Part {
    let rows = try database.prepare(
      "SELECT id, last_seen FROM groups WHERE " + filter.sql, filter.values)
    var times: [Int: Int] = [:]
    while try rows.step() { try times[rows.int("id")] = rows.int("last_seen") }
    let changes = try changes(query, times, in: database)
    var part = Part(total: times.count)
    let keys = times.map { group, time in
      PageCursor(changes[group]?.evidence ?? 0, time, row: -group)
    }
    (part.cursors, part.hasMore) = cut(keys, query, after: after)
    part.items = try part.cursors.map { try summary(ofGroup: RowID($0.row), in: database) }
    return part
  }

  /// Returns the keys of a page in order, and whether others follow.
  ///
  /// - Parameter keys: Cursors with negated rows: in a reversed list, the newest group comes first among those
  ///   that are otherwise equal.
  private static func cut(
    _ keys: [PageCursor], _ query: GroupQuery, after: PageCursor?
  ) -> (cursors: [PageCursor], hasMore: Bool) {
    var keys = keys
    let mark = after.map { PageCursor($0.first, $0.second, row: -$0.row) }
    if let mark { keys.removeAll { query.isReversed ? $0 <= mark : $0 >= mark } }
    keys.sort { query.isReversed ? $0 < $1 : $0 > $1 }
    var hasMore = false
    if let limit = query.limit, keys.count > max(limit, 0) {
      keys.removeLast(keys.count - max(limit, 0))
      hasMore = true
    }
    return (keys.map { PageCursor($0.first, $0.second, row: -$0.row) }, hasMore)
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

  /// - Parameters:
  ///   - groups: The counts of the listed groups, by row.
  ///   - days: Days for which the reports of the page's groups are counted.
  static func part(
    of query: GroupQuery, _ groups: [Int: GroupCounts], _ scan: GroupScan, after: PageCursor?,
    days: Range<Int>? = nil, in database: borrowing Connection
  ) throws -> Part {
    var groups = groups
    if query.order == .change {
      let changes = try changes(query, groups.mapValues(\.lastSeen), scan, in: database)
      for (group, change) in changes { groups[group]?.change = change.evidence }
    }
    var part = Part(total: groups.count)
    let keys = groups.map { group, tally in
      PageCursor(tally.first(in: query.order), tally.second(in: query.order), row: -group)
    }
    (part.cursors, part.hasMore) = cut(keys, query, after: after)
    let (details, counts) = try scan.details(of: part.cursors.map(\.row), days: days, in: database)
    for cursor in part.cursors {
      var summary = try summary(ofGroup: RowID(cursor.row), in: database)
      part.firstSeen[summary.id] = summary.firstSeen
      part.days[summary.id] = counts[cursor.row]
      if let tally = groups[cursor.row] { summary.take(tally) }
      (summary.versions, summary.installs) = try details.result(of: cursor.row, in: database)
      part.items.append(summary)
    }
    return part
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
    // The evidence is not a column: see `changedGroups`.
    case .change: ("last_seen", "last_seen")
    }
  }
}

extension Query {
  /// Whether it can be answered without looking at reports.
  var asksForGroups: Bool { conditions.allSatisfy(\.asksForGroups) }

  /// The query without its conditions on the time of reports, for figures that have their own days.
  public var withoutTimes: Query { Query(conditions: conditions.filter { !$0.isOnTime }) }

  /// The conditions on the time of reports.
  var onlyTimes: Query { Query(conditions: conditions.filter(\.isOnTime)) }
}

extension Condition {
  /// Whether it is on nothing but the time of reports.
  fileprivate var isOnTime: Bool { alternatives.allSatisfy { $0.sources == [.time] } }

  /// Whether it can be answered without looking at reports.
  var asksForGroups: Bool {
    alternatives.allSatisfy { alternative in
      alternative.sources.allSatisfy { $0.isOfGroup || $0 == .app || $0 == .group }
    }
  }
}
