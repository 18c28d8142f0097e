internal import CrashModel
internal import Database
internal import Query
internal import ReportDocument

extension CrashStore {
  /// How many reports a transaction gets their stacks.
  private static let filledAtOnce = 500
  /// In place of the id of a stack, for a report whose document is damaged.
  private static let damaged = "-"

  /// Notes the stacks of reports that were stored before stacks were kept, from their documents. Stopped
  /// at any instant, it goes on there the next time.
  ///
  /// - Throws: `DatabaseError`.
  func fillStacks() throws {
    while true {
      let waiting = try read { database in
        let rows = try database.prepare(
          "SELECT id FROM reports WHERE variant = '' ORDER BY id LIMIT \(Self.filledAtOnce)")
        var reports: [RowID<Tables.Reports>] = []
        while try rows.step() { try reports.append(rows.id("id")) }
        return reports
      }
      guard !waiting.isEmpty else { return }
      try write(.global) { database in
        for report in waiting { try fillStack(of: report, in: database) }
      }
    }
  }

  private func fillStack(
    of report: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws {
    // Another process may have been faster.
    let rows = try database.prepare(
      "SELECT app, document FROM reports WHERE id = ?1 AND variant = ''", [report])
    guard try rows.step() else { return }
    let app: RowID<Tables.Apps> = try rows.id("app")
    let document = try rows.blob("document")
    let stored = try StoreError.unlessDamaged {
      try CrashReport(document: contents.read(document))
    }
    let stack = stored.flatMap(NormalisedStack.init(of:))
    try database.run(
      "UPDATE reports SET variant = ?2 WHERE id = ?1", report, stack?.variant ?? Self.damaged)
    if let stack { try StacksTable.note(stack, stack.variant, app: app, in: database) }
  }
}
