internal import Bytes
internal import CrashModel
internal import Crypto
internal import Database
internal import Identifiers
internal import JSON

/// A file whose bytes are stored.
struct StoredFile: Sendable {
  let attachment: Attachment
  let digest: [UInt8]
  /// The time at which its submission was received.
  let received: Timestamp

  init(_ attachment: Attachment, digest: [UInt8], received: Timestamp) {
    self.attachment = attachment
    self.digest = digest
    self.received = received
  }

  /// - Parameter rows: Rows with the columns name, content_type, size, digest and received.
  init(_ rows: borrowing Statement) throws(DatabaseError) {
    let digest = try rows.blob("digest")
    try self.init(
      Attachment(
        name: rows.text("name"), contentType: rows.text("content_type"), size: rows.int("size"),
        digest: SHA256.hex(digest)), digest: digest,
      received: rows.timestamp("received"))
  }
}

/// Clients' records of reports, sessions and events, inside a transaction.
struct ClientRecords {
  private let app: RowID<Tables.Apps>
  private let received: Timestamp
  let install: [UInt8]?

  init(app: RowID<Tables.Apps>, _ batch: ClientBatch) {
    self.app = app
    received = batch.received
    install = batch.install.map(ReportRow.hash(ofInstall:))
  }

  /// The SHA-256 of the submission that a report with this id was stored from.
  func report(_ id: String, in database: borrowing Connection) throws -> [UInt8]? {
    let rows = try database.prepare(
      "SELECT digest FROM client_reports WHERE app = ?1 AND client = ?2", [app, id])
    return try rows.step() ? rows.blob("digest") : nil
  }

  /// Records a report; without an id, its digest is used as one.
  func note(_ report: ClientBatch.Report, in database: borrowing Connection) throws {
    let digest = report.submission.digest
    try database.insert(
      into: "client_reports",
      [
        "app": app, "client": report.id ?? "bytes:" + digest.map { String($0, radix: 16) }.joined(),
        "digest": digest, "kind": report.kind.rawValue, "session": report.session ?? "",
        "install": install, "day": report.time.day, "version": report.version,
        "build": report.build, "received": received.microseconds,
      ],
      onConflict: "ON CONFLICT DO NOTHING")
    // The client may have data that the report lacks.
    try database.run(
      """
      UPDATE reports SET session = CASE WHEN session = '' THEN ?3 ELSE session END,
        person = coalesce(person, ?4), happened = ?5
      WHERE submission IN (SELECT id FROM submissions WHERE app = ?1 AND digest = ?2)
      """, app, digest, report.session ?? "", install, report.time.microseconds)
    // The same applies to reports that are only counted.
    for known in report.submission.reports {
      try database.run(
        """
        UPDATE past_crashes SET session = CASE WHEN session = '' THEN ?3 ELSE session END,
          person = coalesce(person, ?4), time = ?5
        WHERE app = ?1 AND report = ?2
        """, app, known.id, report.session ?? "", install, report.time.microseconds)
    }
  }

  /// - Returns: Whether it was not known before; `nil` when too many are waiting already.
  func keep(
    _ file: StoredFile, for report: String, in database: borrowing Connection
  ) throws -> Bool? {
    let known = try database.integer(
      """
      SELECT 1 FROM orphan_attachments
      WHERE app = ?1 AND client = ?2 AND name = ?3 AND digest = ?4
      """, app, report, file.attachment.name, file.digest)
    guard known == nil else { return false }
    let count = try database.requiredInteger(
      "SELECT count(*) FROM orphan_attachments WHERE app = ?1 AND client = ?2", app, report)
    guard count < ClientLimits.orphans else { return nil }
    try database.insert(
      into: "orphan_attachments",
      [
        "app": app, "client": report, "name": file.attachment.name, "digest": file.digest,
        "content_type": file.attachment.contentType, "size": file.attachment.size,
        "received": received.microseconds, "install": install,
      ])
    return true
  }

  func takeOrphans(
    of report: String, in database: borrowing Connection
  ) throws -> [StoredFile] {
    let rows = try database.prepare(
      """
      SELECT name, content_type, size, digest, received FROM orphan_attachments
      WHERE app = ?1 AND client = ?2 ORDER BY name, digest
      """, [app, report])
    var files: [StoredFile] = []
    while try rows.step() { try files.append(StoredFile(rows)) }
    if !files.isEmpty {
      try database.run(
        "DELETE FROM orphan_attachments WHERE app = ?1 AND client = ?2", app, report)
    }
    return files
  }

  /// - Returns: Whether it was not known before.
  func add(_ session: ClientBatch.Session, in database: borrowing Connection) throws -> Bool {
    try database.insert(
      into: "sessions",
      [
        "app": app, "id": session.id, "day": session.time.day, "version": session.version,
        "build": session.build, "install": install, "received": received.microseconds,
        "started": session.time.microseconds,
      ],
      onConflict: "ON CONFLICT DO NOTHING")
    return database.changes > 0
  }

  /// - Returns: Whether it was not known before.
  func add(_ event: ClientBatch.Event, in database: borrowing Connection) throws -> Bool {
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in event.crumb.properties.sorted(by: { $0.key < $1.key }) {
      writer.member(name, value)
    }
    writer.endObject()
    try database.insert(
      into: "session_events",
      [
        "app": app, "session": event.session, "time": event.crumb.time.microseconds, "id": event.id,
        "name": event.crumb.name, "properties": String(decoding: writer.takeBytes(), as: UTF8.self),
        "received": received.microseconds, "install": install,
      ],
      onConflict: "ON CONFLICT DO NOTHING")
    return database.changes > 0
  }

  /// Keeps only the latest events of a session, by their own time, so that the order of arrival makes
  /// no difference.
  func trimEvents(of session: String, in database: borrowing Connection) throws {
    try database.run(
      """
      DELETE FROM session_events WHERE app = ?1 AND session = ?2 AND (time, id, name) NOT IN (
        SELECT time, id, name FROM session_events WHERE app = ?1 AND session = ?2
        ORDER BY time DESC, id DESC, name DESC LIMIT \(ClientLimits.events))
      """, app, session)
  }

  static func properties(_ text: String) -> [String: String] {
    let members = (try? JSONDocument.parse(ByteView(text.utf8)))?.value.object ?? []
    return Dictionary(
      members.compactMap { member in member.value.string.map { (member.key, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
