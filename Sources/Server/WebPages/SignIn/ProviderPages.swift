internal import Bytes
internal import CrashService
internal import HTTP
internal import OpenIDConnect
internal import Rendering
internal import ServerCore
internal import ServerStore

/// Sign-in through an identity provider: the redirect to it, and its response.
///
/// The button is a link, because browsers apply the page's `form-action` to redirects after a form.
struct ProviderPages: Sendable {
  let pages: SignInPages
  let settings: SignInSettings.Provider

  private static let path = "/sign-in/provider"
  /// The address at which a signed-in user connects the account.
  static let connecting = path + "?next=%2Faccount"
  private static let callback = "/sign-in/provider/callback"
  /// Time limit for signing in at the provider, in seconds.
  private static let patience = 600

  func add(to router: inout Router) {
    router.get(Self.path) { try go($0) }
    router.get(Self.callback) { try come($0) }
  }

  /// The button on the sign-in page.
  static func button(_ settings: SignInSettings.Provider?, next: String) -> HTML {
    guard let settings else { return .none }
    let query = next == "/" ? "" : "?next=" + next.inAddress
    return """
      <p class="provider"><a class="button primary" href="\(path + query)">Sign in with \(settings.label)</a></p>
      <h2>Sign in with a password</h2>
      """
  }

  /// Stores the secret of a new sign-in in the browser and redirects it to the provider. The server stores
  /// nothing.
  private func go(_ request: Request) throws -> Response {
    let next = SignInPages.localPath(request.query["next"])
    if let refusal = pages.refusal(of: request) { return refusal }
    let flow = SignInFlow()
    let address: String
    do {
      address = try settings.provider.address(for: flow, back: back(request.head))
    } catch let error as ProviderError {
      return try failure(error, next, request)
    }
    // Browsers limit a cookie to 4 KiB.
    let kept = next.utf8.count <= 1_500 ? next : "/"
    let value = flow.secret + "." + Array(kept.utf8).hexadecimalDigits
    return .empty(
      .seeOther,
      headers: [
        "Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
        "Set-Cookie": SessionCookie.flow.field(
          value, lifetime: Self.patience, for: request.head),
      ])
  }

