internal import CrashModel
internal import Database

extension CrashStore {
  /// Number of reports whose stacks one transaction fills in.
  private static let filledAtOnce = 500
  /// Used in place of a stack id for a report whose document is damaged.
  private static let damaged = "-"

  /// Notes the stacks of reports that came with a part of another home, and those of their keys, from their
  /// documents. Groups that likeness joins now come together.
  /// Stopped at any instant, it goes on there the next time.
  ///
  /// - Throws: `DatabaseError`.
  func fillStacks() throws {
    var isDone = true
    while true {
      let waiting = try read { database in
        let rows = try database.prepare(
          "SELECT id FROM reports WHERE variant = '' ORDER BY id LIMIT \(Self.filledAtOnce)")
        var reports: [RowID<Tables.Reports>] = []
        while try rows.step() { try reports.append(rows.id("id")) }
        return reports
      }
      if waiting.isEmpty { break }
      isDone = false
      try write(.global) { database in
        for report in waiting { try fillStack(of: report, in: database) }
      }
    }
    if !isDone { while try groups.settle() {} }
  }

  private func fillStack(
    of report: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws {
    // Another process may have been faster.
    let rows = try database.prepare(
      "SELECT app, origin, key FROM reports WHERE id = ?1 AND variant = ''", [report])
    guard try rows.step() else { return }
    let app: RowID<Tables.Apps> = try rows.id("app")
    let origin: RowID<Tables.Origins> = try rows.id("origin")
    let key = try rows.text("key")
    let reader = StoredReader(contents: contents)
    guard let storedRow = try StoredReader.storedRow(report, in: database) else {
      throw StoreError.damaged("report \(report) has no submission")
    }
    let row = try Self.signed(storedRow, reader)
    try database.run(
      "UPDATE reports SET variant = ?2 WHERE id = ?1", report, row?.variant ?? Self.damaged)
    guard let row else { return }
    try StacksTable.note(row.stack, row.variant, app: app, in: database)
    guard row.signature.key == key else { return }
    let table = GroupsTable(app: app, author: "mayday")
    var isChanged = try table.noteReadings(
      of: row.signature, build: row.counted, in: database)
    if try KeyStacks(of: app).add(row, in: database) { isChanged = true }
    guard isChanged else { return }
    try Regrouping.note(
      try Origin.get(origin, in: database).top(in: database).id, of: app, from: .arrange,
      in: database)
  }

  /// The report as read from its document; `nil` where it is damaged or has no signature.
  private static func signed(_ storedRow: StoredReader.StoredRow, _ reader: StoredReader) throws
    -> ReportRow?
  {
    do {
      return try reader.row(of: storedRow)
    } catch StoreError.unsigned {
      return nil
    }
  }
}
