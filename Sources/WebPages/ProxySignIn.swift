internal import CrashModel
internal import CrashService
internal import HTTP
internal import ServerStore
internal import WebServer

/// Signing in whom a trusted proxy has signed in.
///
/// It gets a session like everybody else, so that forms have their tokens; the session holds as long as the proxy
/// tells the same name.
struct ProxySignIn: Sendable {
  let context: ServerContext

  /// The name that a trusted proxy tells; that of anybody else does not count.
  func name(in head: RequestHead) -> String? {
    guard let proxy = context.signIn.proxy, head.isFromTrustedProxy else { return nil }
    let values = head.headers.values(of: proxy.header)
    // Of two, one may be what the client sent.
    guard values.count == 1, let name = values.first, !name.isEmpty else { return nil }
    return name
  }

  /// Makes a session for whoever the proxy says is there.
  ///
  /// - Returns: Who it is, and the field that sets the cookie; `nil` where the proxy says nothing, or there is no
  ///   account of that name.
  func visitor(for head: RequestHead) throws -> (visitor: Visitor, cookie: String)? {
    guard let proxy = context.signIn.proxy, let name = name(in: head) else { return nil }
    if let role = proxy.role, try context.accounts.password(of: name) == nil {
      do {
        _ = try context.accounts.add(name, role: role, now: .now)
        try note("add account through the proxy", name, head)
      } catch AccountError.taken {
        // By another request, just now.
      } catch is AccountError {
        return nil
      }
    }
    let isBack = try context.accounts.sessions(of: name, now: .now)
      .contains { $0.method == .proxy }
    guard
      let (session, text) = try context.accounts.signIn(
        as: name, by: .proxy, peer: head.peer, agent: head.headers["User-Agent"] ?? "", now: .now)
    else { return nil }
    // A client that keeps no cookies comes with every request.
    if !isBack { try note("sign in", session.account.name, head) }
    return (
      Visitor(session: session, cookie: text, theme: Theme(head)),
      SessionCookie.session.field(text, lifetime: SignInMethod.proxy.lifetime, for: head)
    )
  }

  private func note(_ action: String, _ name: String, _ head: RequestHead) throws {
    try context.audit.note(
      .init(
        time: .now, token: "session", label: name, action: action, subject: name, peer: head.peer))
  }
}
