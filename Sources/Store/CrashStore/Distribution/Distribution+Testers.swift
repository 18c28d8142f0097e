internal import Bytes
internal import Crypto
internal import Database
internal import Identifiers
public import Updates

/// Testers of releases, and the secrets that they authenticate with.
extension CrashStore.Distribution {
  /// The purpose of a tester's secret. Only the SHA-256 of each secret is stored.
  public enum SecretKind: String, CaseIterable, Sendable {
    /// Proves once that an email address is the tester's.
    case invitation
    /// Gives access to the pages of the app's testers, in a browser.
    case session
    /// Gives access to the update checks of an installed app.
    case update
  }

  /// How long an invitation is valid, in seconds.
  public static let invitationLifetime: Int64 = 14 * 86_400

  /// Returns the testers of an app, by email address.
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

  /// Invites a tester to a group. A tester who was invited before joins one more group, and gets one more
  /// invitation, for another device or browser.
  ///
  /// - Parameter mails: Whether the invitation is mailed, too, unless the tester refused mails.
  /// - Returns: The tester, and the secret of the invitation, which is not stored.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func invite(
    _ email: String, to groupName: String, of app: String, by author: String, mails: Bool = false
  ) throws -> Invited {
    let address = try Self.checked(email: email)
    let nonce = Self.makeSecret()
    let secret = try invitationCode(nonce: nonce)
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
      try DistributionNewsTable.add(
        .invitation, of: row, to: group.name, address, by: author, at: now, in: database)
      return try Self.open(
        secret, nonce, for: id, of: row, app, mails: mails, by: author, now: now, in: database)
    }
  }

  /// An invited tester.
  public struct Invited: Sendable {
    public var tester: Tester
    /// The secret of the invitation, which is not stored.
    public var invitation: String
    /// Whether a mail with it waits to be sent.
    public var isMailed: Bool
  }

  /// Replaces a tester's open invitations by a new one.
  ///
  /// - Parameters:
  ///   - name: An email address or an id.
  ///   - mails: Whether the invitation is mailed, too, unless the tester refused mails.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func inviteAgain(
    _ name: String, of app: String, by author: String, mails: Bool = false
  ) throws -> Invited {
    let nonce = Self.makeSecret()
    let secret = try invitationCode(nonce: nonce)
    return try change(app, by: author) { database, row, now, note in
      let tester = try DistributionTables.tester(name, of: row, app, in: database)
      try Self.endInvitations(of: tester.id, app: row, in: database)
      try note(.invited, "\(tester.email) again")
      return try Self.open(
        secret, nonce, for: tester.id, of: row, app, mails: mails, by: author, now: now,
        in: database)
    }
  }

  /// Ends a tester's open invitations; sessions and update tokens stay.
  ///
  /// - Parameter name: An email address or an id.
  /// - Returns: The number of ended invitations.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  @discardableResult
  public func revokeInvitations(
    ofTester name: String, of app: String, by author: String
  ) throws -> Int {
    try change(app, by: author) { database, row, _, note in
      let tester = try DistributionTables.tester(name, of: row, app, in: database)
      let count = try Self.endInvitations(of: tester.id, app: row, in: database)
      if count > 0 { try note(.invitationsRevoked, tester.email) }
      return count
    }
  }

  @discardableResult
  private static func endInvitations(
    of tester: String, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Int {
    try database.run(
      "DELETE FROM tester_secrets WHERE app = ?1 AND tester = ?2 AND kind = ?3", app, tester,
      SecretKind.invitation.rawValue)
    return database.changes
  }

  /// Keeps a new invitation, and the mail with it.
  private static func open(
    _ secret: String, _ nonce: String, for id: String, of row: RowID<Tables.Apps>, _ app: String,
    mails: Bool, by author: String, now: Timestamp, in database: borrowing Connection
  ) throws -> Invited {
    try keep(
      secret, .invitation, of: id, app: row, now: now, lifetime: invitationLifetime, in: database)
    guard
      let tester = try DistributionTables.testers(of: row, in: database).first(where: {
        $0.id == id
      })
    else { throw DistributionError.noSuchTester(id, app: app) }
    let isMailed = mails && !tester.isUnsubscribed
    if isMailed {
      try TesterMailsTable.add(
        invitation: nonce, to: (id, tester.email), of: row, by: author, now: now, in: database)
    }
    return Invited(tester: tester, invitation: secret, isMailed: isMailed)
  }

  /// Accepts an invitation, which is then used up. Mail programs that open links before people do only see
  /// the page with the button; another device or browser needs another invitation.
  ///
  /// - Returns: The app's name and the tester.
  /// - Throws: ``DistributionError/noInvitation``; `DatabaseError`.
  public func acceptInvitation(_ secret: String) throws -> (app: String, tester: Tester) {
    guard let holder = try holder(of: secret, .invitation) else {
      throw DistributionError.noInvitation
    }
    let tester = try change(holder.app, by: holder.email) { database, row, now, note -> Tester? in
      // Only the first of two simultaneous requests deletes a row.
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

  /// Removes a tester from a group.
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

  /// Removes a tester, with all of the tester's secrets.
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
      try TesterMailsTable.remove(tester: tester.id, of: row, in: database)
      try database.run("DELETE FROM testers WHERE app = ?1 AND id = ?2", row, tester.id)
      try note(.testerRemoved, tester.email)
    }
  }

  /// Revokes everything that a tester was given: invitations, sessions, update tokens, addresses of files.
  /// The tester stays in the groups, and gets nothing before accepting a new invitation.
  ///
  /// - Returns: The number of revoked invitations, sessions and tokens.
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

  /// The holder of a secret.
  public struct Holder: Hashable, Sendable {
    public var app: String
    /// The tester's id.
    public var tester: String
    public var email: String
  }

  /// Returns the holder of a secret of a kind; `nil` where it is unknown, revoked or expired.
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

  /// Creates a secret for a tester.
  ///
  /// - Parameter lifetime: In seconds; `nil` for no expiry.
  /// - Returns: The secret, which is not stored.
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

  /// Maximum number of secrets of a kind of a tester: more than the devices and browsers that anyone tests
  /// on. A new one replaces the oldest.
  static let secretLimit = 50

  /// Returns 256 random bits in hexadecimal.
  private static func makeSecret() -> String {
    var source = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) }.hexadecimalDigits
  }

  static func hash(_ secret: String) -> String { SHA256.hex(of: ByteView(secret.utf8)) }

  private static func keep(
    _ secret: String, _ kind: SecretKind, of tester: String, app: RowID<Tables.Apps>,
    now: Timestamp, lifetime: Int64?, in database: borrowing Connection
  ) throws {
    // Expired secrets are of no use.
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

  /// Maximum length of an email address in bytes (RFC 5321 4.5.3.1.3 without its brackets).
  private static let emailLimit = 254

  /// Returns the address in lower case: two spellings of one address are one tester.
  private static func checked(email: String) throws -> String {
    let parts = email.split(separator: "@", omittingEmptySubsequences: false)
    let isPrintable = email.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0.value != 0x7f && !$0.properties.isWhitespace
        && $0.properties.generalCategory != .control && !"<>\"(),;:\\|`".unicodeScalars.contains($0)
    }
    // Mail servers and programs take text with such a start for a file or an option.
    let isPlain = email.utf8.first.map { !"-/".utf8.contains($0) } == true
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPrintable, isPlain,
      email.utf8.count <= emailLimit
    else { throw DistributionError.invalidEmail(String(email.prefix(emailLimit))) }
    return email.lowercased()
  }
}
