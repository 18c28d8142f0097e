/// An identity provider, and this server's client credentials for it.
public struct ProviderSettings: Sendable {
  /// The issuer URL as the provider spells it: `https://login.example.com/realms/dev`.
  public var issuer: String
  public var client: String
  /// The client secret; `nil` for a public client, which only PKCE protects.
  public var secret: String?
  /// The scopes to request, including `openid`.
  public var scopes: String
  /// A PEM file of CA certificates to trust for it instead of the system's.
  public var authorities: String?

  public init(
    issuer: String, client: String, secret: String? = nil, scopes: String = "openid profile email",
    authorities: String? = nil
  ) {
    self.issuer = issuer
    self.client = client
    self.secret = secret
    self.scopes = scopes
    self.authorities = authorities
  }

  /// Whether codes and tokens may go to an address: over HTTPS, or to this machine.
  public static func isSafe(_ address: String) -> Bool {
    guard address.utf8.count <= 2_000, address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      return false
    }
    if address.hasPrefix("https://") { return address.utf8.count > "https://".utf8.count }
    guard address.hasPrefix("http://") else { return false }
    let host = address.dropFirst("http://".count).prefix { !"/?#".contains($0) }
    // The text before an @ is a user name and password; the host follows it.
    guard !host.contains("@") else { return false }
    return ["127.0.0.1", "localhost", "[::1]"].contains {
      host == $0 || host.hasPrefix($0 + ":") && host.dropFirst($0.count + 1).allSatisfy(\.isNumber)
    }
  }
}
