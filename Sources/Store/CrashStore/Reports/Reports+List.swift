internal import Database
internal import Query

extension CrashStore.Reports {
  /// Lists the reports that match `query`.
  ///
  /// - Throws: ``StoreError/wrongCursor(_:)``; `DatabaseError`.
  /// - Complexity: For all reports, or those of one group or app, O(*n*) in the returned reports,
  ///   found through an index, and in the groups. Otherwise O(*n*) in the reports of the store, a
  ///   few nanoseconds each.
  public func list(_ query: ReportQuery = ReportQuery()) throws -> Page<ReportSummary> {
    try store.read { database in
      let after = try Self.cursor(of: query, in: database)
      var page: Page<Int>
      if query.order == .time, let owner = try ReportOwner(query.query, in: database) {
        page = try Self.reports(of: owner, query, after: after, in: database)
      } else {
        page = try Self.foundReports(query, after: after, in: database)
      }
      return Page(
        items: try page.items.map { try Self.summary(ofReport: RowID($0), in: database) },
        next: page.next, total: page.total)
    }
  }

  /// The position after which the requested page begins.
  private static func cursor(
    of query: ReportQuery, in database: borrowing Connection
  ) throws -> PageCursor? {
    guard query.order == .time, let text = query.after,
      text.hasPrefix(ReportQuery.reportPrefix)
    else { return try PageCursor(query.after, of: query.list) }
    let name = String(text.dropFirst(ReportQuery.reportPrefix.count))
    let rows = try database.prepare("SELECT id, time FROM reports WHERE name = ?1", [name])
    guard try rows.step() else { throw StoreError.wrongCursor(text) }
    return try PageCursor(rows.int("time"), row: rows.int("id"))
  }

  private static func summary(
    ofReport row: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws -> ReportSummary {
    let rows = try database.prepare(reportColumns + " WHERE reports.id = ?1", [row])
    guard try rows.step() else { throw StoreError.damaged("there is no report in row \(row)") }
    return try summary(rows)
  }

  /// The database rows of a page of one owner's reports.
  private static func reports(
    of owner: ReportOwner, _ query: ReportQuery, after: PageCursor?,
    in database: borrowing Connection
  ) throws -> Page<Int> {
    var page = Page<Int>()
    page.total = try owner.count(in: database)
    let (sql, values) = list(of: owner, query, after: after)
    let rows = try database.prepare(sql, values)
    var cursors: [PageCursor] = []
    while try rows.step() { try cursors.append(PageCursor(rows.int("time"), row: rows.int("id"))) }
    cut(&cursors, to: query, &page)
    return page
  }

  /// The statement that finds the reports of a page, and one more to see whether there are others.
  static func list(
    of owner: ReportOwner, _ query: ReportQuery, after: PageCursor?
  ) -> (sql: String, values: [any SQLBindable]) {
    let direction = query.isReversed ? "ASC" : "DESC"
    let further = query.isReversed ? ">" : "<"
    var sql = "SELECT id, time FROM reports WHERE " + owner.sql
    var values = owner.values
    if let after {
      let next = values.count
      values += [after.first, after.row]
      sql += " AND (time, id) \(further) (?\(next + 1), ?\(next + 2))"
    }
    sql += " ORDER BY time \(direction), id \(direction)"
    if let limit = query.limit { sql += " LIMIT \(max(limit, 0) + 1)" }
    return (sql, values)
  }

  private static func foundReports(
    _ query: ReportQuery, after: PageCursor?, in database: borrowing Connection
  ) throws -> Page<Int> {
    let conditions = try SearchCompiler().compile(query.query, in: database)
    let field: SearchField = query.order == .time ? .time : .received
    let wanted = query.limit.map { max($0, 0) + 1 } ?? Int.max
    var page = Page<Int>()
    var best: [PageCursor] = []
    /// The last position that can be on the page, as far as is known.
    var mark: PageCursor?
    func comesBefore(_ left: PageCursor, _ right: PageCursor) -> Bool {
      query.isReversed ? left < right : left > right
    }
    func sort() {
      best.sort(by: comesBefore)
      if best.count > wanted { best.removeLast(best.count - wanted) }
      if best.count == wanted { mark = best.last }
    }
    // Starts at the end where the list begins, so that later reports are mostly skipped.
    try SearchScan(conditions).run([field], newestFirst: !query.isReversed, in: database) {
      chunk, positions in
      let times = chunk[field]
      page.total += positions.count
      for position in positions {
        let cursor = PageCursor(times[position], row: chunk.first + position)
        if let mark, !comesBefore(cursor, mark) { continue }
        if let after, !comesBefore(after, cursor) { continue }
        best.append(cursor)
      }
      if wanted < Int.max, best.count > wanted { sort() }
    }
    sort()
    cut(&best, to: query, &page)
    return page
  }

  private static func cut(
    _ cursors: inout [PageCursor], to query: ReportQuery, _ page: inout Page<Int>
  ) {
    if let limit = query.limit, cursors.count > max(limit, 0) {
      cursors.removeLast(cursors.count - max(limit, 0))
      page.next = cursors.last?.text(of: query.list)
    }
    page.items = cursors.map(\.row)
  }
}
