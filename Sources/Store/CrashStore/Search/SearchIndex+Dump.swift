internal import CrashModel
internal import Database

extension SearchIndex {
  /// Makes a native crash searchable as one whose dump is stored, once it is and the report is reprocessed
  /// with it; see ``CrashReport/noteDump(among:)``.
  ///
  /// - Parameter report: Its database row.
  func noteDump(of report: RowID<Tables.Reports>, in database: borrowing Connection) throws {
    let hasDump = try database.integer(
      "SELECT 1 FROM attachments WHERE report = ?1 AND name = ?2", report, CrashReport.dumpName)
    guard hasDump != nil else { return }
    let awaited = SearchTerm.tag(ReportTag.minidump.description, CrashReport.awaitedDump)
    var terms = try tags(of: report, in: database)
    guard let index = terms.firstIndex(of: awaited) else { return }
    try database.run(
      """
      INSERT INTO redo (app, report) SELECT app, id FROM reports WHERE id = ?1
      ON CONFLICT (report) DO UPDATE SET rule_set = NULL
      """, report)
    terms[index] = SearchTerm.tag(ReportTag.minidump.description, CrashReport.storedDump)
    let set = try number(of: SearchSet(terms), in: database)
    try database.run("UPDATE search_facts SET tags = ?2 WHERE report = ?1", report, set)
    try database.run(
      "INSERT INTO search_stale (chunk) VALUES (?1) ON CONFLICT DO NOTHING",
      report.rawValue >> SearchChunk.bits)
  }

  private func tags(
    of report: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws -> [SearchTerm] {
    try writeBatch(to: database)
    let rows = try database.prepare(
      """
      SELECT text FROM search_set_terms JOIN search_terms ON search_terms.id = search_set_terms.term
      WHERE holder = (SELECT tags FROM search_facts WHERE report = ?1)
      """, [report])
    var terms: [SearchTerm] = []
    while try rows.step() { try terms.append(SearchTerm(field: .tag, text: rows.text("text"))) }
    return terms
  }
}
