public import Identifiers

/// How a session began.
public enum SignInMethod: String, Hashable, Sendable {
  /// With a link that works once.
  case link
  case password
  /// Through an identity provider.
  case provider
  /// Through a proxy in front of the server.
  case proxy

  /// The lifetime of a session in seconds. It is shorter for providers and proxies, so that people who lose
  /// access there soon lose it here.
  public var lifetime: Int {
    switch self {
    case .link, .password: 30 * 24 * 3_600
    case .provider, .proxy: 24 * 3_600
    }
  }
}

/// A signed-in browser.
public struct Session: Hashable, Sendable {
  /// The id for lists; it cannot sign in.
  public var id: String
  public var account: Account
  public var created: Timestamp
  /// When it was last used, to the hour.
  public var seen: Timestamp
  public var expires: Timestamp
  /// The address from which it signed in.
  public var peer: String
  /// The browser's user agent.
  public var agent: String
  /// `nil` for a method from a later version.
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
