internal import Bytes
internal import Database
internal import Identifiers
internal import JSON

/// Outcomes of submissions that are reported to their senders.
extension IntakeQueue {
  /// The name of the fact with the id for querying a submission.
  public static let submissionFact = "submission"
  private static let appFact = "app"

  /// A new id that cannot be guessed.
  public static func makeSubmissionID() -> String { RandomBytes.hex(16) }

  /// Time for which verdicts are stored, in microseconds, and their maximum number.
  static let verdictTime = 7 * 86_400_000_000
  static let verdicts = 250_000

  /// The status of a submission; `nil` for an id that was never issued, or so long ago that it was deleted.
  ///
  /// - Throws: `DatabaseError`, `FileError`.
  public func status(ofSubmission id: String) throws -> SubmissionStatus? {
    while true {
      if let found = try store.read({ try Self.status(of: id, in: $0) }) { return found }
      // It may be in a log that no row has yet.
      guard try store.write({ try collect(atMost: Self.collected, in: $0) }) > 0 else { break }
    }
    return try store.read { try Self.status(of: id, in: $0) }
  }

  private static func status(
    of id: String, in database: borrowing Connection
  ) throws -> SubmissionStatus? {
    let waiting = try database.prepare(
      "SELECT received, facts, state, problem FROM intake WHERE submission = ?1", [id])
    if try waiting.step() {
      return try SubmissionStatus(
        id: id, app: facts(waiting.text("facts"))[appFact],
        received: waiting.timestamp("received"),
        outcome: waiting.int("state") == IntakeState.quarantined.rawValue
          ? .quarantined(waiting.text("problem")) : .waiting)
    }
    let rows = try database.prepare(
      "SELECT received, app, is_new, verdict, problem FROM verdicts WHERE submission = ?1", [id])
    guard try rows.step() else { return nil }
    let outcome: SubmissionStatus.State
    if let problem = try rows.optionalText("problem") {
      outcome = .discarded(problem)
    } else {
      outcome = try .stored(
        try SubmissionVerdict(document: ByteView(rows.text("verdict").utf8)),
        isNew: rows.bool("is_new"))
    }
    return try SubmissionStatus(
      id: id, app: rows.optionalText("app"),
      received: rows.timestamp("received"),
      outcome: outcome)
  }

  /// Records the outcome of a submission that is about to leave the queue, if it can be queried.
  static func remember(
    _ id: Int, _ verdict: SubmissionVerdict, isNew: Bool, in database: borrowing Connection
  ) throws {
    try remember(
      id, isNew: isNew, verdict: String(decoding: verdict.document(), as: UTF8.self),
      isDiscarded: false, in: database)
  }

  /// Records that a quarantined submission was deleted.
  static func rememberDiscarded(_ id: Int, in database: borrowing Connection) throws {
    try remember(id, isNew: false, verdict: "", isDiscarded: true, in: database)
  }

  private static func remember(
    _ id: Int, isNew: Bool, verdict: String, isDiscarded: Bool, in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      """
      SELECT submission, received, facts, problem FROM intake
      WHERE id = ?1 AND submission IS NOT NULL
      """, [id])
    guard try rows.step() else { return }
    try database.run(
      """
      INSERT INTO verdicts (submission, received, finished, app, is_new, verdict, problem)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING
      """, rows.text(0), rows.int(1), IntakeLog.now.microseconds, facts(rows.text(2))[appFact],
      isNew, verdict,
      isDiscarded ? rows.text(3) : nil)
  }

  /// Deletes the oldest verdicts.
  static func forgetVerdicts(in database: borrowing Connection) throws {
    try database.run(
      """
      DELETE FROM verdicts
      WHERE id <= (SELECT max(id) FROM verdicts) - ?1 OR finished < ?2
      """, verdicts, IntakeLog.now.microseconds - verdictTime)
  }
}

/// The verdict as stored in the database.
extension SubmissionVerdict {
  fileprivate func document() -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("stored")
    writer.beginArray()
    for part in stored {
      writer.beginObject()
      writer.member("app", part.app)
      writer.member("digest", part.digest)
      writer.endObject()
    }
    writer.endArray()
    if !counted.isEmpty {
      writer.key("counted")
      writer.beginArray()
      for part in counted {
        writer.beginObject()
        writer.member("app", part.app)
        writer.member("group", part.group)
        writer.member("reports", part.reports)
        writer.endObject()
      }
      writer.endArray()
    }
    writer.key("refused")
    writer.beginArray()
    for part in refused {
      writer.beginObject()
      writer.member("file", part.file)
      writer.member("reason", part.reason)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.takeBytes()
  }

  /// - Throws: `ParseError`.
  fileprivate init(document: ByteView) throws {
    let value = try JSONDocument.parse(document).value
    self.init(
      stored: (value["stored"]?.array ?? []).map {
        Stored(app: $0["app"]?.string ?? "", digest: $0["digest"]?.string ?? "")
      },
      counted: (value["counted"]?.array ?? []).map {
        Counted(
          app: $0["app"]?.string ?? "", group: $0["group"]?.string ?? "",
          reports: $0["reports"]?.integer ?? 0)
      },
      refused: (value["refused"]?.array ?? []).map {
        Refused(file: $0["file"]?.string ?? "", reason: $0["reason"]?.string ?? "")
      })
  }
}
