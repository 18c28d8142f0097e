internal import Bytes
internal import Database
public import Identifiers

/// A server's accounts, their sign-in links and their sessions.
///
/// An invitation is a link that signs in once. Only hashes of links and sessions are stored.
public struct AccountsTable: Sendable {
  let store: ServerStore

  /// How long a link is valid, in seconds.
  public static let linkLifetime = 24 * 3_600
  /// Minimum seconds between two updates of a session's last use.
  private static let noteInterval = 3_600
  /// The maximum number of sessions of an account; a new one ends the oldest.
  private static let mostSessions = 100
  /// The maximum number of bytes stored of a browser's user agent.
  private static let longestAgent = 300

  public init(in store: ServerStore) { self.store = store }

  // MARK: Accounts

  /// The people who may take an account under its name at an identity provider, while it is unused and its
  /// first link would be valid.
  public enum Claimability: Int, Sendable {
    /// No one: its owner signs in with a link or a password, and then connects it.
    case never = 0
    /// Anyone with the name, if the account's role is one that the provider's people get anyway.
    case upToDefaultRole = 1
    /// The first person with the name, because an admin allowed it.
    case byName = 2
  }

  /// - Parameter claimability: The people who may take it under its name at an identity provider.
  /// - Throws: ``AccountError``.
  public func add(
    _ name: String, role: Account.Role, app: String? = nil,
    claimability: Claimability = .upToDefaultRole, now: Timestamp
  ) throws -> Account {
    let isUsable =
      !name.isEmpty && name.utf8.count <= Account.longestName && name.printable == name
      && name.first?.isWhitespace == false && name.last?.isWhitespace == false
    guard isUsable else { throw AccountError.invalidName(name) }
    try store.write { database in
      // Swift treats names as equal that look the same but differ in bytes: "é" as one character and as two.
      let rows = try database.prepare("SELECT id FROM accounts")
      while try rows.step() {
        guard try rows.text("id") != Self.id(of: name) else { throw AccountError.taken(name) }
      }
      try database.insert(
        into: "accounts",
        [
          "id": Self.id(of: name), "name": name, "role": role.rawValue,
          "app": app.map(SQLValue.text) ?? .null, "created": now.microseconds,
          "is_unclaimed": claimability.rawValue,
        ])
    }
    return Account(name: name, role: role, app: app, created: now.wholeMicroseconds)
  }

  /// All accounts, ordered by name.
  public func all() throws -> [Account] {
    try store.read { database in
      var accounts: [Account] = []
      let rows = try database.prepare(
        "SELECT name, role, app, created FROM accounts ORDER BY id")
      while try rows.step() {
        try accounts.append(Self.account(rows, created: rows.timestamp("created")))
      }
      return accounts
    }
  }

  /// Changes the role of an account; its sessions have it at once.
  ///
  /// - Throws: ``AccountError``.
  public func setRole(_ role: Account.Role, of name: String) throws -> Account {
    let id = Self.id(of: name)
    return try store.write { database in
      let rows = try database.prepare(
        "SELECT name, role, app, created FROM accounts WHERE id = ?1", [id])
      guard try rows.step() else { throw AccountError.unknown(name) }
      var account = try Self.account(rows, created: rows.timestamp("created"))
      if role != .admin { try Self.checkAdminRemains(without: account, in: database) }
      try database.run("UPDATE accounts SET role = ?2 WHERE id = ?1", id, role.rawValue)
      account.role = role
      return account
    }
  }

  /// - Throws: ``AccountError/lastAdmin(_:)`` if no other account can manage accounts.
  private static func checkAdminRemains(
    without account: Account, in database: borrowing Connection
  ) throws {
    guard account.allows(.admin) else { return }
    let others = try database.prepare(
      "SELECT 1 FROM accounts WHERE role = 'admin' AND app IS NULL AND id <> ?1",
      [id(of: account.name)])
    guard try others.step() else { throw AccountError.lastAdmin(account.name) }
  }

