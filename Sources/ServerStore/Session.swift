public import CrashModel

/// A browser that is signed in.
public struct Session: Hashable, Sendable {
  /// Names it in lists; it does not sign in.
  public var id: String
  public var account: Account
  public var created: Timestamp
  /// When it was used last, to the hour.
  public var seen: Timestamp
  public var expires: Timestamp
  /// The address from which it signed in.
  public var peer: String
  /// What the browser says of itself.
  public var agent: String

  public init(
    id: String, account: Account, created: Timestamp, seen: Timestamp, expires: Timestamp,
    peer: String, agent: String
  ) {
    self.id = id
    self.account = account
    self.created = created
    self.seen = seen
    self.expires = expires
    self.peer = peer
    self.agent = agent
  }
}
