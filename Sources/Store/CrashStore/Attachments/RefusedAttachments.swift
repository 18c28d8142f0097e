internal import Database
internal import Identifiers

/// The rows of `refused_attachments`: by the client's id of the report, which may arrive later, or by the
/// submission that the report was read from.
struct RefusedAttachments {
  private let app: RowID<Tables.Apps>
  private let received: Timestamp
  private let install: [UInt8]?

  init(app: RowID<Tables.Apps>, received: Timestamp, install: [UInt8]? = nil) {
    self.app = app
    self.received = received
    self.install = install
  }

  /// Notes a file; at most ``ClientLimits/orphans`` of one report.
  func note(
    _ file: RefusedAttachment, ofClientReport client: String, in database: borrowing Connection
  ) throws {
    try note(file, client: client, digest: [], in: database)
  }

  func note(
    _ file: RefusedAttachment, ofSubmission digest: [UInt8], in database: borrowing Connection
  ) throws {
    try note(file, client: "", digest: digest, in: database)
  }

  private func note(
    _ file: RefusedAttachment, client: String, digest: [UInt8], in database: borrowing Connection
  ) throws {
    let count = try database.requiredInteger(
      "SELECT count(*) FROM refused_attachments WHERE app = ?1 AND client = ?2 AND digest = ?3",
      app, client, digest)
    guard count < ClientLimits.orphans else { return }
    try database.insert(
      into: "refused_attachments",
      [
        "app": app, "client": client, "digest": digest, "name": file.name, "reason": file.reason,
        "received": received.microseconds, "install": install,
      ],
      onConflict: "ON CONFLICT DO NOTHING")
  }

  /// Returns the refused files of the reports of a submission, by name.
  static func of(
    submission digest: [UInt8], app name: String, in database: borrowing Connection
  ) throws -> [RefusedAttachment] {
    guard let app = try AppsTable.find(name, in: database) else { return [] }
    let rows = try database.prepare(
      "SELECT DISTINCT name, reason FROM refused_attachments WHERE \(condition) ORDER BY name, reason",
      [app.row, digest])
    var files: [RefusedAttachment] = []
    while try rows.step() {
      try files.append(RefusedAttachment(name: rows.text("name"), reason: rows.text("reason")))
    }
    return files
  }

  /// Condition for the rows of the reports of submission ?2 of app ?1.
  static let condition = """
    app = ?1 AND (client = '' AND digest = ?2 OR client != '' AND client IN
      (SELECT client FROM client_reports WHERE app = ?1 AND digest = ?2))
    """

  /// Condition for the rows of no stored report.
  static let isLeft = """
    NOT EXISTS (SELECT 1 FROM submissions WHERE app = refused_attachments.app
        AND digest = refused_attachments.digest)
      AND NOT EXISTS (SELECT 1 FROM client_reports JOIN submissions USING (app, digest)
        WHERE client_reports.app = refused_attachments.app
          AND client_reports.client = refused_attachments.client)
    """
}
