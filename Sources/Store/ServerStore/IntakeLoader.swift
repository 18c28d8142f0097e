public import Bytes
internal import Database
internal import Files
internal import Identifiers

/// Puts the submissions of a backup into the empty queue of a home: a server that is started on it stores
/// them.
public final class IntakeLoader {
  private let store: ServerStore
  private var waiting: [Row] = []
  private var bytes = 0
  private var last = 0

  private struct Row {
    let submission: ArchivedSubmission
    let size: Int
    let body: SQLValue
    /// The file with the body, if it is large.
    let file: String?
  }

  /// Bytes or submissions beyond which rows are written.
  private static let batch = (bytes: 16 << 20, count: 1_000)

  /// - Parameter home: The home folder.
  /// - Throws: `FileError`, `DatabaseError`.
  public init(into home: String) throws { store = try ServerStore(opening: home) }

  /// Adds a submission, which must follow those before it in the order of arrival.
  ///
  /// - Returns: Whether it did.
  /// - Throws: `FileError`, `DatabaseError`, such as on a full disk.
  public func add(_ submission: ArchivedSubmission, body: ByteView) throws -> Bool {
    guard submission.id > last else { return false }
    last = submission.id
    let isLarge = body.count > IntakeLimits().bodyInLog
    waiting.append(
      Row(
        submission: submission, size: body.count, body: isLarge ? .null : .blob(body.array),
        file: isLarge ? try store.bodies.write(body).name : nil))
    bytes += isLarge ? 0 : body.count
    if bytes >= Self.batch.bytes || waiting.count >= Self.batch.count { try flush() }
    return true
  }

  /// Writes the added submissions.
  ///
  /// - Throws: `DatabaseError`.
  public func finish() throws { try flush() }

  private func flush() throws {
    guard !waiting.isEmpty else { return }
    let rows = waiting
    try store.write { database in
      var change = IntakeStateChange()
      for row in rows {
        let state: IntakeState = row.submission.problem == nil ? .waiting : .quarantined
        change.add(bytes: row.size, to: state)
        try database.insert(
          into: "intake",
          [
            "id": row.submission.id, "received": row.submission.received,
            "route": row.submission.route, "facts": row.submission.factsText, "size": row.size,
            "body": row.body, "file": row.file.map(SQLValue.text) ?? .null,
            "state": state, "attempts": row.submission.attempts,
            "problem": row.submission.problem, "counted": row.submission.isCounted,
            "intake_id": row.submission.identity.bytes,
          ])
      }
      try change.write(to: database)
      try IntakeQueue.count(rows.count, as: .accepted, in: database)
    }
    waiting.removeAll(keepingCapacity: true)
    bytes = 0
  }
}
