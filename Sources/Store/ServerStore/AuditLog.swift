internal import Database
public import Identifiers

/// The log of changes made through the server.
public struct AuditLog: Sendable {
  public struct Entry: Equatable, Sendable {
    public var time: Timestamp
    /// The id of the token, and its label at the time.
    public var token: String
    public var label: String
    /// The action, as a route: `POST /api/v1/groups/:id/resolve`.
    public var action: String
    /// The object of the action, such as a group's id.
    public var subject: String
    /// The address of the client.
    public var peer: String

    public init(
      time: Timestamp, token: String, label: String, action: String, subject: String, peer: String
    ) {
      self.time = time
      self.token = token
      self.label = label
      self.action = action
      self.subject = subject
      self.peer = peer
    }
  }

  private let store: ServerStore

  public init(in store: ServerStore) { self.store = store }

  public func note(_ entry: Entry) throws {
    try store.write { database in
      try database.insert(
        into: "audit",
        [
          "time": entry.time.microseconds, "token": entry.token, "label": entry.label,
          "action": entry.action, "subject": entry.subject, "peer": entry.peer,
        ])
    }
  }

  /// Replaces the token's id in entries about refused sign-ins.
  private static let refused = "refused"
  /// Maximum number of those entries; the latest are kept, as strangers can cause them.
  private static let mostRefused = 1_000

  /// Records a refused sign-in.
  ///
  /// - Parameters:
  ///   - name: The name of an existing account, otherwise empty: strangers may type a password as a name.
  ///   - action: The way of signing in.
  public func noteRefused(
    _ action: String, of name: String, peer: String, now: Timestamp
  ) throws {
    try store.write { database in
      try database.insert(
        into: "audit",
        [
          "time": now.microseconds, "token": Self.refused, "label": name, "action": action,
          "subject": name, "peer": peer,
        ])
      try database.run(
        """
        DELETE FROM audit WHERE token = 'refused' AND action = ?2 AND id <= (
          SELECT id FROM audit WHERE token = 'refused' AND action = ?2
          ORDER BY id DESC LIMIT 1 OFFSET ?1)
        """, Self.mostRefused, action)
    }
  }

  /// The number of entries.
  public func count() throws -> Int {
    try store.read { database in
      let rows = try database.prepare("SELECT count(*) AS entries FROM audit")
      return try rows.step() ? rows.int("entries") : 0
    }
  }

  /// The latest entries, newest first, with their numbers.
  ///
  /// - Parameter last: Only entries with smaller numbers are returned.
  public func latest(
    _ count: Int, before last: Int? = nil
  ) throws -> [(number: Int, entry: Entry)] {
    try store.read { database in
      var entries: [(number: Int, entry: Entry)] = []
      let rows = try database.prepare(
        """
        SELECT id, time, token, label, action, subject, peer FROM audit
        WHERE id < ?2 ORDER BY id DESC LIMIT ?1
        """, [count, last ?? .max])
      while try rows.step() {
        let entry = try Entry(
          time: rows.timestamp("time"), token: rows.text("token"), label: rows.text("label"),
          action: rows.text("action"), subject: rows.text("subject"), peer: rows.text("peer"))
        try entries.append((rows.int("id"), entry))
      }
      return entries
    }
  }
}