  /// Deletes the cookie, so that the provider's response works once, and only in the browser that started.
  private func come(_ request: Request) throws -> Response {
    if let refusal = pages.refusal(of: request) { return refusal }
    var response = try answer(request)
    // The response may also set the session's cookie.
    response.headers.add(
      "Set-Cookie", SessionCookie.flow.field(nil, lifetime: 0, for: request.head))
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  private func answer(_ request: Request) throws -> Response {
    let parts = (SessionCookie.flow.text(in: request.head) ?? "").split(separator: ".")
    let text = "This response belongs to another sign-in or came too late. Sign in again."
    // Anyone can request this address: only a browser that began a sign-in gets a line in the audit log.
    guard parts.count == 2, let flow = SignInFlow(secret: String(parts[0])) else {
      return pages.page(next: "/", problem: text)
    }
    guard flow.isState(request.query["state"]) else {
      return try refused(text, "wrong state", next: "/", request)
    }
    let bytes = [UInt8](hexadecimal: String(parts[1])) ?? []
    let next = SignInPages.localPath(String(decoding: bytes, as: UTF8.self))
    guard let code = request.query["code"], request.query["error"] == nil else {
      let reason = request.query["error"] ?? "no code"
      let text =
        reason == "access_denied"
        ? "\(settings.label) denied access, or you cancelled the sign-in."
        : "\(settings.label) refused the sign-in: \(reason.prefix(100))"
      return try refused(text, "refused by the identity provider", next: next, request)
    }
    let identity: Identity
    do {
      identity = try settings.provider.identity(
        ofCode: code, in: flow, issuer: request.query["iss"], claims: wanted,
        back: back(request.head), now: .now)
    } catch let error as ProviderError {
      return try failure(error, next, request)
    }
    return try signIn(identity, next, request)
  }

  private var wanted: [String] {
    var claims = [settings.name.rawValue]
    if settings.group != nil { claims.append("groups") }
    if settings.domain != nil { claims.append("email") }
    return claims
  }

  private func signIn(_ identity: Identity, _ next: String, _ request: Request) throws -> Response {
    let name =
      switch settings.name {
      case .userName: identity.text("preferred_username")
      case .email: identity.verifiedMail
      }
    guard let name, !name.isEmpty else {
      return try refused(
        "\(settings.label) did not send your \(settings.name == .email ? "verified email address" : "user name").",
        "no name from the identity provider", next: next, request)
    }
    guard isWelcome(identity) else {
      return try refused(
        "\(settings.label) signed you in as \(name), who may not sign in here. Ask an admin.",
        "not in the group or domain", next: next, request)
    }
    let accounts = pages.context.accounts
    if try accounts.password(of: name) == nil {
      guard let role = settings.role else {
        return try refused(
          "\(settings.label) signed you in as \(name), but there is no account with that name here. Ask an admin for one.",
          "unknown account", next: next, request)
      }
      if let other = try accounts.lookAlike(of: name) {
        return try refused(
          "The name \(name) \(other.text). Ask an admin for an account.", "look-alike name",
          of: name,
          next: next, request)
      }
      do {
        _ = try accounts.add(name, role: role, now: .now)
        try pages.note("add account through the identity provider", name, request.head)
      } catch AccountError.taken {
        // The same person just created it in another browser.
      } catch let error as AccountError {
        return try refused("\(error)", "unknown account", next: next, request)
      }
    }
    let subject = settings.provider.settings.issuer + " " + identity.subject
    let visitor = try Visitor(request.head, in: pages.context)
    let claim = try accounts.claim(
      name, for: subject, isOwner: visitor?.account.isCalled(name) == true,
      defaultRole: settings.role, now: .now)
    switch claim {
    case .owner: break
    case .new: try pages.note("connect account to the identity provider", name, request.head)
    case .unconnected:
      return try refused(
        """
        The account \(name) is not connected to \(settings.label). Sign in with its password or a sign-in link, \
        then connect it under your name.
        """, "unconnected account", of: name, next: next, request)
    case .reserved:
      return try refused(
        """
        The account \(name) is waiting for the person it was made for. Sign in with the link that an admin gave \
        you, then connect it under your name.
        """, "account not given by name", of: name, next: next, request)
    case .refused: return try belongsToSomebodyElse(name, next, request)
    }
    guard
      let (session, text) = try accounts.signIn(
        as: name, by: .provider, peer: request.peer,
        agent: request.head.headers["User-Agent"] ?? "", now: .now)
    else { return try belongsToSomebodyElse(name, next, request) }
    return try pages.welcome(session, text, to: next, request)
  }

  private func belongsToSomebodyElse(
    _ name: String, _ next: String, _ request: Request
  ) throws -> Response {
    try refused(
      "The account \(name) belongs to another person at \(settings.label). Ask an admin.",
      "another person's account", of: name, next: next, request)
  }

  /// Whether the person is in the required group and domain. It is checked at every sign-in: people who leave
  /// can no longer sign in.
  private func isWelcome(_ identity: Identity) -> Bool {
    if let group = settings.group, !identity.groups.contains(group) { return false }
    guard let domain = settings.domain else { return true }
    let parts = identity.verifiedMail?.split(separator: "@", omittingEmptySubsequences: false) ?? []
    return parts.count == 2 && parts[1].lowercased() == domain.lowercased()
  }

  // MARK: Failures

  private func failure(_ error: ProviderError, _ next: String, _ request: Request) throws
    -> Response
  {
    // The rest is for the server's log, not for strangers.
    ServerLog.report(error, request.head.id)
    switch error {
    case .busy: return SignInPages.busy
    case .unreachable:
      return pages.page(
        next: next, problem: "\(settings.label) did not respond. Try again later.",
        status: .serviceUnavailable)
    case .unusable:
      return pages.page(
        next: next,
        problem:
          "\(settings.label) sent a response that this server does not understand. The server's log has the details.",
        status: .serviceUnavailable)
    case .refused:
      return try refused(
        "\(settings.label) did not confirm the sign-in. Sign in again.",
        "refused by the identity provider",
        next: next, request)
    case .token:
      return try refused(
        "The response from \(settings.label) is not for this sign-in. The server's log says why. Sign in again.",
        "wrong ID token", next: next, request)
    }
  }

  private func refused(
    _ text: String, _ action: String, of name: String = "", next: String, _ request: Request
  ) throws -> Response {
    try pages.context.audit.noteRefused(action, of: name, peer: request.peer, now: .now)
    return pages.page(next: next, problem: text)
  }

  /// Where the provider sends the browser back to.
  private func back(_ head: RequestHead) -> String {
    (pages.context.signIn.serverURL ?? head.origin) + Self.callback
  }
}
