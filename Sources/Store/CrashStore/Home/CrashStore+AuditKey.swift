internal import Database

extension CrashStore {
  /// A random number of this home, in hexadecimal digits: what is hashed with it can be told from other
  /// things only by who has the home.
  ///
  /// - Throws: `DatabaseError`.
  public func auditKey() throws -> String { try key("audit_key") }

  /// The key that the addresses of private downloads are signed with, in hexadecimal digits.
  ///
  /// - Throws: `DatabaseError`.
  public func downloadKey() throws -> String { try key("download_key") }

  private func key(_ name: String) throws -> String {
    let query = "SELECT value FROM settings WHERE name = ?1"
    if let known = try read({ try $0.text(query, name) }) { return known }
    return try write(.global) { database in
      var random = SystemRandomNumberGenerator()
      let digits = (0..<4).map { _ in String(random.next() as UInt64, radix: 16) }.joined(
        separator: "-")
      try database.run(
        "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING", name, digits)
      return try database.requiredText(query, name)
    }
  }
}
