internal import Bytes
internal import Crypto
internal import Identifiers
internal import JSON

/// A token, signed by a provider, that states who signed in.
///
/// Source: OpenID Connect Core 1.0, sections 2 and 3.1.3.7; RFC 7515.
struct IDToken: Sendable {
  /// The accepted signature algorithms. `none` and shared-key codes (HMAC) are left out, because others could
  /// make such tokens.
  enum Algorithm: String, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
  }

  /// The values that a token must have.
  struct Expectation: Sendable {
    var issuer: String
    var client: String
    var nonce: String
    var now: Timestamp
  }

  /// The maximum size of a token in bytes; providers that list many groups come near it.
  static let limit = 65_536
  /// The maximum difference between the clocks, in seconds.
  private static let skew = 60.0
  /// The maximum age of a token in seconds, because it is made for one sign-in.
  private static let longestAge = 600.0
  /// The maximum length of a subject. Source: OpenID Connect Core 1.0, section 2.
  private static let longestSubject = 255

  let algorithm: Algorithm
  let key: String?
  let claims: JSONValue
  private let signed: ByteView
  private let signature: [UInt8]

  /// Parses a token without verifying it.
  init(_ text: String) throws(ProviderError) {
    guard text.utf8.count <= Self.limit else { throw .token("it is larger than 64 KiB") }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]),
      let head = JSONValue(ofProvider: ByteView(header)),
      let claims = JSONValue(ofProvider: ByteView(payload))
    else { throw .token("it is not a signed JSON Web Token") }
    let name = head["alg"]?.string ?? ""
    guard let algorithm = Algorithm(rawValue: name) else {
      throw .token("it is signed with '\(name.prefix(20))', not with RS256 or ES256")
    }
    // Critical extensions must be understood; none is supported.
    guard head["crit"] == nil else { throw .token("it has unknown extensions") }
    self.algorithm = algorithm
    key = head["kid"]?.string
    self.claims = claims
    self.signature = signature
    signed = ByteView("\(parts[0]).\(parts[1])".utf8)
  }

  /// Whether one of the candidate keys signed it.
  func isSigned(by keys: KeySet) -> Bool {
    keys.keys(for: algorithm, id: key).contains { $0.isSignature(signature, of: signed) }
  }

  /// Checks that the token is for this sign-in.
  func check(_ expected: Expectation) throws(ProviderError) {
    guard claims["iss"]?.string == expected.issuer else {
      throw .token("it is from another issuer")
    }
    let audience =
      claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
    guard audience.contains(expected.client) else { throw .token("it is for another client") }
    let party = claims["azp"]
    guard party == nil && audience.count == 1 || party?.string == expected.client else {
      throw .token("it was made for another client")
    }
    let now = Double(expected.now.seconds)
    guard let end = claims["exp"]?.double else { throw .token("it has no expiry time") }
    guard now < end + Self.skew else { throw .token("it has expired") }
    guard let made = claims["iat"]?.double else { throw .token("it has no issue time") }
    guard made < now + Self.skew, claims["nbf"]?.double ?? made < now + Self.skew else {
      throw .token("it is from the future; compare the clocks of both servers")
    }
    guard made > now - Self.longestAge else { throw .token("it is from another sign-in") }
    guard let nonce = claims["nonce"]?.string,
      HMAC.isEqual(Array(nonce.utf8), Array(expected.nonce.utf8))
    else { throw .token("it is from another sign-in") }
    guard let subject = claims["sub"]?.string, !subject.isEmpty,
      subject.utf8.count <= Self.longestSubject
    else { throw .token("it does not name a subject") }
  }
}
