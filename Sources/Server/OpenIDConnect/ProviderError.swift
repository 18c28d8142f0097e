/// Why a sign-in through an identity provider failed.
public enum ProviderError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The provider did not respond.
  case unreachable(String)
  /// Its response does not follow OpenID Connect.
  case unusable(String)
  /// It refused the code, for example because it was already used.
  case refused(String)
  /// The token is not valid for this sign-in.
  case token(String)
  /// Too many people are signing in at a time.
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
