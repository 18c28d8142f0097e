internal import CrashModel
internal import Bytes
internal import Database
internal import Hashing
public import Updates

/// People who try releases, and what they prove themselves with.
extension CrashStore.Distribution {
  /// What a tester may prove with a secret. Of each only the SHA-256 is stored.
  public enum SecretKind: String, CaseIterable, Sendable {
    /// Once, that an email address is the tester's.
    case invitation
    /// To the pages of the app's testers, in a browser.
    case session
    /// To the checks for updates of an installed app.
    case update
  }

  /// How long an invitation is good for, in seconds.
  public static let invitationLifetime: Int64 = 14 * 86_400

  /// The testers of an app, by email address.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func testers(of app: String) throws -> [Tester] {
    try store.read { database in
      let row = try AppsTable.known(app, in: database).row
      return try DistributionTables.testers(of: row, in: database)
    }
  }

  /// - Parameter name: An email address or an id.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError/noSuchTester(_:app:)``; `DatabaseError`.
  public func tester(_ name: String, of app: String) throws -> Tester {
    let wanted = name.lowercased()
    guard
      let tester = try testers(of: app).first(where: { $0.email == wanted || $0.id == wanted })
    else { throw DistributionError.noSuchTester(name, app: app) }
    return tester
  }

  /// Invites somebody to a group. Who has been invited before is in one group more, and gets one more
  /// invitation, for another device or browser.
  ///
  /// - Returns: The tester, and the secret of the invitation, which is nowhere else.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func invite(
    _ email: String, to groupName: String, of app: String, by author: String
  ) throws -> (tester: Tester, invitation: String) {
    let address = try Self.checked(email: email)
    let secret = Self.makeSecret()
    return try change(app, by: author) { database, row, now, note in
      try DistributionTables.ensureCollaborators(of: row, now: now.microseconds, in: database)
      let group = try DistributionTables.group(groupName, of: row, app, in: database)
      try database.insert(
        into: "testers",
        [
          "app": row, "id": DistributionTables.makeID(), "email": address,
          "invited": now.microseconds,
        ], onConflict: "ON CONFLICT DO NOTHING")
      let id = try DistributionTables.tester(address, of: row, app, in: database).id
      try database.insert(
        into: "distribution_members",
        ["app": row, "distribution_group": group.id, "tester": id],
        onConflict: "ON CONFLICT DO NOTHING")
      try note(.invited, "\(address) to \(group.name)")
      guard
        let tester = try DistributionTables.testers(of: row, in: database).first(where: {
          $0.id == id
        })
      else { throw DistributionError.noSuchTester(address, app: app) }
      try Self.keep(
        secret, .invitation, of: id, app: row, now: now, lifetime: Self.invitationLifetime,
        in: database)
      return (tester, secret)
    }
  }

  /// Accepts an invitation, which is used up by it. Mail programs that open links before people do only see the
  /// page with the button; another device or browser needs another invitation.
  ///
  /// - Returns: The app's name and the tester.
  /// - Throws: ``DistributionError/noInvitation``; `DatabaseError`.
  public func acceptInvitation(_ secret: String) throws -> (app: String, tester: Tester) {
    guard let holder = try holder(of: secret, .invitation) else {
      throw DistributionError.noInvitation
    }
    let tester = try change(holder.app, by: holder.email) { database, row, now, note -> Tester? in
      // Of two that come at once, one is first.
      try database.run(
        "DELETE FROM tester_secrets WHERE hash = ?1 AND kind = ?2", Self.hash(secret),
        SecretKind.invitation.rawValue)
      guard database.changes > 0 else { return nil }
      try database.run(
        "UPDATE testers SET accepted = ?3 WHERE app = ?1 AND id = ?2 AND accepted IS NULL", row,
        holder.tester, now.microseconds)
      if database.changes > 0 { try note(.accepted, holder.email) }
      return try DistributionTables.testers(of: row, in: database).first { $0.id == holder.tester }
    }
    guard let tester else { throw DistributionError.noInvitation }
    return (holder.app, tester)
  }

  /// Takes testers out of a group.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func removeTester(
    _ name: String, from groupName: String, of app: String, by author: String
  ) throws {
    try change(app, by: author) { database, row, _, note in
      let group = try DistributionTables.group(groupName, of: row, app, in: database)
      let tester = try DistributionTables.tester(name, of: row, app, in: database)
      try database.run(
        """
        DELETE FROM distribution_members WHERE app = ?1 AND distribution_group = ?2 AND tester = ?3
        """, row, group.id, tester.id)
      guard database.changes > 0 else {
        throw DistributionError.noSuchTester("\(tester.email) in \(group.name)", app: app)
      }
      try note(.testerRemoved, "\(tester.email) from \(group.name)")
    }
  }

  /// Takes a tester away, with all that the tester proved.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func removeTester(_ name: String, of app: String, by author: String) throws {
    try change(app, by: author) { database, row, _, note in
      let tester = try DistributionTables.tester(name, of: row, app, in: database)
      for table in ["distribution_members", "tester_secrets"] {
        try database.run("DELETE FROM \(table) WHERE app = ?1 AND tester = ?2", row, tester.id)
      }
      try database.run(
        "DELETE FROM artefact_destinations WHERE app = ?1 AND kind = 'tester' AND id = ?2", row,
        tester.id)
      try database.run("DELETE FROM testers WHERE app = ?1 AND id = ?2", row, tester.id)
      try note(.testerRemoved, tester.email)
    }
  }

  /// Ends everything that a tester was given: invitations, sessions, update tokens, addresses of files. The
  /// tester stays in the groups, and gets nothing before accepting a new invitation.
  ///
  /// - Returns: How many invitations, sessions and tokens there were.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  @discardableResult
  public func revokeSecrets(ofTester name: String, of app: String, by author: String) throws -> Int
  {
    try change(app, by: author) { database, row, _, note in
      let tester = try DistributionTables.tester(name, of: row, app, in: database)
      try database.run(
        "DELETE FROM tester_secrets WHERE app = ?1 AND tester = ?2", row, tester.id)
      let count = database.changes
      try database.run(
        "UPDATE testers SET accepted = NULL WHERE app = ?1 AND id = ?2", row, tester.id)
      try note(.revoked, tester.email)
      return count
    }
  }

  // MARK: Secrets

  /// Whose a secret is.
  public struct Holder: Hashable, Sendable {
    public var app: String
    /// The tester's id.
    public var tester: String
    public var email: String
  }

  /// Who holds a secret of a kind; `nil` where it is unknown, was revoked, or is past its time.
  ///
  /// - Throws: `DatabaseError`.
  public func holder(of secret: String, _ kind: SecretKind) throws -> Holder? {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT apps.name AS app, testers.id AS tester, testers.email AS email
        FROM tester_secrets JOIN apps ON apps.id = tester_secrets.app
          JOIN testers ON testers.app = tester_secrets.app AND testers.id = tester_secrets.tester
        WHERE hash = ?1 AND kind = ?2 AND (expires IS NULL OR expires > ?3)
        """, [Self.hash(secret), kind.rawValue, CrashStore.now.microseconds])
      guard try rows.step() else { return nil }
      return try Holder(
        app: rows.text("app"), tester: rows.text("tester"), email: rows.text("email"))
    }
  }

  /// Gives a tester a secret.
  ///
  /// - Parameter lifetime: In seconds; `nil` for good.
  /// - Returns: The secret, which is nowhere else.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func makeSecret(
    _ kind: SecretKind, forTester name: String, of app: String, lifetime: Int64?
  ) throws -> String {
    let secret = Self.makeSecret()
    try store.act(.apps([app])) { database, now in
      let row = try AppsTable.known(app, in: database).row
      let tester = try DistributionTables.tester(name, of: row, app, in: database)
      try Self.keep(
        secret, kind, of: tester.id, app: row, now: now, lifetime: lifetime, in: database)
      if kind == .update { try DistributionHistory.raiseGeneration(in: database) }
    }
    return secret
  }

  /// Ends one session of a tester in a browser.
  ///
  /// - Throws: `DatabaseError`.
  public func endSession(_ secret: String) throws {
    guard let holder = try holder(of: secret, .session) else { return }
    try store.act(.apps([holder.app])) { database, _ in
      try database.run(
        "DELETE FROM tester_secrets WHERE hash = ?1 AND kind = ?2", Self.hash(secret),
        SecretKind.session.rawValue)
    }
  }

  /// The most secrets of a kind that a tester has: more devices and browsers than anybody tests on. A new one
  /// ends the oldest.
  static let secretLimit = 50

  /// 256 bits that nobody can guess, in hexadecimal.
  private static func makeSecret() -> String {
    var source = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) }.hexadecimalDigits
  }

  static func hash(_ secret: String) -> String { SHA256.hex(of: ByteView(secret.utf8)) }

  private static func keep(
    _ secret: String, _ kind: SecretKind, of tester: String, app: RowID<Tables.Apps>,
    now: Timestamp, lifetime: Int64?, in database: borrowing Connection
  ) throws {
    // Those that are past their time are of no use to anybody.
    try database.run(
      "DELETE FROM tester_secrets WHERE app = ?1 AND tester = ?2 AND expires <= ?3", app, tester,
      now.microseconds)
    try database.run(
      """
      DELETE FROM tester_secrets WHERE hash IN (
        SELECT hash FROM tester_secrets WHERE app = ?1 AND tester = ?2 AND kind = ?3
        ORDER BY created DESC, hash LIMIT 1000000 OFFSET ?4)
      """, app, tester, kind.rawValue, secretLimit - 1)
    try database.insert(
      into: "tester_secrets",
      [
        "hash": hash(secret), "app": app, "tester": tester, "kind": kind.rawValue,
        "created": now.microseconds,
        "expires": lifetime.map { now.microseconds + Int($0) * 1_000_000 },
      ])
  }

  /// The most characters of an email address (RFC 5321 4.5.3.1.3 less its brackets).
  private static let emailLimit = 254

  /// In lower case: two spellings of one address are one tester.
  private static func checked(email: String) throws -> String {
    let parts = email.split(separator: "@", omittingEmptySubsequences: false)
    let isPrintable = email.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0.value != 0x7f && !$0.properties.isWhitespace
        && $0.properties.generalCategory != .control && !"<>\"(),;:\\|`".unicodeScalars.contains($0)
    }
    // Mail servers and programs take such starts for a file or an option.
    let isPlain = email.utf8.first.map { !"-/".utf8.contains($0) } == true
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPrintable, isPlain,
      email.utf8.count <= emailLimit
    else { throw DistributionError.invalidEmail(String(email.prefix(emailLimit))) }
    return email.lowercased()
  }
}
