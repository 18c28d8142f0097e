internal import Database
internal import Query
internal import Segments

extension CrashStore.Reports {
  /// Lists the reports that match `query`.
  ///
  /// - Throws: ``StoreError/wrongCursor(_:)``; `DatabaseError`.
  /// - Complexity: For all reports, or those of one group or app, O(*n*) in the returned reports,
  ///   found through an index, and in the groups. Otherwise O(*n*) in the reports of the store, a
  ///   few nanoseconds each.
  public func list(_ query: ReportQuery = ReportQuery()) throws -> Page<ReportSummary> {
    try store.read { database in
      let before = try PageCursor(query.before, of: query.list)
      let after = try before ?? Self.cursor(of: query, in: database)
      let part = try Self.part(
        of: before == nil ? query : query.opposite, after: after, in: database)
      let first = part.cursors.first?.text(of: query.list)
      let last = part.hasMore ? part.cursors.last?.text(of: query.list) : nil
      let cursors = before == nil ? part.cursors : part.cursors.reversed()
      var page = Page(
        items: try cursors.map { try Self.summary(ofReport: RowID($0.row), in: database) },
        next: before == nil ? last : first, total: part.total)
      page.previous = before != nil ? last : after != nil ? first : nil
      return page
    }
  }

  /// Some reports of a list, by their positions in it.
  private struct Part {
    var cursors: [PageCursor] = []
    /// Whether others follow.
    var hasMore = false
    /// The number of reports in the whole list.
    var total = 0

    mutating func cut(to limit: Int?) {
      guard let limit, cursors.count > max(limit, 0) else { return }
      cursors.removeLast(cursors.count - max(limit, 0))
      hasMore = true
    }
  }

  private static func part(
    of query: ReportQuery, after: PageCursor?, in database: borrowing Connection
  ) throws -> Part {
    if query.order == .time, let owner = try ReportOwner(query.query, in: database) {
      return try reports(of: owner, query, after: after, in: database)
    }
    return try foundReports(query, after: after, in: database)
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

  /// Some of one owner's reports.
  private static func reports(
    of owner: ReportOwner, _ query: ReportQuery, after: PageCursor?,
    in database: borrowing Connection
  ) throws -> Part {
    var part = Part()
    part.total = try owner.count(in: database)
    let (sql, values) = list(of: owner, query, after: after)
    let rows = try database.prepare(sql, values)
    while try rows.step() {
      try part.cursors.append(PageCursor(rows.int("time"), row: rows.int("id")))
    }
    part.cut(to: query.limit)
    return part
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
  ) throws -> Part {
    let conditions = try SearchCompiler().compile(query.query, in: database)
    let field: SearchField = query.order == .time ? .time : .received
    let wanted = query.limit.map { max($0, 0) + 1 } ?? Int.max
    var part = Part()
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
    func add(_ positions: ChunkPositions, of chunk: SearchChunk) {
      let times = chunk[field]
      for position in positions {
        let cursor = PageCursor(times[position], row: chunk.row(position))
        if let mark, !comesBefore(cursor, mark) { continue }
        if let after, !comesBefore(after, cursor) { continue }
        best.append(cursor)
      }
      if wanted < Int.max, best.count > wanted { sort() }
    }
    // The times of reports that may be on the page.
    func times() -> ClosedRange<Int>? {
      let (near, far) = (after?.first, mark?.first)
      let least = (query.isReversed ? near : far) ?? .min
      let most = (query.isReversed ? far : near) ?? .max
      return least <= most ? least...most : nil
    }
    // Starts at the end where the list begins, so that later reports are mostly skipped.
    try SearchScan(conditions).run(
      [field], newestFirst: !query.isReversed, in: database,
      segment: { segment, rows in
        var onPage: SegmentRows?
        if let times = times() {
          let condition = SegmentCondition([.range(SegmentColumn(field), times)])
          onPage = try SegmentRows(
            segment.rows(of: rows, matching: [condition]), of: segment, [field])
        }
        part.total += rows.count
        onPage?.forEachChunk { chunk, positions in add(positions, of: chunk) }
      }
    ) { chunk, positions in
      part.total += positions.count
      add(positions, of: chunk)
    }
    sort()
    part.cursors = best
    part.cut(to: query.limit)
    return part
  }
}
