/// Why nobody was signed in by an identity provider.
public enum ProviderError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It does not answer.
  case unreachable(String)
  /// Its answer is not one of OpenID Connect.
  case unusable(String)
  /// It did not take the code, such as one that was used before.
  case refused(String)
  /// The token is not one for this sign-in.
  case token(String)
  /// Too many sign in at a time.
  case busy

  public var description: String {
    switch self {
    case .unreachable(let reason): "the identity provider did not respond: \(reason)"
    case .unusable(let reason): "the identity provider sent an unusable response: \(reason)"
    case .refused(let reason): "the identity provider refused the sign-in: \(reason)"
    case .token(let reason): "the identity provider's token was rejected: \(reason)"
    case .busy: "too many people are signing in at a time"
    }
  }
}
