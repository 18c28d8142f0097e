internal import Database

extension AccountsTable {
  /// The reason why no account is created automatically for a name.
  public enum LookAlike: Equatable, Sendable {
    /// It looks like the name of another account.
    case like(String)
    /// It mixes letters of several scripts that look alike, or has characters of markup.
    case mixed

    public var text: String {
      switch self {
      case .like(let name): "looks like that of the account \(name)"
      case .mixed: "mixes letters that look alike, or has characters of markup"
      }
    }
  }

  /// Checks whether people who read the audit log or assign a group could mistake a name from an identity
  /// provider or a proxy for another one. An admin may still add the account.
  ///
  /// - Returns: `nil` for a name that cannot be mistaken.
  public func lookAlike(of name: String) throws -> LookAlike? {
    guard NameShape.isOfOneScript(name), !name.contains(where: { "<>\"".contains($0) }) else {
      return .mixed
    }
    let shape = NameShape.shape(of: name)
    let id = Self.id(of: name)
    return try store.read { database in
      let rows = try database.prepare("SELECT id, name FROM accounts ORDER BY id")
      while try rows.step() {
        let other = try rows.text("name")
        guard try !rows.text("id").utf8.elementsEqual(id.utf8) else { continue }
        if NameShape.shape(of: other) == shape { return .like(other) }
      }
      return nil
    }
  }
}
