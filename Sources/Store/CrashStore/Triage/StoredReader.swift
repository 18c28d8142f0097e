internal import Bytes
internal import Database
internal import Identifiers
internal import Query
internal import ReportDocument

/// Reads reports from their documents, inside a transaction.
struct StoredReader {
  let contents: ContentStore

  /// The data of a report apart from its document.
  struct StoredRow {
    let row: RowID<Tables.Reports>
    let name: String
    let app: String
    /// The digest of the document.
    let document: [UInt8]
    let time: Timestamp
    let received: Timestamp
    let source: String
  }

  private static let columns = """
    SELECT reports.id, reports.name, apps.name AS app_name, reports.document, reports.time,
      reports.received, submissions.source
    FROM reports JOIN apps ON apps.id = reports.app
      JOIN submissions ON submissions.id = reports.submission

    """

  private static func storedRow(_ row: borrowing Statement) throws(DatabaseError) -> StoredRow {
    try StoredRow(
      row: row.id("id"), name: row.text("name"), app: row.text("app_name"),
      document: row.blob("document"),
      time: row.timestamp("time"),
      received: row.timestamp("received"),
      source: row.text("source"))
  }

  static func storedRow(
    _ row: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws -> StoredRow? {
    let rows = try database.prepare(columns + "WHERE reports.id = ?1", [row])
    return try rows.step() ? storedRow(rows) : nil
  }

  /// All reports of a group, oldest first.
  static func storedRows(
    inGroup group: RowID<Tables.Groups>, of database: borrowing Connection
  ) throws -> [StoredRow] {
    let rows = try database.prepare(columns + "WHERE reports.grp = ?1 ORDER BY reports.id", [group])
    var storedRows: [StoredRow] = []
    while try rows.step() { try storedRows.append(storedRow(rows)) }
    return storedRows
  }

  /// The values that queries can test; `nil` where the document is damaged.
  ///
  /// - Throws: The error that prevents reading it now.
  func values(of row: StoredRow) throws -> ReportValues? {
    guard let stored = try stored(row) else { return nil }
    return ReportValues(
      stored.report, id: row.name, app: row.app, time: row.time, received: row.received,
      source: row.source)
  }

  /// The signature of a report and the rest of its row; `nil` where the document is damaged.
  ///
  /// - Throws: The error that prevents reading it now.
  func row(of row: StoredRow) throws -> ReportRow? {
    guard let stored = try stored(row) else { return nil }
    return try ReportRow(
      stored.report, id: row.name, received: row.received, document: row.document)
  }

  private func stored(_ row: StoredRow) throws -> StoredReport? {
    try StoreError.unlessDamaged { try StoredReport(document: contents.read(row.document)) }
  }
}
