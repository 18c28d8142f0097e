internal import Bytes
internal import Crypto

/// One sign-in in one browser. All its random values are derived from one secret, which only the browser keeps.
///
/// Source: RFC 7636 for the verifier; OpenID Connect Core 1.0, section 15.5.2 for the nonce.
public struct SignInFlow: Sendable {
  /// The secret, which the browser keeps in a cookie.
  public let secret: String

  private static let size = 32

  public init() {
    var source = SystemRandomNumberGenerator()
    secret = Base64URL.encode(
      (0..<Self.size).map { _ in UInt8.random(in: .min ... .max, using: &source) })
  }

  /// - Returns: `nil` if the text is not such a secret.
  public init?(secret: String) {
    guard Base64URL.decode(secret)?.count == Self.size else { return nil }
    self.secret = secret
  }

  /// Proves that the response came to the browser that started the sign-in.
  var state: String { derived("state") }
  /// Proves that the token was made for this sign-in.
  var nonce: String { derived("nonce") }
  /// Proves to the provider that the same client requested and redeems the code.
  var verifier: String { derived("verifier") }
  var challenge: String { Base64URL.encode(SHA256.digest(of: ByteView(verifier.utf8))) }

  /// Whether a response contains ``state``.
  public func isState(_ text: String?) -> Bool {
    HMAC.isEqual(Array((text ?? "").utf8), Array(state.utf8))
  }

  private func derived(_ name: String) -> String {
    Base64URL.encode(HMAC.sha256(of: ByteView(name.utf8), key: Array(secret.utf8)))
  }
}
