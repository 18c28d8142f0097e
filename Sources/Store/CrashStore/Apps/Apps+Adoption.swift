internal import Bytes
internal import CrashModel
internal import Database
internal import Identifiers

/// A submission of an app, as it was stored.
public struct AppSubmission: Sendable {
  /// Row of the submission, in the order of the app's submissions.
  public let row: Int
  public let submission: Submission
  /// Files of any of its reports, each once.
  public let attachments: [PreparedAttachment]
}

/// Moving the data of an app into another app that has reports of its own.
extension CrashStore.Apps {
  /// Bytes of submissions and their files after which a batch ends.
  private static let movedBytes = 64 << 20

  /// Returns the app that has a secret, and whether it may be merged into another app: only one that was
  /// created for the secret and never named may be.
  ///
  /// - Parameter start: The secret, or an unambiguous prefix of it.
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/ambiguous(prefix:matches:)``;
  ///   `DatabaseError`.
  public func app(ofSecretStarting start: String) throws -> (name: String, isUnnamed: Bool) {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT apps.name, secret, (key_name IS NULL AND apps.name >= 'unknown-' AND apps.name < 'unknown.'
          AND (SELECT count(*) FROM app_secrets WHERE app = apps.id) = 1) AS is_unnamed
        FROM app_secrets JOIN apps ON apps.id = app
        WHERE substr(secret, 1, length(?1)) = ?1 ORDER BY secret LIMIT 10
        """, [start])
      var found: [(app: String, secret: String, isUnnamed: Bool)] = []
      while try rows.step() {
        try found.append((rows.text("name"), rows.text("secret"), rows.bool("is_unnamed")))
      }
      guard let only = found.first, !start.isEmpty else { throw StoreError.notFound(start) }
      guard found.count == 1 else {
        throw StoreError.ambiguous(prefix: start, matches: found.map { $0.secret.prefix(8) + "…" })
      }
      return (only.app, only.isUnnamed)
    }
  }

  /// Returns the submissions of an app in the order in which they arrived.
  ///
  /// - Parameters:
  ///   - last: The ``AppSubmission/row`` after which to begin.
  ///   - limit: Maximum number of submissions; fewer, but at least one, where their files are large.
  /// - Throws: ``StoreError``, `FileError`, `DatabaseError`.
  public func submissions(
    of app: String, after last: Int, limit: Int
  ) throws -> [AppSubmission] {
    struct Row: Sendable {
      let row: Int
      let digest: [UInt8]
      let source: String
      let received: Timestamp
      let isAppGiven: Bool
      let problem: String?
      let files: [StoredFile]
    }
    let rows = try store.read { database -> [Row] in
      guard let app = try AppsTable.find(app, in: database)?.row else { return [] }
      let rows = try database.prepare(
        """
        SELECT id, digest, source, received, app_given, problem, bytes FROM submissions
        WHERE app = ?1 AND id > ?2 ORDER BY id LIMIT ?3
        """, [app, last, limit])
      var found: [Row] = []
      var bytes = 0
      while try rows.step(), bytes < Self.movedBytes {
        var seen: Set<String> = []
        let files = try CrashStore.Reports.reports(of: rows.blob("digest"), app: app, in: database)
          .flatMap {
            report in
            try CrashStore.Attachments.attachments(of: report.report, in: database)
          }.filter { seen.insert($0.attachment.name).inserted }
        bytes = try files.reduce(bytes.addingClamped(rows.count("bytes"))) {
          $0.addingClamped($1.attachment.size)
        }
        try found.append(
          Row(
            row: rows.int("id"), digest: rows.blob("digest"), source: rows.text("source"),
            received: rows.timestamp("received"),
            isAppGiven: rows.bool("app_given"), problem: rows.optionalText("problem"),
            files: files))
      }
      return found
    }
    return try rows.map { row in
      AppSubmission(
        row: row.row,
        submission: Submission(
          bytes: try store.contents.read(row.digest), source: row.source,
          received: row.received, app: app, isAppGiven: row.isAppGiven,
          problem: row.problem),
        attachments: try row.files.map { file in
          try PreparedAttachment(
            file.attachment.name, store.contents.read(file.digest),
            contentType: file.attachment.contentType, received: file.received)
        })
    }
  }

  /// Completes the move of an app into another: moves sessions, events, waiting files, the clients' ids of
  /// reports, notes and decisions about groups, and the secret, then deletes the old app.
  ///
  /// - Parameter last: The ``AppSubmission/row`` of the last submission that was stored for the new app.
  /// - Returns: `false` when more submissions have arrived meanwhile; nothing was changed then.
  /// - Throws: ``StoreError/notFound(_:)``, `DatabaseError`.
  public func finishMove(of old: String, into new: String, through last: Int) throws -> Bool {
    try store.act(.global) { database, now in
      guard let from = try AppsTable.find(old, in: database),
        let to = try AppsTable.find(new, in: database), from.row != to.row
      else { throw try AppsTable.unknown(old, in: database) }
      let more = try database.integer(
        "SELECT 1 FROM submissions WHERE app = ?1 AND id > ?2 LIMIT 1", from.row, last)
      guard more == nil else { return false }
      try Self.moveDecisions(from: from.row, to: to.row, now: now, in: database)
      for (table, columns) in [
        ("client_reports", "client, digest, kind, session, install, day, version, build, received"),
        (
          "orphan_attachments",
          "client, name, digest, content_type, size, received, install"
        ),
        ("refused_attachments", "client, digest, name, reason, received, install"),
        ("sessions", "id, day, version, build, install, received, started, duration, status"),
        ("session_counts", "id, day, version, build, sessions, crashed, received"),
        ("past_crashes", "report, kind, time, version, build, person, session, received"),
        ("session_events", "session, time, id, name, properties, received, install"),
      ] {
        try database.run(
          """
          INSERT INTO \(table) (app, \(columns)) SELECT ?2, \(columns) FROM \(table) WHERE app = ?1
          ON CONFLICT DO NOTHING
          """, from.row, to.row)
      }
      try database.run("UPDATE app_secrets SET app = ?2 WHERE app = ?1", from.row, to.row)
      try Self.moveLedger(from: from.name, to: to.name, in: database)
      try Self.clear(from.row, from.name, in: database)
      return true
    }
  }

  /// Moves the counts of duplicate and refused submissions; stored ones already count for the new app.
  private static func moveLedger(
    from old: String, to new: String, in database: borrowing Connection
  ) throws {
    // A file that was refused for both apps counts once.
    let lines = """
      SELECT day, what, reason, count, bytes FROM ledger WHERE app = ?1 AND what = 'duplicate'
      UNION ALL SELECT time / 86400000000, 'refused', reason, 1, bytes FROM refused AS one
      WHERE app = ?1 AND NOT EXISTS (SELECT 1 FROM refused AS other WHERE other.app = ?2
        AND other.source = one.source AND other.reason = one.reason AND other.digest = one.digest)
      """
    for (what, reason) in [("what", "reason"), ("'received'", "''")] {
      try database.run(
        """
        INSERT INTO ledger (app, day, what, reason, count, bytes)
        SELECT ?2, day, \(what), \(reason), sum(count), sum(bytes)
        FROM (\(lines)) AS lines GROUP BY 2, 3, 4
        ON CONFLICT (app, day, what, reason) DO UPDATE SET count = ledger.count + excluded.count, bytes = ledger.bytes + excluded.bytes
        """, old, new)
    }
    try database.run(
      """
      UPDATE refused SET app = ?2 WHERE app = ?1 AND NOT EXISTS (
        SELECT 1 FROM refused AS other WHERE other.app = ?2 AND other.source = refused.source
          AND other.reason = refused.reason AND other.digest = refused.digest)
      """, old, new)
  }

  /// Adds notes to the group that now has the reports; also moves decisions where that group has no other
  /// reports and has not been split or merged since.
  private static func moveDecisions(
    from old: RowID<Tables.Apps>, to new: RowID<Tables.Apps>, now: Timestamp,
    in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      """
      SELECT there.grp, min(here.grp) AS first_grp, min(here.origin) AS first_origin FROM reports AS there
      JOIN submissions AS one ON one.id = there.submission
      JOIN submissions AS other ON other.app = ?2 AND other.digest = one.digest
      JOIN reports AS here ON here.submission = other.id AND here.position = there.position
      WHERE there.app = ?1 GROUP BY there.grp
      """, [old, new])
    var pairs:
      [(old: RowID<Tables.Groups>, new: RowID<Tables.Groups>, origin: RowID<Tables.Origins>)] = []
    while try rows.step() {
      try pairs.append((rows.id("grp"), rows.id("first_grp"), rows.id("first_origin")))
    }
    let table = GroupsTable(app: new, author: "mayday", now: now)
    for pair in pairs {
      let group = try ImportedGroup(pair.old, in: database)
      let others = try database.integer(
        """
        SELECT 1 FROM reports JOIN submissions ON submissions.id = reports.submission
        WHERE grp = ?1 AND NOT EXISTS (
          SELECT 1 FROM submissions AS one WHERE one.app = ?2 AND one.digest = submissions.digest)
        LIMIT 1
        """, pair.new, old)
      // Actions of users on it here refer to lines of its history.
      let acts = try database.integer(
        """
        SELECT 1 FROM group_history AS line WHERE line.grp = ?1 AND (
          EXISTS (SELECT 1 FROM origins WHERE origins.split = line.id)
          OR EXISTS (SELECT 1 FROM group_history AS other
            WHERE other.undone = line.id AND other.grp != ?1))
        LIMIT 1
        """, pair.new)
      if others == nil, acts == nil {
        try group.adopt(
          into: pair.new, origin: pair.origin, isKeyed: false, table, in: database)
      } else {
        try group.addNotes(to: pair.new, of: new, in: database)
      }
    }
  }
}
