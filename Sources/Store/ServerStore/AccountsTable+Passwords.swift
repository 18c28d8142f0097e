internal import Database
public import Identifiers

extension AccountsTable {
  /// An account's stored password.
  public struct StoredPassword: Sendable {
    /// The account's name, spelled as it was created.
    public let name: String
    /// The encoded hash; `nil` if no password is set.
    public let hash: String?
    /// When it was set.
    public let set: Timestamp?
  }

  /// The stored password of an account; `nil` for an unknown name.
  public func password(of name: String) throws -> StoredPassword? {
    try store.read { database in
      let rows = try database.prepare(
        "SELECT name, password, password_set FROM accounts WHERE id = ?1", [Self.id(of: name)])
      guard try rows.step() else { return nil }
      return try StoredPassword(
        name: rows.text("name"), hash: rows.optionalText("password"),
        set: rows.optionalTimestamp("password_set"))
    }
  }

  /// Sets an account's password, and signs it out everywhere else. Unused links stop working.
  ///
  /// - Parameters:
  ///   - hash: The encoded hash.
  ///   - session: The id of the session to keep.
  /// - Throws: ``AccountError/unknown(_:)``.
  public func setPassword(
    _ hash: String, of name: String, keeping session: String, now: Timestamp
  ) throws {
    try store.write { database in
      try database.run(
        "UPDATE accounts SET password = ?1, password_set = ?2 WHERE id = ?3", hash,
        now.microseconds, Self.id(of: name))
      guard database.changes > 0 else { throw AccountError.unknown(name) }
      try database.run(
        "DELETE FROM browsers WHERE account = ?1 AND id <> ?2", Self.id(of: name), session)
      try database.run("DELETE FROM sign_in_links WHERE account = ?1", Self.id(of: name))
    }
  }
}
