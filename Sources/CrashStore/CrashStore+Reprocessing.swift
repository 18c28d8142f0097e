internal import CrashModel
internal import SQLite

extension CrashStore {
  /// Puts reports that were done again in the place of what was known of them, all or none.
  ///
  /// Give all reports that the same debug files were missing for at once. A group all of whose
  /// reports got one new key keeps its name and gains the key; when they got several, it keeps that
  /// of most of them (of the oldest report where that is undecided), and the others move. Where the
  /// key belongs to another group already, the older of the two survives and the other becomes
  /// another name of it. Counters move along; nothing is counted twice. Doing it again changes
  /// nothing.
  ///
  /// - Returns: Each report with the group that it is in now, in their order.
  /// - Throws: ``StoreError/notFound(_:)`` for a report that is not there; `FileError` or
  ///   `DatabaseError`. Nothing was changed then.
  public func replace(_ replacements: [PreparedReplacement]) throws -> [Receipt.FiledUnder] {
    try contents.write(replacements.map(\.content))
    let reader = StoredReader(contents: contents)
    return try act { database, _ in
      var changed: [Int: Regrouping] = [:]
      var record = ReplacementRecord()
      let search = SearchBook(searchCache)
      for replacement in replacements {
        let old = try record.keep(replacement.row, in: database)
        let (app, origin, row) = try Self.overwrite(
          with: replacement.row, search, in: database)
        try record.add(old, replacement.row, in: database)
        changed[origin, default: Regrouping(app: app, reader: reader)].reports[row] = replacement.row
      }
      for origin in changed.keys.sorted() {
        guard let regrouping = changed[origin] else { continue }
        for (place, part) in try regrouping.places(in: database) {
          try part.apply(to: place, in: database)
        }
      }
      try record.write(in: database)
      return try replacements.map { replacement in
        let group = try database.integer(
          "SELECT grp FROM reports WHERE name = ?1", replacement.row.id)
        return Receipt.FiledUnder(
          report: replacement.row.id, group: try GroupBook.name(of: group ?? 0, in: database),
          isNewGroup: false, isRegression: false)
      }
    }
  }

  /// Writes what is known of a report now, in the place in which it is.
  ///
  /// - Returns: The place that its key led to.
  private static func overwrite(
    with report: ReportRow, _ search: SearchBook, in database: borrowing Connection
  ) throws -> (app: Int, origin: Int, row: Int) {
    let rows = try database.prepare(
      "SELECT \(CountedReport.columns), app, origin, id FROM reports WHERE name = ?1", [report.id])
    guard try rows.step(), let origin = try Origin.find(rows.int(10), in: database) else {
      throw StoreError.notFound(report.id)
    }
    let old = CountedReport(rows)
    let (app, row) = (rows.int(9), rows.int(11))
    try database.run(
      """
      UPDATE reports SET format = ?2, kind = ?3, version = ?4, build = ?5, time = ?6, os = ?7,
        device = ?8, install = ?9, reason = ?10, signature = ?11, key = ?12, category = ?13,
        rules = ?14, provisional = ?15, symbols = ?16, document = ?17
      WHERE id = ?1
      """, row, report.format, report.kind.rawValue, report.version, report.build,
      report.time.microseconds, report.os, report.device, report.install, report.reason,
      report.signature.text, report.signature.key, report.signature.category.rawValue,
      report.signature.rules, report.signature.isProvisional, report.symbols.rawValue,
      report.document)
    try search.replace(report.entry, report: row, in: database)
    try database.run("DELETE FROM waiting WHERE report = ?1", row)
    try wait(for: report.waitsFor, report: row, in: database)
    let book = GroupBook(app: app, author: "mayday")
    try book.uncount(old, in: origin, of: database)
    try book.count(report.counted, in: origin, of: database)
    if (old.version, old.build) != (report.version, report.build) {
      let received = report.received.microseconds
      try ReleaseBook.count(old, by: -1, received: received, app: app, in: database)
      try ReleaseBook.count(report.counted, received: received, app: app, in: database)
    }
    return (app, try origin.keyed(in: database).id, row)
  }
}
