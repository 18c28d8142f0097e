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
    case .unreachable(let reason): "the identity provider does not answer: \(reason)"
    case .unusable(let reason): "the identity provider's answer is of no use: \(reason)"
    case .refused(let reason): "the identity provider refused the sign-in: \(reason)"
    case .token(let reason): "the identity provider's token is not believed: \(reason)"
    case .busy: "too many sign in at a time"
    }
  }
}
