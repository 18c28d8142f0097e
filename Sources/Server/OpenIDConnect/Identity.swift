internal import JSON

/// A person whom an identity provider has signed in.
public struct Identity: Sendable {
  /// The person's permanent id at the provider; names may pass to other people.
  public let subject: String
  let claims: JSONValue

  /// The value of a claim, if it is a text.
  public func text(_ claim: String) -> String? { claims[claim]?.string }

  /// The email address, if the provider has verified it.
  public var verifiedMail: String? {
    let isVerified = claims["email_verified"]
    // Some providers write a string.
    guard isVerified?.bool == true || isVerified?.string == "true" else { return nil }
    return text("email")
  }

  /// The claim `groups`, which most providers can be configured to send.
  public var groups: [String] { claims["groups"]?.array?.compactMap(\.string) ?? [] }
}
