internal import Database

extension CrashStore {
  /// A random number of this home, in hexadecimal digits: what is hashed with it can be told from other
  /// things only by who has the home.
  ///
  /// - Throws: `DatabaseError`.
  public func auditKey() throws -> String {
    try write(.global) { database in
      var random = SystemRandomNumberGenerator()
      let digits = (0..<4).map { _ in String(random.next() as UInt64, radix: 16) }.joined(
        separator: "-")
      try database.run(
        "INSERT INTO settings (name, value) VALUES ('audit_key', ?1) ON CONFLICT DO NOTHING", digits
      )
      return try database.requiredText("SELECT value FROM settings WHERE name = 'audit_key'")
    }
  }
}