  /// Removes an account and signs it out everywhere.
  ///
  /// - Throws: ``AccountError``.
  public func remove(_ name: String) throws {
    let id = Self.id(of: name)
    try store.write { database in
      let rows = try database.prepare(
        "SELECT name, role, app, created FROM accounts WHERE id = ?1", [id])
      guard try rows.step() else { throw AccountError.unknown(name) }
      try Self.checkAdminRemains(
        without: Self.account(rows, created: rows.timestamp("created")), in: database)
      try database.run("DELETE FROM browsers WHERE account = ?1", id)
      try database.run("DELETE FROM sign_in_links WHERE account = ?1", id)
      try database.run("DELETE FROM tokens WHERE account = ?1", id)
      try database.run("DELETE FROM saved_searches WHERE account = ?1", id)
      try database.run("DELETE FROM accounts WHERE id = ?1", id)
    }
  }

  // MARK: Links

  /// Creates the text of a link that signs in once. Older links of the account stop working.
  ///
  /// - Throws: ``AccountError/unknown(_:)``
  public func makeLink(for name: String, now: Timestamp) throws -> String {
    let code = NamedSecret()
    try store.write { database in
      let found = try database.prepare("SELECT 1 FROM accounts WHERE id = ?1", [Self.id(of: name)])
      guard try found.step() else { throw AccountError.unknown(name) }
      try database.run(
        "DELETE FROM sign_in_links WHERE expires < ?1 OR account = ?2", now.microseconds,
        Self.id(of: name))
      try database.insert(
        into: "sign_in_links",
        [
          "id": code.id, "hash": code.hash, "account": Self.id(of: name),
          "expires": now.microseconds + Self.linkLifetime * 1_000_000,
        ])
    }
    return code.text
  }

  /// The account of a link, while the link is valid.
  public func account(ofLink text: String, now: Timestamp) throws -> Account? {
    guard let code = NamedSecret(text) else { return nil }
    return try store.read { try Self.account(of: code, in: $0, now: now) }
  }

  /// Signs in with a link, which cannot be used again.
  ///
  /// - Returns: The result of ``signIn(as:by:peer:agent:now:)``; `nil` for an unknown, used or expired link.
  public func signIn(
    byLink text: String, peer: String, agent: String, now: Timestamp
  ) throws -> (session: Session, text: String)? {
    guard let code = NamedSecret(text) else { return nil }
    return try store.write { database in
      guard let account = try Self.account(of: code, in: database, now: now) else { return nil }
      try database.run("DELETE FROM sign_in_links WHERE id = ?1", code.id)
      return try Self.begin(account, .link, peer: peer, agent: agent, now: now, in: database)
    }
  }

  private static func account(
    of code: NamedSecret, in database: borrowing Connection, now: Timestamp
  ) throws -> Account? {
    let rows = try database.prepare(
      """
      SELECT hash, expires, name, role, app, created FROM sign_in_links
      JOIN accounts ON accounts.id = account WHERE sign_in_links.id = ?1
      """, [code.id])
    guard try rows.step(), try code.has(hash: rows.blob("hash")),
      try rows.timestamp("expires") > now
    else { return nil }
    return try account(rows, created: rows.timestamp("created"))
  }

  // MARK: Sessions

  /// Signs in to an account after the caller has verified the person.
  ///
  /// - Returns: The session and the secret that proves it, which is not stored; `nil` if the account no
  ///   longer exists.
  public func signIn(
    as name: String, by method: SignInMethod, peer: String, agent: String, now: Timestamp
  ) throws -> (session: Session, text: String)? {
    try store.write { database in
      let rows = try database.prepare(
        "SELECT name, role, app, created FROM accounts WHERE id = ?1", [Self.id(of: name)])
      guard try rows.step() else { return nil }
      let account = try Self.account(rows, created: rows.timestamp("created"))
      return try Self.begin(account, method, peer: peer, agent: agent, now: now, in: database)
    }
  }

