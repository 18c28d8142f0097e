/// Which identity provider, and as whom it knows this server.
public struct ProviderSettings: Sendable {
  /// As the provider calls itself: `https://login.example.com/realms/dev`.
  public var issuer: String
  public var client: String
  /// `nil` for a client without one, which PKCE alone protects.
  public var secret: String?
  /// What it is asked for, `openid` included.
  public var scopes: String
  /// A file in PEM with the certificates that vouch for it, in place of those of the machine.
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
    // Whose name and password stand before an @ is another host.
    guard !host.contains("@") else { return false }
    return ["127.0.0.1", "localhost", "[::1]"].contains {
      host == $0 || host.hasPrefix($0 + ":") && host.dropFirst($0.count + 1).allSatisfy(\.isNumber)
    }
  }
}
