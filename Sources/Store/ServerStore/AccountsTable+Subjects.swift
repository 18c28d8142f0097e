internal import Database
public import Identifiers

extension AccountsTable {
  /// The outcome of an attempt to sign in to an account through an identity provider.
  public enum Claim: Equatable, Sendable {
    /// The account already belongs to the person.
    case owner
    /// The account belongs to the person from now on.
    case new
    /// The owner of the account signs in by a link or a password.
    case unconnected
    /// The account is unused so far, but its name alone is not enough to claim it: its role is above the one
    /// that the provider's people get, or its first link has expired.
    case reserved
    /// The account belongs to another person at the provider, or does not exist.
    case refused
  }

  /// Gives an account to the first person who comes from an identity provider under its name. Names change
  /// hands there: the next person with that name is someone else. Where people choose their names themselves,
  /// anyone can come under any name: so a name alone never gives more than the provider's people get anyway,
  /// unless an admin allowed that when adding the account, and never after the account's first link has
  /// expired.
  ///
  /// - Parameters:
  ///   - subject: Issuer and subject.
  ///   - isOwner: Whether the same browser is signed in to the account. Otherwise the account must be unused
  ///     so far: a person who chooses a name at the provider could take an account with a password or a link.
  ///   - defaultRole: The role of accounts created automatically for the provider's people; `nil` if none
  ///     are.
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

  /// Whether an account is connected to a person at an identity provider.
  public func isConnected(_ name: String) throws -> Bool {
    try store.read { database in
      try database.integer(
        "SELECT 1 FROM accounts WHERE id = ?1 AND subject IS NOT NULL", Self.id(of: name)) != nil
    }
  }
}
