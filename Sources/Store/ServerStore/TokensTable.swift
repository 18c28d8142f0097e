internal import Bytes
internal import Crypto
internal import Database
public import Identifiers

/// The tokens of a server. Only salted hashes of their secrets are stored.
///
/// A token is `mayday_<id>_<secret>`: 12 characters that identify it, 43 that prove it.
public struct TokensTable: Sendable {
  private let store: ServerStore

  private static let prefix = "mayday"
  private static let idLength = 12
  /// Enough of 62 different characters for 256 bits.
  private static let secretLength = 43
  /// Minimum seconds between two updates of a token's last use.
  private static let noteInterval = 3_600

  public init(in store: ServerStore) { self.store = store }

  /// Creates a token.
  ///
  /// - Parameter account: The account that a command signed in as: the token allows no more than the account
  ///   does at each use, and ends with it.
  /// - Returns: The token, and its text, which is not stored.
  public func make(
    label: String, scopes: Set<TokenScope>, app: String? = nil, expires: Timestamp? = nil,
    account: Account? = nil, now: Timestamp
  ) throws -> (token: Token, text: String) {
    let id = RandomBytes.characters(Self.idLength)
    let secret = RandomBytes.characters(Self.secretLength)
    let salt = RandomBytes.make(16)
    let names = scopes.map(\.rawValue).sorted().joined(separator: " ")
    try store.write { database in
      try database.insert(
        into: "tokens",
        [
          "id": id, "label": label, "scopes": names, "app": app.map(SQLValue.text) ?? .null,
          "salt": salt, "hash": Self.hash(secret, salt), "created": now.microseconds,
          "expires": expires.map { SQLValue.integer(Int64($0.microseconds)) } ?? .null,
          "account": account.map { SQLValue.text(Account.id(of: $0.name)) } ?? .null,
        ])
    }
    let token = Token(
      id: id, label: label, scopes: scopes, app: app, created: now.wholeMicroseconds,
      expires: expires?.wholeMicroseconds, revoked: nil, used: nil, account: account?.name)
    return (token, "\(Self.prefix)_\(id)_\(secret)")
  }

  /// Whether `text` has the format of a token; other texts need no lookup.
  public static func isToken(_ text: String) -> Bool {
    guard text.utf8.count == prefix.utf8.count + idLength + secretLength + 2 else { return false }
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == prefix && parts[1].utf8.count == idLength
      && parts[2].utf8.count == secretLength
      && parts[1...].allSatisfy { part in
        part.utf8.allSatisfy(RandomBytes.isCharacter)
      }
  }

  /// The token with this text; `nil` if it is unknown, revoked or expired.
  ///
  /// The time does not depend on how much of the secret matches.
  public func token(_ text: String, now: Timestamp) throws -> Token? {
    guard Self.isToken(text) else { return nil }
    let parts = text.split(separator: "_")
    let secret = String(parts[2])
    let found = try store.read { database -> (token: Token, isRight: Bool)? in
      let rows = try database.prepare(Self.columns + " WHERE tokens.id = ?1", [String(parts[1])])
      guard try rows.step() else { return nil }
      return try (
        Self.token(rows), Self.isEqual(Self.hash(secret, rows.blob("salt")), rows.blob("hash"))
      )
    }
    guard let found, found.isRight, found.token.revoked == nil, !found.token.scopes.isEmpty,
      found.token.expires.map({ $0 > now }) ?? true
    else { return nil }
    let used = found.token.used?.seconds ?? .min
    if used < now.seconds - Int64(Self.noteInterval) {
      // If a full disk prevents the update, the token can still be used.
      try? store.write { database in
        try database.run(
          "UPDATE tokens SET used = ?1 WHERE id = ?2", now.microseconds, found.token.id)
      }
    }
    return found.token
  }

  /// The token with an id; `nil` if it is unknown, revoked or expired.
  public func token(id: String, now: Timestamp) throws -> Token? {
    let found = try store.read { database -> Token? in
      let rows = try database.prepare(Self.columns + " WHERE tokens.id = ?1", [id])
      return try rows.step() ? Self.token(rows) : nil
    }
    guard let found, found.revoked == nil, found.expires.map({ $0 > now }) ?? true else {
      return nil
    }
    return found
  }

  /// All tokens, newest first.
  public func all() throws -> [Token] {
    try store.read { database in
      var tokens: [Token] = []
      let rows = try database.prepare(Self.columns + " ORDER BY tokens.created DESC, tokens.id")
      while try rows.step() { try tokens.append(Self.token(rows)) }
      return tokens
    }
  }

  /// Revokes a token.
  ///
  /// - Returns: Whether there is one with that id that was not revoked before.
  public func revoke(_ id: String, now: Timestamp) throws -> Bool {
    try store.write { database in
      try database.run(
        "UPDATE tokens SET revoked = ?1 WHERE id = ?2 AND revoked IS NULL", now.microseconds, id)
      return database.changes > 0
    }
  }

  private static let columns = """
    SELECT tokens.id AS id, label, scopes, tokens.app AS app, tokens.created AS created, expires,
      revoked, used, salt, hash, account, accounts.name AS name, accounts.role AS role,
      accounts.app AS account_app
    FROM tokens LEFT JOIN accounts ON accounts.id = tokens.account
    """

  private static func token(_ row: borrowing Statement) throws(DatabaseError) -> Token {
    let scopes = try row.text("scopes").split(separator: " ").compactMap {
      TokenScope(rawValue: String($0))
    }
    var token = try Token(
      id: row.text("id"), label: row.text("label"), scopes: Set(scopes),
      app: row.optionalText("app"),
      created: row.timestamp("created"),
      expires: row.optionalTimestamp("expires"),
      revoked: row.optionalTimestamp("revoked"),
      used: row.optionalTimestamp("used"), account: row.optionalText("account"))
    guard token.account != nil else { return token }
    guard let name = try row.optionalText("name"),
      let role = try row.optionalText("role").flatMap(Account.Role.init(rawValue:))
    else {
      // The account was removed, and this token survived in a backup.
      token.scopes = []
      return token
    }
    let account = Account(
      name: name, role: role, app: try row.optionalText("account_app"), created: token.created)
    token.account = name
    token.accountRole = role
    token.app = account.app
    token.scopes = token.scopes.filter(account.allows)
    return token
  }

  /// One round of hashing is enough: 256 random bits cannot be guessed.
  private static func hash(_ secret: String, _ salt: [UInt8]) -> [UInt8] {
    SHA256.digest(of: ByteView(salt + Array(secret.utf8)))
  }

  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
