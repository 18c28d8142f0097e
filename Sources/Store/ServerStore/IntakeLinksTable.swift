internal import Crypto
internal import Database
public import Identifiers

/// A link by which anyone who has it may hand over files for an app, without its secret.
public struct IntakeLink: Equatable, Sendable {
  /// The public part of the link.
  public var id: String
  public var app: String
  /// A name for whom it is.
  public var label: String
  public var created: Timestamp
  public var expires: Timestamp
  public var revoked: Timestamp?
  /// The most files that are taken; `nil` for no limit.
  public var most: Int?
  /// The number of files that were taken.
  public var files: Int
  /// When files were last taken.
  public var used: Timestamp?

  /// Whether its page can be seen at a time.
  public func isOpen(at now: Timestamp) -> Bool {
    revoked == nil && expires > now
  }

  /// The number of files that may still come; `nil` for no limit.
  public var left: Int? { most.map { max(0, $0 - files) } }
}

/// The intake links of a server. Only hashes of their secrets are stored.
public struct IntakeLinksTable: Sendable {
  private let store: ServerStore

  public init(in store: ServerStore) { self.store = store }

  /// Creates a link.
  ///
  /// - Returns: The link, and the secret for its address, which is not stored.
  /// - Throws: `DatabaseError`.
  public func make(
    app: String, label: String, expires: Timestamp, most: Int?, now: Timestamp
  ) throws -> (link: IntakeLink, secret: String) {
    let secret = NamedSecret()
    try store.write { database in
      try database.insert(
        into: "intake_links",
        [
          "id": secret.id, "app": app, "label": label, "hash": secret.hash,
          "created": now.microseconds, "expires": expires.microseconds, "most": most,
        ])
    }
    let link = IntakeLink(
      id: secret.id, app: app, label: label, created: now.wholeMicroseconds,
      expires: expires.wholeMicroseconds, most: most, files: 0)
    return (link, secret.text)
  }

  /// Returns the link with a secret; `nil` if it is unknown, revoked or expired.
  ///
  /// The time does not depend on how much of the secret matches.
  ///
  /// - Throws: `DatabaseError`.
  public func link(_ text: String, now: Timestamp) throws -> IntakeLink? {
    guard let secret = NamedSecret(text) else { return nil }
    let found = try store.read { database -> (link: IntakeLink, isRight: Bool)? in
      let rows = try database.prepare(Self.columns + " WHERE id = ?1", [secret.id])
      guard try rows.step() else { return nil }
      return try (Self.link(rows), secret.has(hash: rows.blob("hash")))
    }
    guard let found, found.isRight, found.link.isOpen(at: now) else { return nil }
    return found.link
  }

  /// Counts files that are about to be taken.
  ///
  /// - Returns: Whether the link is still open for as many; otherwise none of them is counted.
  /// - Throws: `DatabaseError`.
  public func count(_ files: Int, of id: String, now: Timestamp) throws -> Bool {
    try store.write { database in
      try database.run(
        """
        UPDATE intake_links SET files = files + ?2, used = ?3
        WHERE id = ?1 AND revoked IS NULL AND expires > ?3 AND (most IS NULL OR files + ?2 <= most)
        """, id, files, now.microseconds)
      return database.changes > 0
    }
  }

  /// Returns all links, newest first.
  ///
  /// - Throws: `DatabaseError`.
  public func all() throws -> [IntakeLink] {
    try store.read { database in
      var links: [IntakeLink] = []
      let rows = try database.prepare(Self.columns + " ORDER BY created DESC, id")
      while try rows.step() { try links.append(Self.link(rows)) }
      return links
    }
  }

  /// Revokes a link.
  ///
  /// - Returns: Whether there is one with that id that was not revoked before.
  /// - Throws: `DatabaseError`.
  public func revoke(_ id: String, now: Timestamp) throws -> Bool {
    try store.write { database in
      try database.run(
        "UPDATE intake_links SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL", id,
        now.microseconds)
      return database.changes > 0
    }
  }

  private static let columns = """
    SELECT id, app, label, hash, created, expires, most, files, used, revoked FROM intake_links
    """

  private static func link(_ row: borrowing Statement) throws(DatabaseError) -> IntakeLink {
    try IntakeLink(
      id: row.text("id"), app: row.text("app"), label: row.text("label"),
      created: row.timestamp("created"), expires: row.timestamp("expires"),
      revoked: row.optionalTimestamp("revoked"), most: row.optionalInt("most"),
      files: row.int("files"), used: row.optionalTimestamp("used"))
  }
}
