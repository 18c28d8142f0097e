internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The account page: the account, its password, and the browsers where it is signed in.
struct AccountView {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  func response(problem: String? = nil, _ status: Status = .ok) throws -> Response {
    let account = call.visitor.account
    let sessions = try call.context.accounts.sessions(of: account.name, now: call.now)
    var table = CardTable([
      ("Browser", .text), ("Address", .mono), ("Method", .text), ("Last seen", .side),
      ("Actions", .actions),
    ])
    for session in sessions {
      let end: HTML =
        session.id == call.visitor.session.id
        ? "<span class=\"quiet\">this browser</span>"
        : """
        <form method="post" action="/account/sessions/\(session.id)/end">\(call.formField)\
        <button class="small">Sign out</button></form>
        """
      table.add([
        "\(session.agent.isEmpty ? "unknown browser" : session.agent)", "\(session.peer)",
        "\(session.method?.words ?? "")", PageText.time(session.seen, now: call.now), end,
      ])
    }
    let message: HTML =
      problem.map { "<p class=\"message\" role=\"alert\">\($0)</p>" }
      ?? (call.request.query["done"] == "password"
        ? """
        <p class="message" role="status">Password saved. Your other browsers are signed out.</p>
        """ : .none)
    var page = call.page(
      account.name,
      """
      <h1>\(account.name)</h1>
      \(message)
      <p>Role: \(account.role.rawValue)\(account.app.map { ", app: \($0)" } ?? "")</p>
      \(signOut)
      \(try passwordSection())
      \(try connection())
      <h2>Sessions</h2>
      \(table.markup)
      \(try commands())
      """)
    page.status = status
    return page
  }

  /// The commands that are signed in as this account.
  private func commands() throws -> HTML {
    let tokens = try own().filter {
      $0.revoked == nil && ($0.expires.map { $0 > call.now } ?? true)
    }
    guard !tokens.isEmpty else { return .none }
    var table = CardTable([
      ("Command", .text), ("May", .text), ("Valid until", .side), ("Last used", .side),
      ("Actions", .actions),
    ])
    for token in tokens {
      table.add([
        "\(token.label)", "\(token.scopes.map(\.rawValue).sorted().joined(separator: " "))",
        "\(token.expires.map(GroupText.day) ?? "")",
        token.used == nil ? "never" : PageText.time(token.used, now: call.now),
        """
        <form method="post" action="/account/commands/\(token.id)/end">\(call.formField)\
        <button class="small">Sign out</button></form>
        """,
      ])
    }
    return "<h2>Commands</h2>\(table.markup)"
  }

  private func own() throws -> [Token] {
    try call.context.tokens.all().filter {
      $0.account.map(call.visitor.account.isCalled) ?? false
    }
  }

  /// Revokes the token of one of the account's commands.
  func endCommand() throws -> Response {
    let id = call.parameter("id")
    if try own().contains(where: { $0.id == id }),
      try call.context.tokens.revoke(id, now: call.now)
    {
      try call.note("sign out a command", id)
    }
    return .empty(.seeOther, headers: ["Location": "/account"])
  }

  private var signOut: HTML {
    if call.visitor.session.method == .proxy {
      return "<p>A proxy signed you in. To sign out, sign out at the proxy.</p>"
    }
    return """
      <form method="post" action="/sign-out">\(call.formField)<button>Sign out</button></form>
      """
  }

  /// The section for connecting this account to the identity provider.
  private func connection() throws -> HTML {
    guard let provider = call.context.signIn.provider, call.visitor.session.method != .proxy else {
      return .none
    }
    let isConnected = try call.context.accounts.isConnected(call.visitor.account.name)
    let state: HTML =
      isConnected
      ? "<p>This account is connected: you can sign in with \(provider.label).</p>"
      : """
      <p><a class="button" href="\(ProviderPages.connecting)">Connect to \(provider.label)</a></p>
      <p class="quiet">Sign in there under the same name. From then on, \(provider.label) signs you in.</p>
      """
    return "<h2>\(provider.label)</h2>\(state)"
  }

  /// Sets the theme and returns to the page with the switch.
  func setTheme() -> Response {
    let theme = call.form["to"].flatMap(Theme.init(rawValue:)) ?? .system
    let head = call.request.head
    let from = head.headers["Referer"] ?? ""
    let page = [head.reachedAddress, head.origin].first { from.hasPrefix($0 + "/") }
      .map { String(from.dropFirst($0.count)) }
    return .empty(
      .seeOther,
      headers: [
        "Location": SignInPages.localPath(page), "Set-Cookie": theme.field(for: call.request.head),
      ])
  }

  func endSession() throws -> Response {
    let id = call.parameter("id")
    if try call.context.accounts.endSession(id, of: call.visitor.account.name) {
      try call.note("end session", call.visitor.account.name)
    }
    return .empty(.seeOther, headers: ["Location": "/account"])
  }
}

extension SignInMethod {
  /// The method's name in the list of sessions.
  var words: String {
    switch self {
    case .link: "link"
    case .password: "password"
    case .provider: "identity provider"
    case .proxy: "proxy"
    }
  }
}
