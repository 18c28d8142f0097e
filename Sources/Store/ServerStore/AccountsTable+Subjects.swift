public import CrashModel
internal import Database

extension AccountsTable {
  /// Whether somebody from an identity provider may sign in to an account.
  public enum Claim: Equatable, Sendable {
    /// The account was theirs before.
    case owner
    /// The account is theirs from now on.
    case new
    /// The account belongs to somebody who signs in by a link or a password.
    case unconnected
    /// Nobody has signed in to the account yet, and a name alone does not give it to anybody: its role is above
    /// the one that the provider's people get, or its first link has expired.
    case reserved
    /// The account belongs to somebody else at the provider, or there is none of that name.
    case refused
  }

  /// Gives an account to the first who comes from an identity provider under its name. Names change hands there:
  /// the next one of that name is somebody else. Where people choose their names themselves, anybody can come
  /// under any name: so a name alone never gives more than the provider's people get anyway, unless an admin said
  /// so when adding the account, and never after the account's first link has expired.
  ///
  /// - Parameters:
  ///   - subject: Issuer and subject.
  ///   - isOwner: Whether the same browser is signed in to the account. Otherwise nobody may have signed in to it
  ///     yet: whoever chooses a name at the provider would take an account with a password or a link.
  ///   - defaultRole: The role of accounts that the provider's people get by themselves; `nil` where they get none.
  public func claim(
    _ name: String, for subject: String, isOwner: Bool, defaultRole: Account.Role?, now: Timestamp
  ) throws -> Claim {
    try store.write { database in
      let id = Self.id(of: name)
      do {
        let rows = try database.prepare(
          "SELECT subject, is_unclaimed, role, created FROM accounts WHERE id = ?1", [id])
        guard try rows.step() else { return .refused }
        if let known = try rows.optionalText("subject") {
          return known == subject ? .owner : .refused
        }
        if !isOwner {
          let claimability = try Claimability(rawValue: rows.int("is_unclaimed")) ?? .never
          guard claimability != .never else { return .unconnected }
          let role = try Account.Role(rawValue: rows.text("role")) ?? .admin
          let age = try now.seconds - rows.timestamp("created").seconds
          guard (0..<Int64(Self.linkLifetime)).contains(age),
            claimability == .byName || role <= defaultRole ?? .viewer
          else { return .reserved }
        }
      }
      try database.run(
        "UPDATE accounts SET subject = ?1, is_unclaimed = 0 WHERE id = ?2", subject, id)
      return .new
    }
  }

  /// Whether an account belongs to somebody at an identity provider.
  public func isConnected(_ name: String) throws -> Bool {
    try store.read { database in
      try database.integer(
        "SELECT 1 FROM accounts WHERE id = ?1 AND subject IS NOT NULL", Self.id(of: name)) != nil
    }
  }
}
