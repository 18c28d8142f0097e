internal import Bytes
internal import Hashing

/// One sign-in from its beginning to its end, in one browser: all of its random texts come from one secret, which
/// the browser keeps and nobody else has.
///
/// Source: RFC 7636 for the verifier; OpenID Connect Core 1.0, section 15.5.2 for the nonce.
public struct SignInFlow: Sendable {
  /// For the browser to keep.
  public let secret: String

  private static let size = 32

  public init() {
    var source = SystemRandomNumberGenerator()
    secret = Base64URL.encode(
      (0..<Self.size).map { _ in UInt8.random(in: .min ... .max, using: &source) })
  }

  /// - Returns: `nil` for what was not made here.
  public init?(secret: String) {
    guard Base64URL.decode(secret)?.count == Self.size else { return nil }
    self.secret = secret
  }

  /// Shows that the answer came to the browser that asked.
  var state: String { derived("state") }
  /// Shows that the token was made for this sign-in.
  var nonce: String { derived("nonce") }
  /// Shows to the provider that who brings the code is who asked for it.
  var verifier: String { derived("verifier") }
  var challenge: String { Base64URL.encode(SHA256.digest(of: ByteView(verifier.utf8))) }

  /// Whether an answer brought ``state``.
  public func isState(_ text: String?) -> Bool {
    HMAC.isEqual(Array((text ?? "").utf8), Array(state.utf8))
  }

  private func derived(_ name: String) -> String {
    Base64URL.encode(HMAC.sha256(of: ByteView(name.utf8), key: Array(secret.utf8)))
  }
}
