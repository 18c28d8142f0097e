internal import Database
internal import Identifiers
internal import Updates

/// The tables of mails to testers, inside a transaction.
enum TesterMailsTable {
  /// Seconds for which a mail about a release waits for further releases.
  static let digestDelay = 60
  /// The number of mails of an app that the log keeps.
  static let longestLog = 1_000

  /// Adds a mail with the link of an invitation.
  static func add(
    invitation nonce: String, to tester: (id: String, email: String), of app: RowID<Tables.Apps>,
    by author: String, now: Timestamp, in database: borrowing Connection
  ) throws {
    _ = try add(
      .invitation, to: tester, of: app, by: author, nonce: nonce, due: now.microseconds, now: now,
      in: database)
  }

  /// Tells the testers whom a file is published to of it, those who accepted an invitation and want mail; each
  /// once for each file. A mail that waits for its first attempt takes further releases.
  ///
  /// - Returns: The number of testers who get a mail.
  static func tell(
    of artefact: Int, to destinations: [Artefact.Destination], app: RowID<Tables.Apps>,
    by author: String, now: Timestamp, in database: borrowing Connection
  ) throws -> Int {
    let ids = Set(destinations.map(\.id))
    var count = 0
    for tester in try DistributionTables.testers(of: app, in: database)
    where tester.hasAccepted && !tester.isUnsubscribed
      && (ids.contains(tester.id) || !ids.isDisjoint(with: tester.groups))
    {
      let waiting = try database.text(
        """
        SELECT name FROM tester_mails
        WHERE app = ?1 AND tester = ?2 AND kind = 'release' AND attempts = 0 AND due IS NOT NULL
        ORDER BY number DESC LIMIT 1
        """, app, tester.id)
      let name = waiting ?? DistributionTables.makeID()
      try database.insert(
        into: "tester_notices",
        ["app": app, "artefact": artefact, "tester": tester.id, "mail": name],
        onConflict: "ON CONFLICT DO NOTHING")
      guard database.changes > 0 else { continue }
      count += 1
      guard waiting == nil else { continue }
      try add(
        .release, to: (tester.id, tester.email), of: app, by: author, name: name,
        due: now.microseconds + digestDelay * 1_000_000, now: now, in: database)
    }
    return count
  }

  private static func add(
    _ kind: TesterMail.Kind, to tester: (id: String, email: String), of app: RowID<Tables.Apps>,
    by author: String, name: String = DistributionTables.makeID(), nonce: String? = nil, due: Int,
    now: Timestamp, in database: borrowing Connection
  ) throws {
    let number =
      try database.requiredInteger(
        "SELECT coalesce(max(number), 0) FROM tester_mails WHERE app = ?1", app) + 1
    try database.insert(
      into: "tester_mails",
      [
        "app": app, "number": number, "name": name, "tester": tester.id, "email": tester.email,
        "kind": kind.rawValue, "author": author, "nonce": nonce, "created": now.microseconds,
        "due": due,
      ])
    try database.run(
      "DELETE FROM tester_mails WHERE app = ?1 AND number <= ?2 AND due IS NULL", app,
      number - longestLog)
  }

  /// Deletes what is remembered of a tester besides the groups: mails, and when the tester was seen.
  static func remove(
    tester: String, of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    for table in ["tester_mails", "tester_notices", "tester_refusals", "tester_sightings"] {
      try database.run("DELETE FROM \(table) WHERE app = ?1 AND tester = ?2", app, tester)
    }
  }

  /// - Parameter condition: Which mails, with `tester_mails` and `apps` joined, in which order.
  static func list(
    _ condition: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws -> [TesterMail] {
    var mails: [(app: RowID<Tables.Apps>, mail: TesterMail)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT tester_mails.app AS app, number, tester_mails.name AS name, apps.name AS app_name, tester,
          email, kind, author, nonce, tester_mails.created AS created, due, finished, outcome, attempts,
          answer
        FROM tester_mails JOIN apps ON apps.id = tester_mails.app
        """ + " " + condition, values)
      while try rows.step() { try mails.append((rows.id("app"), mail(rows))) }
    }
    for index in mails.indices where mails[index].mail.kind == .release {
      let rows = try database.prepare(
        """
        SELECT tester_notices.artefact AS artefact, version, build
        FROM tester_notices JOIN artefacts
          ON artefacts.app = tester_notices.app AND artefacts.number = tester_notices.artefact
        WHERE tester_notices.app = ?1 AND mail = ?2 ORDER BY artefact DESC
        """, [mails[index].app, mails[index].mail.name])
      while try rows.step() {
        try mails[index].mail.artefacts.append(rows.int("artefact"))
        let release = try Release(version: rows.text("version"), build: rows.text("build"))
        if !mails[index].mail.releases.contains(release) {
          mails[index].mail.releases.append(release)
        }
      }
    }
    return mails.map(\.mail)
  }

  private static func mail(_ rows: borrowing Statement) throws -> TesterMail {
    let (word, outcome) = (try rows.text("kind"), try rows.optionalText("outcome"))
    guard let kind = TesterMail.Kind(rawValue: word) else {
      throw StoreError.damaged("a mail to a tester is of the kind '\(word)'")
    }
    let due = try rows.optionalTimestamp("due")
    let state = due != nil ? TesterMail.State.waiting : outcome.flatMap { .init(rawValue: $0) }
    guard let state else {
      throw StoreError.damaged("a mail to a tester ended as '\(outcome ?? "")'")
    }
    var mail = try TesterMail(
      number: rows.int("number"), name: rows.text("name"), app: rows.text("app_name"),
      tester: rows.text("tester"), email: rows.text("email"), kind: kind,
      author: rows.text("author"), created: rows.timestamp("created"), state: state, due: due,
      finished: rows.optionalTimestamp("finished"), attempts: rows.int("attempts"),
      answer: rows.optionalText("answer"))
    mail.nonce = try rows.optionalText("nonce")
    return mail
  }
}
