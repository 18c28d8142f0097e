internal import Database

extension CrashStore {
  /// Returns a random number of this home, in hexadecimal digits: only the owner of the home can link values
  /// hashed with it to the originals.
  ///
  /// - Throws: `DatabaseError`.
  public func auditKey() throws -> String { try key("audit_key") }

  /// Returns the key that signs the addresses of private downloads, in hexadecimal digits.
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
