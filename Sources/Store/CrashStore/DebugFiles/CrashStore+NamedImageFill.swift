internal import Bytes
internal import CrashModel
internal import Database
internal import ReportDocument

extension CrashStore {
  /// Number of reports that one transaction fills in.
  private static let filledAtOnce = 500

  /// Notes which images the reports of a home of an earlier version name themselves, from their documents.
  /// Stopped at any instant, it goes on there the next time.
  ///
  /// - Throws: `DatabaseError`.
  func fillNamedImages() throws {
    do {
      while true {
        let reports = try read { database in
          let rows = try database.prepare(
            """
            SELECT DISTINCT report FROM waiting WHERE named IS NULL
            ORDER BY report LIMIT \(Self.filledAtOnce)
            """)
          var reports: [RowID<Tables.Reports>] = []
          while try rows.step() { try reports.append(rows.id("report")) }
          return reports
        }
        if reports.isEmpty { return }
        try write(.global) { database in
          for report in reports { try fillNamedImages(of: report, in: database) }
        }
      }
    } catch let error as DatabaseError where error.kind == .full {
      // Such images count as missing until there is space: a home on a full disk still opens.
    }
  }

  private func fillNamedImages(
    of report: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws {
    let rows = try database.prepare("SELECT grp, document FROM reports WHERE id = ?1", [report])
    // Another process may have deleted it, with its rows.
    guard try rows.step() else { return }
    let group: RowID<Tables.Groups> = try rows.id("grp")
    let named = try namedImages(inDocument: rows.blob("document"))
    try MissingTable.remove([(report, group)], in: database)
    for id in named {
      try database.run(
        """
        UPDATE waiting SET named = 1 WHERE report = ?1 AND named IS NULL
          AND image = (SELECT id FROM image_numbers WHERE debug_id = ?2)
        """, report, id)
    }
    try database.run("UPDATE waiting SET named = 0 WHERE report = ?1 AND named IS NULL", report)
    try MissingTable.add(report, of: group, in: database)
  }

  /// The debug ids of the images that a report names itself; none where its document is damaged.
  private func namedImages(inDocument digest: [UInt8]) throws -> [String] {
    let report = try StoreError.unlessDamaged { try CrashReport(document: contents.read(digest)) }
    guard let report, let signature = report.signature else { return [] }
    return ImageRow.rows(of: report, signature).filter(\.isNamed).map(\.debugID)
  }
}
