public import CrashModel

/// How somebody signed in.
public enum SignInMethod: String, Hashable, Sendable {
  /// By a link that is good once.
  case link
  case password
  /// At an identity provider.
  case provider
  /// By a proxy in front of the server.
  case proxy

  /// Seconds after which somebody has to sign in again. Who may no longer sign in elsewhere is soon out here, too.
  public var lifetime: Int {
    switch self {
    case .link, .password: 30 * 24 * 3_600
    case .provider, .proxy: 24 * 3_600
    }
  }
}

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
  /// `nil` for a way that only a later version knows.
  public var method: SignInMethod?

  public init(
    id: String, account: Account, created: Timestamp, seen: Timestamp, expires: Timestamp,
    peer: String, agent: String, method: SignInMethod?
  ) {
    self.id = id
    self.account = account
    self.created = created
    self.seen = seen
    self.expires = expires
    self.peer = peer
    self.agent = agent
    self.method = method
  }
}
