internal import Bytes
internal import CrashModel
internal import Database
internal import Query
internal import ReportDocument

extension CrashStore {
  /// Number of reports indexed per transaction.
  private static let filledAtOnce = 500
  /// Number of chunks settled by a transaction that does nothing else.
  private static let settledAtOnce = 16

  /// Brings reports that came with an archive into the index, from their documents, and settles what
  /// changed since. Stopped at any instant, it goes on there the next time.
  ///
  /// - Parameter progress: Called with the amount that is done and all of it.
  /// - Throws: `DatabaseError`.
  func fillSearch(_ progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws {
    let queued = try read { try $0.requiredInteger("SELECT count(*) FROM search_queue") }
    guard queued > 0 else { return try settleSearch(progress) }
    var done = 0
    while try read({ try $0.integer("SELECT 1 FROM search_queue LIMIT 1") }) != nil {
      let waiting = try read { database in
        let rows = try database.prepare(
          "SELECT report FROM search_queue ORDER BY report LIMIT \(Self.filledAtOnce)")
        var reports: [RowID<Tables.Reports>] = []
        while try rows.step() { try reports.append(rows.id("report")) }
        return reports
      }
      try write(.global) { database in
        let search = SearchIndex(searchCache)
        for report in waiting { try fill(report, search, in: database) }
        if waiting.count < Self.filledAtOnce {
          try DeletedReportIndex.complete(with: search, in: database)
        }
      }
      done += waiting.count
      progress(min(done, queued), queued)
    }
    try settleSearch(progress)
  }

  func settleSearch(_ progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws {
    do {
      let isMissing = try read { database in
        try SearchSegments.rows(in: database).contains {
          SegmentFiles.shared.segment(at: $0.path) == nil
        }
      }
      if isMissing { try write(.global) { try SegmentSettling.forgetMissing(in: $0) } }
      let total = try read { try $0.requiredInteger("SELECT count(*) FROM search_stale") }
      var left = total
      while try read({ try SearchChunk.isWaiting(in: $0) }) {
        _ = try write(.global) { try SearchChunk.settle(atMost: Self.settledAtOnce, in: $0) }
        left = max(left - Self.settledAtOnce, 0)
        progress(total - left, 2 * total)
      }
      var made = 0
      while try read({ try SegmentSettling.isWaiting(in: $0) }) {
        guard try write(.global, { try SegmentSettling.run(in: $0) }) else { break }
        made += SegmentSettling.chunks
        progress(total + min(made, total), 2 * total)
      }
    } catch let error as DatabaseError where error.kind == .full {
      // Unsettled rows only take longer to read: a home on a full disk still opens.
    }
  }

  private func fill(
    _ report: RowID<Tables.Reports>, _ search: SearchIndex, in database: borrowing Connection
  ) throws {
    // Another process may have been faster.
    try database.run("DELETE FROM search_queue WHERE report = ?1", report)
    guard database.changes > 0 else { return }
    let rows = try database.prepare(
      """
      SELECT reports.name, reports.grp, reports.time, reports.received, reports.install,
        reports.document, submissions.source, reports.format, reports.kind, reports.version,
        reports.build, reports.os, reports.device, reports.reason, reports.signature,
        reports.category, reports.provisional
      FROM reports JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1
      """, [report])
    guard try rows.step() else { return }
    let (time, received) = try (
      rows.timestamp("time"), rows.timestamp("received")
    )
    let document = try rows.blob("document")
    let read = try StoreError.unlessDamaged {
      try CrashReport(document: contents.read(document))
    }
    // A document that is damaged leaves what the tables have of it.
    let stored = try read ?? Self.known(of: rows)
    let values = try ReportValues(
      stored, id: rows.text("name"), app: "", time: time, received: received,
      source: rows.text("source"))
    let install = try rows.optionalBlob("install")
    try search.add(
      SearchEntry(values, install: install), report: report, group: rows.id("grp"), in: database)
    try search.noteDump(of: report, in: database)
  }

  private static func known(of row: borrowing Statement) throws(DatabaseError) -> CrashReport {
    func given(_ column: StaticString) throws(DatabaseError) -> String? {
      let text = try row.text(column)
      return text.isEmpty ? nil : text
    }
    var report = try CrashReport(
      format: ReportFormat(row.text("format")),
      kind: ReportKind(rawValue: row.text("kind")) ?? .other)
    report.app = try AppIdentity(version: given("version"), build: given("build"))
    report.os = try OperatingSystem(name: given("os"))
    report.device = try Device(model: given("device"))
    report.reason = try CrashReason(message: given("reason"))
    report.signature = try Signature(
      text: row.text("signature"), key: "",
      category: SignatureCategory(rawValue: row.text("category")) ?? .signal, rules: "",
      isProvisional: row.bool("provisional"))
    return report
  }
}