  private static func begin(
    _ account: Account, _ method: SignInMethod, peer: String, agent: String, now: Timestamp,
    in database: borrowing Connection
  ) throws -> (session: Session, text: String) {
    let secret = NamedSecret()
    let id = id(of: account.name)
    try database.run("UPDATE accounts SET is_unclaimed = 0 WHERE id = ?1", id)
    try database.run("DELETE FROM browsers WHERE expires < ?1", now.microseconds)
    // A client without cookies signs in with every request.
    try database.run(
      """
      DELETE FROM browsers WHERE account = ?1 AND id NOT IN (
        SELECT id FROM browsers WHERE account = ?1 ORDER BY created DESC LIMIT ?2)
      """, id, mostSessions - 1)
    let end = now.microseconds + method.lifetime * 1_000_000
    let agent = String(decoding: agent.utf8.prefix(longestAgent), as: UTF8.self)
    try database.insert(
      into: "browsers",
      [
        "id": secret.id, "hash": secret.hash, "account": id, "created": now.microseconds,
        "seen": now.microseconds, "expires": end, "peer": peer, "agent": agent,
        "method": method.rawValue,
      ])
    let time = now.wholeMicroseconds
    let session = Session(
      id: secret.id, account: account, created: time, seen: time,
      expires: Timestamp(microseconds: end), peer: peer, agent: agent, method: method)
    return (session, secret.text)
  }

  /// The session of a cookie; `nil` for an unknown, ended or expired one.
  public func session(_ text: String, now: Timestamp) throws -> Session? {
    guard let secret = NamedSecret(text) else { return nil }
    let found = try store.read { database -> Session? in
      let rows = try database.prepare(Self.sessions + " WHERE browsers.id = ?1", [secret.id])
      guard try rows.step(), try secret.has(hash: rows.blob("hash")) else { return nil }
      return try Self.session(rows)
    }
    guard let found, found.expires > now else { return nil }
    if found.seen.seconds < now.seconds - Int64(Self.noteInterval) {
      // If a full disk prevents the update, people can still read.
      try? store.write { database in
        try database.run("UPDATE browsers SET seen = ?1 WHERE id = ?2", now.microseconds, found.id)
      }
    }
    return found
  }

  /// The sessions of an account, most recently used first.
  public func sessions(of name: String, now: Timestamp) throws -> [Session] {
    try store.read { database in
      var sessions: [Session] = []
      let rows = try database.prepare(
        Self.sessions + " WHERE account = ?1 AND expires > ?2 ORDER BY seen DESC, browsers.id",
        [Self.id(of: name), now.microseconds])
      while try rows.step() { try sessions.append(Self.session(rows)) }
      return sessions
    }
  }

  /// Deletes expired links and sessions.
  public func clearExpired(now: Timestamp) throws {
    try store.write { database in
      try database.run("DELETE FROM sign_in_links WHERE expires < ?1", now.microseconds)
      try database.run("DELETE FROM browsers WHERE expires < ?1", now.microseconds)
    }
  }

  /// Ends a session of an account.
  ///
  /// - Returns: Whether the account had a session with that id.
  public func endSession(_ id: String, of name: String) throws -> Bool {
    try store.write { database in
      try database.run(
        "DELETE FROM browsers WHERE id = ?1 AND account = ?2", id, Self.id(of: name))
      return database.changes > 0
    }
  }

  static func id(of name: String) -> String { Account.id(of: name) }

  private static let sessions = """
    SELECT browsers.id AS id, hash, browsers.created AS created, seen, expires, peer, agent, method,
      name, role,
      app, accounts.created AS since
    FROM browsers JOIN accounts ON accounts.id = account
    """

  private static func session(_ row: borrowing Statement) throws(DatabaseError) -> Session {
    try Session(
      id: row.text("id"), account: account(row, created: row.timestamp("since")),
      created: row.timestamp("created"), seen: row.timestamp("seen"),
      expires: row.timestamp("expires"), peer: row.text("peer"), agent: row.text("agent"),
      method: SignInMethod(rawValue: row.text("method")))
  }

  /// An unknown role, from a later version, gets the fewest rights.
  static func account(
    _ row: borrowing Statement, created: Timestamp
  ) throws(DatabaseError) -> Account {
    try Account(
      name: row.text("name"), role: Account.Role(rawValue: row.text("role")) ?? .viewer,
      app: row.optionalText("app"), created: created)
  }
}
