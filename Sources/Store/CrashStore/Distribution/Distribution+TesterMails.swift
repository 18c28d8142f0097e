internal import Bytes
internal import Crypto
internal import Database
public import Identifiers
internal import Updates

/// Mails to testers. Each step is one transaction: after a crash the next process goes on with the next step,
/// and two servers with one home never do a step twice.
extension CrashStore.Distribution {
  /// The number of mails of an app that the log keeps.
  public static let mailLogLimit = TesterMailsTable.longestLog
  /// Maximum number of seconds until a mail is tried again. A longer wait dates from before the clock was
  /// corrected.
  public static let longestMailWait: Int64 = 3_600

  /// Returns the mails to the testers of an app, newest first.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func mails(of app: String) throws -> [TesterMail] {
    try store.read { database in
      let row = try AppsTable.known(app, in: database).row
      return try TesterMailsTable.list(
        "WHERE tester_mails.app = ?1 ORDER BY number DESC LIMIT ?2",
        [row, TesterMailsTable.longestLog], in: database)
    }
  }

  // MARK: Sending

  /// Returns the mails that are due, those without an attempt first.
  ///
  /// - Throws: `DatabaseError`.
  public func dueMails(now: Timestamp, limit: Int) throws -> [TesterMail] {
    // A digest waits for a minute at first.
    let latest = now.microseconds + (Int(Self.longestMailWait) + 600) * 1_000_000
    return try store.read { database in
      try TesterMailsTable.list(
        """
        WHERE due IS NOT NULL AND (due <= ?1 OR due > ?2)
        ORDER BY attempts, due, tester_mails.app, number LIMIT ?3
        """, [now.microseconds, latest, limit], in: database)
    }
  }

  /// Claims a mail for an attempt. If the process ends before the attempt, the mail is tried again.
  ///
  /// - Parameter next: The time of the next attempt: later than this one can end, so that none begins twice.
  /// - Returns: The mail with the releases that it had when it was claimed; `nil` if another process claimed
  ///   it first.
  /// - Throws: `DatabaseError`.
  public func begin(_ mail: TesterMail, next: Timestamp) throws -> TesterMail? {
    try store.write(app: mail.app) { database in
      try database.run(
        """
        UPDATE tester_mails SET attempts = attempts + 1, due = ?3
        WHERE name = ?1 AND attempts = ?2 AND due IS NOT NULL
        """, mail.name, mail.attempts, next.microseconds)
      guard database.changes > 0 else { return nil }
      return try TesterMailsTable.list(
        "WHERE tester_mails.name = ?1", [mail.name], in: database
      ).first
    }
  }

  /// Records the result of an attempt.
  ///
  /// - Parameters:
  ///   - state: ``TesterMail/State/waiting`` for another attempt at `next`.
  ///   - answer: The mail server's response, or the reason.
  /// - Throws: `DatabaseError`.
  public func end(
    _ mail: TesterMail, _ state: TesterMail.State, answer: String, next: Timestamp? = nil,
    now: Timestamp
  ) throws {
    let due = state == .waiting ? next ?? now : nil
    try store.write(app: mail.app) { database in
      try database.run(
        """
        UPDATE tester_mails SET due = ?2, finished = ?3, outcome = ?4, answer = ?5
        WHERE name = ?1 AND due IS NOT NULL
        """, mail.name, due?.microseconds, due == nil ? now.microseconds : nil,
        due == nil ? state.rawValue : nil, answer)
      // Without its nonce, the code of the invitation is lost.
      try database.run(
        "UPDATE tester_mails SET nonce = NULL WHERE name = ?1 AND due IS NULL", mail.name)
    }
  }

  /// Returns the code of the invitation that a waiting mail brings; `nil` if it was used or revoked, or has
  /// expired.
  ///
  /// - Throws: `DatabaseError`.
  public func invitationCode(of mail: TesterMail) throws -> String? {
    guard let nonce = mail.nonce else { return nil }
    let code = try invitationCode(nonce: nonce)
    return try holder(of: code, .invitation) == nil ? nil : code
  }

  /// An invitation that is mailed is made of a random number, so that the mail can be made again after a
  /// restart though only the hash of the code is stored.
  func invitationCode(nonce: String) throws -> String {
    try signature(of: "invitation\n" + nonce)
  }

  private func signature(of text: String) throws -> String {
    let key = try store.downloadKey()
    return HMAC.sha256(of: ByteView(text.utf8), key: Array(key.utf8)).hexadecimalDigits
  }

  // MARK: Refusing mail

  /// Returns the signed code with which a tester refuses further mails.
  ///
  /// - Parameter tester: The tester's id.
  /// - Throws: `DatabaseError`.
  public func refusalCode(ofTester tester: String) throws -> String {
    tester + "." + (try signature(of: "refuse mail\n" + tester))
  }

  /// Returns the tester whom a code of ``refusalCode(ofTester:)`` was made for, and whether the tester refuses
  /// mail; `nil` for any other code, and where the tester was removed.
  ///
  /// - Throws: `DatabaseError`.
  public func refusal(ofCode code: String) throws -> (holder: Holder, isRefusing: Bool)? {
    let parts = code.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return nil }
    let right = try signature(of: "refuse mail\n" + parts[0])
    guard HMAC.isEqual(Array(right.utf8), Array(parts[1].utf8)) else { return nil }
    return try store.read { database in
      let rows = try database.prepare(
        """
        SELECT apps.name AS app, testers.id AS tester, email, tester_refusals.time AS refused
        FROM testers JOIN apps ON apps.id = testers.app
          LEFT JOIN tester_refusals
            ON tester_refusals.app = testers.app AND tester_refusals.tester = testers.id
        WHERE testers.id = ?1
        """, [parts[0]])
      guard try rows.step() else { return nil }
      return try (
        Holder(app: rows.text("app"), tester: rows.text("tester"), email: rows.text("email")),
        rows.optionalTimestamp("refused") != nil
      )
    }
  }

  /// Refuses mails to a tester, or allows them again.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func refuseMail(_ isRefusing: Bool, of holder: Holder) throws {
    try change(holder.app, by: holder.email) { database, row, now, note in
      let tester = try DistributionTables.tester(holder.tester, of: row, holder.app, in: database)
      if isRefusing {
        try database.insert(
          into: "tester_refusals",
          ["app": row, "tester": tester.id, "time": now.microseconds],
          onConflict: "ON CONFLICT DO NOTHING")
      } else {
        try database.run(
          "DELETE FROM tester_refusals WHERE app = ?1 AND tester = ?2", row, tester.id)
      }
      guard database.changes > 0 else { return }
      try note(isRefusing ? .unsubscribed : .subscribed, tester.email)
    }
  }
}
