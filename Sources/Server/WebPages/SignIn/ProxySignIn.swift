internal import CrashService
internal import HTTP
internal import ServerCore
internal import ServerStore

/// Signs in people whom a trusted proxy has signed in.
///
/// They get a session like everyone else, so that forms have tokens. It lasts as long as the proxy sends the
/// same name.
struct ProxySignIn: Sendable {
  let context: ServerContext

  /// The name that a trusted proxy sends; headers from other senders are ignored.
  func name(in head: RequestHead) -> String? {
    guard let proxy = context.signIn.proxy, head.isFromTrustedProxy else { return nil }
    let values = head.headers.values(of: proxy.header)
    // With two headers, one may come from the client.
    guard values.count == 1, let name = values.first, !name.isEmpty else { return nil }
    return name
  }

  /// Creates a session for the name that the proxy sends.
  ///
  /// - Returns: The visitor and the header field that sets the cookie; `nil` if the proxy sends no name, or
  ///   there is no account with that name.
  func visitor(for head: RequestHead) throws -> (visitor: Visitor, cookie: String)? {
    guard let proxy = context.signIn.proxy, let name = name(in: head) else { return nil }
    if let role = proxy.role, try context.accounts.password(of: name) == nil {
      guard try context.accounts.lookAlike(of: name) == nil else {
        try context.audit.noteRefused("look-alike name", of: name, peer: head.peer, now: .now)
        return nil
      }
      do {
        _ = try context.accounts.add(name, role: role, now: .now)
        try note("add account through the proxy", name, head)
      } catch AccountError.taken {
        // Another request just created it.
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
    // A client without cookies signs in with every request.
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
