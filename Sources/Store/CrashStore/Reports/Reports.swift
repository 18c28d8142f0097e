public import Bytes
internal import CrashModel
internal import Crypto
internal import Database
public import Identifiers

extension CrashStore.Reports {
  /// The number of digits below which an id is too short to name a report: another could begin with it soon.
  public static let fewestDigits = 4

  /// The report whose id begins with `prefix`, in either letter case.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/ambiguous(prefix:matches:)``,
  ///   ``StoreError/damagedBlob(path:reason:)``; `DatabaseError`.
  public func get(_ prefix: String) throws -> ReportRecord {
    guard prefix.count >= Self.fewestDigits else { throw StoreError.notFound(prefix) }
    let wanted = prefix.lowercased()
    let (found, attachments, refused, crumbs, keyName) = try store.read { database in
      // Ids are hexadecimal digits, all of which come before "g".
      let rows = try database.prepare(
        Self.reportColumns + " WHERE reports.name >= ?1 AND reports.name < ?1 || 'g'"
          + " ORDER BY reports.name LIMIT 10", [wanted])
      var found: [(ReportSummary, [UInt8], [UInt8], Int, Bool)] = []
      while try rows.step() {
        try found.append(
          (
            Self.summary(rows), rows.blob("document"), rows.blob("digest"), rows.int("position"),
            rows.bool("app_given")
          ))
      }
      guard let only = found.first, !wanted.isEmpty else { throw StoreError.notFound(prefix) }
      guard found.count == 1 else {
        throw StoreError.ambiguous(prefix: prefix, matches: found.map(\.0.id))
      }
      let crumbs = try CrashStore.Sessions.breadcrumbs(
        of: only.2, app: only.0.app, until: only.0.time, in: database)
      return (
        only, try CrashStore.Attachments.attachments(of: only.0.id, in: database).map(\.attachment),
        try RefusedAttachments.of(submission: only.2, app: only.0.app, in: database), crumbs,
        try Self.keyName(of: only.0, digest: only.2, position: only.3, in: database)
      )
    }
    return ReportRecord(
      summary: found.0, document: try store.contents.read(found.1), submission: SHA256.hex(found.2),
      position: found.3, isAppGiven: found.4, attachments: attachments,
      refusedAttachments: refused, breadcrumbs: crumbs, keyName: keyName)
  }

  /// The name of the app that a report was stored under; for an app with two names, the id decides.
  private static func keyName(
    of report: ReportSummary, digest: [UInt8], position: Int, in database: borrowing Connection
  ) throws -> String {
    guard let app = try AppsTable.find(report.app, in: database) else { return report.app }
    let first = try AppsTable.keyName(of: app.row, in: database)
    let isFirst = ReportID.id(digest: digest, app: first, position: position) == report.id
    return isFirst ? first : report.app
  }

  /// The bytes of a submission as they were received.
  ///
  /// - Parameter digest: Their SHA-256 in hexadecimal, as receipts and reports name it.
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/damagedBlob(path:reason:)``;
  ///   `DatabaseError`.
  public func submission(_ digest: String) throws -> ByteView {
    guard let bytes = Self.bytes(ofHex: digest),
      try store.read({ database in
        try database.integer(
          // The index of submissions begins with the app.
          "SELECT 1 FROM apps CROSS JOIN submissions WHERE app = apps.id AND digest = ?1 LIMIT 1",
          bytes)
          != nil
      })
    else { throw StoreError.notFound(digest) }
    return try store.contents.read(bytes)
  }

  /// The ids of the reports that could use a debug file with this id, oldest first.
  ///
  /// - Throws: `DatabaseError`.
  public func waiting(for debugID: DebugID) throws -> [String] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT reports.name FROM waiting JOIN reports ON reports.id = waiting.report
        WHERE waiting.image = (SELECT id FROM image_numbers WHERE debug_id = ?1)
        ORDER BY reports.id
        """, [debugID.description])
      var reports: [String] = []
      while try rows.step() { try reports.append(rows.text("name")) }
      return reports
    }
  }

  /// Totals of what is stored.
  ///
  /// - Throws: `DatabaseError`.
  public func totals() throws -> StoreTotals {
    try store.read { database in
      var totals = StoreTotals()
      totals.submissions = try database.requiredInteger("SELECT count(*) FROM submissions")
      totals.reports = try database.requiredInteger("SELECT count(*) FROM reports")
      totals.groups =
        try database.requiredInteger("SELECT count(*) FROM groups WHERE redirect IS NULL")
      totals.counted =
        try database.requiredInteger(
          "SELECT coalesce(sum(reports), 0) FROM groups WHERE redirect IS NULL")
      return totals
    }
  }

  static let reportColumns = """
    SELECT reports.name, apps.prefix || '-' || groups.number AS group_name, apps.name AS app_name,
      reports.format, reports.kind, reports.time, reports.received, reports.version, reports.build, reports.os,
      reports.device, reports.reason, reports.signature, reports.symbols, submissions.source,
      reports.document, submissions.digest, reports.position, submissions.app_given
    FROM reports JOIN groups ON groups.id = reports.grp JOIN apps ON apps.id = reports.app
      JOIN submissions ON submissions.id = reports.submission
    """ + "\n"

  static func summary(_ row: borrowing Statement) throws(DatabaseError) -> ReportSummary {
    func given(_ text: String) -> String? { text.isEmpty ? nil : text }
    return try ReportSummary(
      id: row.text("name"), group: row.text("group_name"), app: row.text("app_name"),
      format: ReportFormat(row.text("format")),
      kind: ReportKind(rawValue: row.text("kind")) ?? .other,
      time: row.timestamp("time"),
      received: row.timestamp("received"),
      version: given(row.text("version")), build: given(row.text("build")),
      os: given(row.text("os")),
      device: given(row.text("device")), reason: row.optionalText("reason"),
      signature: row.text("signature"),
      symbols: SymbolCoverage(rawValue: row.int("symbols")) ?? .missing, source: row.text("source"))
  }

  /// The bytes of a digest in hexadecimal; `nil` for anything else.
  static func bytes(ofHex text: String) -> [UInt8]? {
    text.utf8.count == 64 ? [UInt8](hexadecimal: text) : nil
  }

  /// The digests that were stored as reports, or as their attachments.
  ///
  /// - Parameters:
  ///   - digests: SHA-256 digests, 32 bytes each.
  ///   - app: The app to search; `nil` for all.
  /// - Throws: `DatabaseError`.
  public func known(_ digests: [[UInt8]], app name: String? = nil) throws -> [[UInt8]] {
    try store.read { database in
      let app = try name.map { try AppsTable.find($0, in: database)?.row } ?? nil
      if name != nil && app == nil { return [] }
      return try digests.filter { digest in
        let rows = try database.prepare(
          """
          SELECT 1 FROM submissions WHERE digest = ?1 AND (app = ?2 OR ?2 IS NULL) AND problem IS NULL
          UNION ALL
          SELECT 1 FROM attachments JOIN reports ON reports.id = attachments.report
          WHERE attachments.digest = ?1 AND (reports.app = ?2 OR ?2 IS NULL)
          LIMIT 1
          """, [digest, app])
        return try rows.step()
      }
    }
  }

  /// The time at which the last report was received; `nil` if there are none.
  public func lastReceived() throws -> Timestamp? {
    try store.read { database in
      try database.integer("SELECT received FROM reports ORDER BY id DESC LIMIT 1").map(
        Timestamp.init(microseconds:))
    }
  }
}
