import Arguments
import Bytes
import CommandSupport
import HTTP
import OpenIDConnect
import ServerCore
import ServerStore
import Terminal

/// Options for signing in to the pages through an identity provider or a proxy.
struct SignInOptions {
  @Option(
    "--oidc-issuer", help: "Let people sign in through this OpenID Connect provider.", value: "URL")
  var issuer: String?
  @Option("--oidc-client", help: "The client id of this server at the provider.", value: "ID")
  var client: String?
  @Option(
    "--oidc-secret-file",
    help: "A file with the client secret, else MAYDAY_OIDC_SECRET; a public client has none.",
    value: "FILE")
  var secretFile: String?
  @Option("--oidc-name", help: "The provider's name on the sign-in page.", value: "TEXT")
  var label: String?
  @Option(
    "--oidc-claim",
    help: "The claim that names accounts: preferred_username, or email if verified.",
    value: "CLAIM")
  var claim = SignInSettings.Provider.Name.userName.rawValue
  @Option("--oidc-scope", help: "The scopes to request.", value: "SCOPES")
  var scopes = "openid profile email"
  @Option(
    "--oidc-role",
    help: "Create accounts with this role at the first sign-in; otherwise they must exist.",
    value: "ROLE")
  var providerRole: String?
  @Option(
    "--oidc-domain", help: "Let in only people with a verified email address of this domain.",
    value: "DOMAIN")
  var domain: String?
  @Option("--oidc-group", help: "Let in only members of this group.", value: "GROUP")
  var group: String?
  @Option(
    "--oidc-ca-file",
    help: "CA certificates (PEM) to trust for the provider instead of the system's.", value: "FILE")
  var authorities: String?
  @Option(
    "--proxy-user-header",
    help: "Accept from a trusted proxy the name of the signed-in user in this header.",
    value: "HEADER")
  var header: String?
  @Option(
    "--proxy-user-role",
    help:
      "Create accounts with this role for names that the proxy sends; otherwise they must exist.",
    value: "ROLE")
  var proxyRole: String?

  static let secretVariable = "MAYDAY_OIDC_SECRET"
  /// The maximum size of a secret in bytes, far above any real one.
  private static let longestSecret = 16_384

  /// - Parameter proxies: The trusted proxies.
  func check(proxies: [String]) throws(UsageError) {
    if (issuer == nil) != (client == nil) {
      throw UsageError("use --oidc-issuer and --oidc-client together")
    }
    if let issuer, !ProviderSettings.isSafe(issuer) {
      throw UsageError("--oidc-issuer: '\(issuer)' is not an https address")
    }
    if SignInSettings.Provider.Name(rawValue: claim) == nil {
      throw UsageError("--oidc-claim is preferred_username or email, not '\(claim)'")
    }
    if !scopes.split(separator: " ").contains("openid") {
      throw UsageError("--oidc-scope must include openid")
    }
    for (name, role) in [("--oidc-role", providerRole), ("--proxy-user-role", proxyRole)] {
      if let role, Account.Role(rawValue: role) == nil {
        throw UsageError("\(name) is viewer, triage or admin, not '\(role)'")
      }
    }
    if issuer == nil, domain != nil || group != nil {
      throw UsageError("--oidc-domain and --oidc-group need --oidc-issuer")
    }
    if let header {
      let isName = header.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
      }
      if header.isEmpty || !isName {
        throw UsageError("--proxy-user-header: '\(header)' is not the name of a header")
      }
      if proxies.isEmpty { throw UsageError("--proxy-user-header needs --trusted-proxy") }
    } else if proxyRole != nil {
      throw UsageError("--proxy-user-role needs --proxy-user-header")
    }
  }

  /// - Throws: `FileError` if the secret cannot be read.
  func settings() throws -> SignInSettings {
    var settings = SignInSettings()
    if let header {
      settings.proxy = .init(header: header, role: proxyRole.flatMap(Account.Role.init(rawValue:)))
    }
    guard let issuer, let client else { return settings }
    var secret = ProgramEnvironment.variables[Self.secretVariable]
    if let secretFile {
      let text = try ByteView(reading: secretFile, limit: Self.longestSecret).text
      secret = text.split(whereSeparator: \.isNewline).first.map(String.init)
      if secret == nil {
        throw CommandFailure("--oidc-secret-file: \(secretFile) is empty".printable, .wrongUsage)
      }
    }
    if let authorities { try InputPaths.check([authorities]) }
    let host = issuer.split(separator: "/").dropFirst().first.map(String.init) ?? issuer
    settings.provider = .init(
      provider: IdentityProvider(
        ProviderSettings(
          issuer: issuer, client: client, secret: secret, scopes: scopes, authorities: authorities)
      ), label: label ?? host,
      name: SignInSettings.Provider.Name(rawValue: claim) ?? .userName,
      role: providerRole.flatMap(Account.Role.init(rawValue:)), domain: domain, group: group)
    return settings
  }
}
