public import CrashModel
internal import Database

/// Who changed what through the server.
public struct AuditLog: Sendable {
  public struct Entry: Equatable, Sendable {
    public var time: Timestamp
    /// The id of the token, and its label at that time.
    public var token: String
    public var label: String
    /// What was done, as a route: `POST /api/v1/groups/:id/resolve`.
    public var action: String
    /// To what, such as a group's id.
    public var subject: String
    /// Whence.
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

  /// The name in place of a token's in entries about refused sign-ins.
  private static let refused = "refused"
  /// How many of those are kept, the latest: strangers make them.
  private static let mostRefused = 1_000

  /// Notes a sign-in that was refused.
  ///
  /// - Parameters:
  ///   - name: Of an account that is there, else empty: what strangers type as a name may be a password.
  ///   - action: How it was tried.
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

  /// How many entries there are.
  public func count() throws -> Int {
    try store.read { database in
      let rows = try database.prepare("SELECT count(*) AS entries FROM audit")
      return try rows.step() ? rows.int("entries") : 0
    }
  }

  /// The latest entries, the newest first, with their numbers.
  ///
  /// - Parameter last: Only those with smaller numbers.
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
