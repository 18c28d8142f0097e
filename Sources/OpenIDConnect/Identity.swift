internal import JSON

/// Somebody whom a provider vouches for.
public struct Identity: Sendable {
  /// Who it is at the provider, for ever; names change hands.
  public let subject: String
  let claims: JSONValue

  /// The text of a claim.
  public func text(_ claim: String) -> String? { claims[claim]?.string }

  /// The address of mail, where the provider has seen that it is theirs.
  public var verifiedMail: String? {
    let isVerified = claims["email_verified"]
    // Some write a string.
    guard isVerified?.bool == true || isVerified?.string == "true" else { return nil }
    return text("email")
  }

  /// The claim `groups`, which most providers can be made to send.
  public var groups: [String] { claims["groups"]?.array?.compactMap(\.string) ?? [] }
}
