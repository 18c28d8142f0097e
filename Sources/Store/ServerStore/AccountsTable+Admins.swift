internal import Database
public import Identifiers

extension AccountsTable {
  /// Whether an admin of all apps has a way to sign in: a browser that is signed in, a password, or a link that is
  /// not used yet.
  ///
  /// - Parameters:
  ///   - byProvider: Whether an account that is connected to an identity provider, or may be, counts.
  ///   - byProxy: Whether a proxy signs people in, so that any account counts.
  public func hasAdminWhoCanSignIn(byProvider: Bool, byProxy: Bool, now: Timestamp) throws -> Bool {
    try store.read { database in
      try database.integer(
        """
        SELECT 1 FROM accounts WHERE role = 'admin' AND app IS NULL AND (
          password IS NOT NULL OR ?2 = 1 OR ?3 = 1 AND (subject IS NOT NULL OR is_unclaimed <> 0)
          OR EXISTS (SELECT 1 FROM sign_in_links WHERE account = accounts.id AND expires > ?1)
          OR EXISTS (SELECT 1 FROM browsers WHERE account = accounts.id AND expires > ?1))
        """, now.microseconds, byProxy ? 1 : 0, byProvider ? 1 : 0) != nil
    }
  }

  /// The name of the admin that a server makes when it first starts.
  private static let firstAdminName = "admin"

  /// Whether there is an account besides the admin that a server makes when it first starts.
  ///
  /// - Throws: `DatabaseError`.
  public func hasAddedAccounts() throws -> Bool {
    try all().contains {
      $0.name != Self.firstAdminName || $0.role != .admin || $0.app != nil
    }
  }

  /// An admin of all apps, created if there is none.
  ///
  /// - Throws: ``AccountError``; `DatabaseError`.
  public func firstAdmin(now: Timestamp) throws -> Account {
    let all = try all()
    if let admin = all.first(where: { $0.allows(.admin) }) { return admin }
    var name = Self.firstAdminName
    var number = 1
    while all.contains(where: { $0.isCalled(name) }) {
      number += 1
      name = "\(Self.firstAdminName)\(number)"
    }
    return try add(name, role: .admin, claimability: .never, now: now)
  }
}
