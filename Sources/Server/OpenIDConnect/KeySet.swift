internal import Bytes
internal import Crypto
internal import JSON

/// The keys with which a provider signs tokens.
///
/// Source: RFC 7517; RFC 7518, section 6.
struct KeySet: Sendable {
  fileprivate struct Key {
    let id: String?
    let key: SignatureKey
  }

  private let keys: [Key]

  /// The maximum number of keys read from one provider.
  private static let limit = 100

  /// Keys of other kinds and for other uses are left out.
  init(_ document: ByteView) throws(ProviderError) {
    guard let value = JSONValue(ofProvider: document), let all = value["keys"]?.array else {
      throw .unusable("its keys are not a JSON Web Key Set")
    }
    keys = all.prefix(Self.limit).compactMap { Key($0) }
  }

  /// The keys that may have signed a token.
  ///
  /// - Parameters:
  ///   - id: The id of the key, if the token names one. Without it, a key is returned only if it is the only
  ///     one.
  func keys(for algorithm: IDToken.Algorithm, id: String?) -> [SignatureKey] {
    let fitting = keys.filter { $0.key.isRSA == (algorithm == .rs256) }
    if let id { return fitting.filter { $0.id == id }.map(\.key) }
    return fitting.count == 1 ? fitting.map(\.key) : []
  }
}

extension KeySet.Key {
  init?(_ value: JSONValue) {
    guard value["use"]?.string ?? "sig" == "sig" else { return nil }
    func bytes(_ name: String) -> [UInt8]? {
      value[name]?.string.flatMap { Base64URL.decode($0) }
    }
    let algorithm = value["alg"]?.string
    let key: SignatureKey?
    switch value["kty"]?.string {
    case "RSA" where algorithm ?? "RS256" == "RS256":
      guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
      key = SignatureKey(rsaModulus: modulus, exponent: exponent)
    case "EC" where algorithm ?? "ES256" == "ES256" && value["crv"]?.string == "P-256":
      guard let x = bytes("x"), let y = bytes("y") else { return nil }
      key = SignatureKey(p256X: x, y: y)
    default: return nil
    }
    guard let key else { return nil }
    self.init(id: value["kid"]?.string, key: key)
  }
}
