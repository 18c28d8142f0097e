internal import Bytes
internal import JSON

/// A provider's description of itself.
///
/// Source: OpenID Connect Discovery 1.0, section 3.
struct ProviderDocument: Sendable {
  let authorization: String
  let token: String
  let keys: String
  let userInfo: String?
  /// Whether the secret goes into the body instead of the header.
  let wantsSecretInBody: Bool

  init(_ document: ByteView, issuer: String) throws(ProviderError) {
    guard let value = JSONValue(ofProvider: document) else {
      throw .unusable("its description is not JSON")
    }
    // Otherwise, one provider could speak for another.
    guard let name = value["issuer"]?.string, name == issuer else {
      throw .unusable(
        "it calls itself '\(value["issuer"]?.string?.prefix(200) ?? "nothing")', not '\(issuer)'")
    }
    func address(_ name: String) throws(ProviderError) -> String? {
      guard let member = value[name], !member.isNull else { return nil }
      guard let text = member.string, ProviderSettings.isSafe(text) else {
        throw .unusable("\(name) is not an https address")
      }
      return text
    }
    guard let authorization = try address("authorization_endpoint"),
      let token = try address("token_endpoint"), let keys = try address("jwks_uri")
    else {
      throw .unusable("its description has no authorization_endpoint, token_endpoint or jwks_uri")
    }
    self.authorization = authorization
    self.token = token
    self.keys = keys
    userInfo = try address("userinfo_endpoint")
    let methods = value["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
    // The header is the default if the provider lists no methods.
    wantsSecretInBody =
      methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") }
      ?? false
  }
}

extension JSONValue {
  /// Parses a document from a provider with limits, because it may be huge or malformed; `nil` if it is not an
  /// object.
  init?(ofProvider document: ByteView) {
    let limits = JSONLimits(depth: 16, bytes: 1 << 20, nodes: 20_000, stringBytes: 1 << 16)
    guard let parse = try? JSONDocument.parse(document, limits: limits), parse.cut == nil,
      parse.value.object != nil
    else { return nil }
    self = parse.value
  }
}
