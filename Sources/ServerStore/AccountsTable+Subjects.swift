internal import Database

extension AccountsTable {
  /// Notes who an account is at an identity provider when that one first comes: names change hands there, and the
  /// next one of a name is somebody else.
  ///
  /// - Parameter subject: Issuer and subject.
  /// - Returns: Whether it is that one's account.
  public func isAccount(_ name: String, of subject: String) throws -> Bool {
    try store.write { database in
      let id = Self.id(of: name)
      let rows = try database.prepare("SELECT subject FROM accounts WHERE id = ?1", [id])
      guard try rows.step() else { return false }
      if let known = try rows.optionalText("subject") { return known == subject }
      try database.run("UPDATE accounts SET subject = ?1 WHERE id = ?2", subject, id)
      return true
    }
  }
}
