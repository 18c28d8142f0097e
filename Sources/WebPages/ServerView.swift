internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerStore
internal import WebServer

/// What runs the server: the ledger, the quarantine, the audit log, tokens and accounts.
struct ServerView {
  let call: PageCall

  private static let mostEntries = 200
  private static let width = 100

  init(_ call: PageCall) { self.call = call }

  private static let parts = [
    ("/server", "Ledger"), ("/server/quarantine", "Quarantine"), ("/server/tokens", "Tokens"),
    ("/server/accounts", "Accounts"), ("/server/audit", "Audit log"),
  ]

  private func page(_ title: String, _ content: HTML) -> Response {
    let tabs = Self.parts.map { path, name -> HTML in
      let mark: HTML = name == title ? " aria-current=\"page\"" : .none
      return "<li><a href=\"\(path)\"\(mark)>\(name)</a></li>"
    }
    return call.page(
      title, in: .server,
      """
      <h1>\(title)</h1>
      <nav class="tabs" aria-label="Server"><ul>\(tabs)</ul></nav>
      \(content)
      """)
  }

  private func form(_ action: String, _ button: String, _ fields: HTML = .none) -> HTML {
    """
    <form method="post" action="\(action)">\(call.formField)\(fields)<button class="small">\(button)</button></form>
    """
  }

  private func back(_ path: String) -> Response {
    .empty(.seeOther, headers: ["Location": path])
  }

  // MARK: Ledger

  func ledger() throws -> Response {
    let lines = LedgerText(ledger: try call.service.ledger(of: nil)).lines(
      width: Self.width, styles: .plain
    ).map { "\($0)\n" as HTML }
    return page(
      "Ledger",
      """
      <p>What became of every submission: stored, known before, refused, trimmed or expired.</p>
      <pre class="message" tabindex="0">\(lines)</pre>
      """)
  }

  // MARK: Quarantine

  func quarantine() throws -> Response {
    let all = try call.service.quarantined()
    let rows = all.prefix(Self.mostEntries).map { entry -> HTML in
      """
      <tr><td class="number">\(entry.id)</td><td>\(PageText.time(entry.received, now: call.now))</td>\
      <td>\(entry.route)</td><td class="number">\(PageText.number(entry.size))</td><td>\(entry.problem)</td>\
      <td class="actions">\(form("/server/quarantine/\(entry.id)/retry", "Retry"))\
      \(form("/server/quarantine/\(entry.id)/discard", "Discard"))</td></tr>

      """
    }
    guard !rows.isEmpty else {
      return page(
        "Quarantine", "<p class=\"empty\">Empty: every submission that came could be stored.</p>")
    }
    return page(
      "Quarantine",
      """
      <p>\(GroupText.count(all.count, "submission", "submissions")) could not be stored. A later version may \
      be able to.</p>
      \(form("/server/quarantine/all/retry", "Retry all"))
      <div class="scroll"><table><thead><tr><th class="number">No.</th><th>Received</th><th>Route</th>\
      <th class="number">Bytes</th><th>Problem</th><th><span class="hidden">Actions</span></th></tr></thead>\
      <tbody>\(rows)</tbody></table></div>
      """)
  }

  func decideAboutQuarantined() throws -> Response {
    var ids: [Int]?
    if call.parameter("id") != "all" {
      guard let id = Int(call.parameter("id")) else {
        throw ServiceError("no submission has that number", .notFound)
      }
      ids = [id]
    }
    switch call.parameter("action") {
    case "retry": _ = try call.service.retryQuarantined(ids)
    case "discard" where ids != nil: _ = try call.service.discardQuarantined(ids)
    default: throw ServiceError("no such action", .notFound)
    }
    try call.note(call.parameter("action") + " quarantined", call.parameter("id"))
    return back("/server/quarantine")
  }

  // MARK: Tokens

  func tokens() throws -> Response { try tokens(made: nil) }

  private func tokens(made: String?) throws -> Response {
    let rows = try call.service.tokens().map { token -> HTML in
      let end: HTML =
        token.revoked != nil
        ? "<span class=\"quiet\">revoked</span>"
        : form("/server/tokens/\(token.id.inAddress)/revoke", "Revoke")
      return """
        <tr><td>\(token.label)</td><td>\(token.scopes.map(\.rawValue).sorted().joined(separator: " "))</td>\
        <td>\(token.app ?? "all")</td><td>\(token.expires.map(GroupText.day) ?? "never")</td>\
        <td>\(token.used == nil ? "never" : PageText.time(token.used, now: call.now))</td><td>\(end)</td></tr>

        """
    }
    let scopes = TokenScope.allCases.map { scope -> HTML in
      "<label><input type=\"checkbox\" name=\"scope\" value=\"\(scope.rawValue)\"> \(scope.rawValue)</label> "
    }
    let shown: HTML =
      made.map {
        "<p role=\"status\"><b>Copy it now; it is shown this once:</b></p><pre class=\"message\">\($0)</pre>"
      } ?? .none
    return page(
      "Tokens",
      """
      \(shown)
      <form class="card" method="post" action="/server/tokens">\(call.formField)
      <p><label>Label <input name="label" required></label> <label>App <input name="app" placeholder="all"></label> \
      <label>Valid for <input name="for" placeholder="365d"></label></p>
      <p>\(scopes)</p><p><button class="primary">Create a token</button></p></form>
      <div class="scroll"><table><thead><tr><th>Label</th><th>Scopes</th><th>App</th><th>Until</th><th>Used</th>\
      <th><span class="hidden">Actions</span></th></tr></thead><tbody>\(rows)</tbody></table></div>
      """)
  }

  func makeToken() throws -> Response {
    let scopes = Set(call.form.values(of: "scope").compactMap(TokenScope.init(rawValue:)))
    guard let label = text("label"), !scopes.isEmpty else {
      throw ServiceError("a token needs a label and at least one scope", .wrongUsage)
    }
    var length: TimeLength?
    if let words = text("for") {
      guard let read = TimeLength(argument: words) else {
        throw ServiceError("'\(words)' is not a length of time; use 30d or 12h", .wrongUsage)
      }
      length = read
    }
    let (token, secret) = try call.service.makeToken(
      label: label, scopes: scopes, app: text("app"), for: length)
    try call.note("add token", token.id)
    return try tokens(made: secret)
  }

  func revokeToken() throws -> Response {
    try call.service.revokeToken(call.parameter("id"))
    try call.note("revoke token", call.parameter("id"))
    return back("/server/tokens")
  }

  // MARK: Accounts

  func accounts() throws -> Response { try accounts(link: nil) }

  private func accounts(link: String?) throws -> Response {
    let accounts = call.context.accounts
    let rows = try accounts.all().map { account -> HTML in
      let sessions = try accounts.sessions(of: account.name, now: call.now)
      let place = "/server/accounts/" + account.name.inAddress
      return """
        <tr><td>\(account.name)</td><td>\(account.role.rawValue)</td><td>\(account.app ?? "all")</td>\
        <td class="number">\(sessions.count)</td>\
        <td>\(sessions.isEmpty ? "never" : PageText.time(sessions.first?.seen, now: call.now))</td>\
        <td class="actions">\(form(place + "/link", "New link"))\(form(place + "/remove", "Remove"))</td></tr>

        """
    }
    let roles = Account.Role.allCases.map { "<option>\($0.rawValue)</option>" as HTML }
    let shown: HTML =
      link.map {
        "<p role=\"status\"><b>Send this link; it signs in once, for a day:</b></p><pre class=\"message\">\($0)</pre>"
      } ?? .none
    return page(
      "Accounts",
      """
      \(shown)
      <form class="card" method="post" action="/server/accounts">\(call.formField)
      <p><label>Name <input name="name" required></label> <label>Role <select name="role">\(roles)</select></label> \
      <label>App <input name="app" placeholder="all"></label></p>
      <p><button class="primary">Invite</button></p></form>
      <div class="scroll"><table><thead><tr><th>Name</th><th>Role</th><th>App</th><th class="number">Sessions</th>\
      <th>Seen</th><th><span class="hidden">Actions</span></th></tr></thead><tbody>\(rows)</tbody></table></div>
      """)
  }

  func invite() throws -> Response {
    guard let role = text("role").flatMap(Account.Role.init(rawValue:)) else {
      throw ServiceError("a role is viewer, triage or admin", .wrongUsage)
    }
    let account = try changing {
      try call.context.accounts.add(text("name") ?? "", role: role, app: text("app"), now: call.now)
    }
    try call.note("add account", account.name)
    return try accounts(link: try link(account.name))
  }

  func decideAboutAccount() throws -> Response {
    let name = call.parameter("name")
    switch call.parameter("action") {
    case "link":
      let link = try link(name)
      try call.note("make sign-in link", name)
      return try accounts(link: link)
    case "remove":
      try changing { try call.context.accounts.remove(name) }
      try call.note("remove account", name)
      return back("/server/accounts")
    default: throw ServiceError("no such action", .notFound)
    }
  }

  private func link(_ name: String) throws -> String {
    let code = try changing { try call.context.accounts.makeLink(for: name, now: call.now) }
    return call.request.head.origin + "/sign-in?code=" + code.inAddress
  }

  private func changing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as AccountError {
      let kind: ServiceError.Kind =
        switch error {
        case .unknown: .notFound
        case .invalidName: .wrongUsage
        case .taken, .lastAdmin: .failed
        }
      throw ServiceError(error.description, kind)
    }
  }

  /// `nil` where the field is empty.
  private func text(_ name: String) -> String? {
    call.form[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  // MARK: Audit log

  func audit() throws -> Response {
    let before = call.request.query["before"].flatMap { Int($0) }
    let entries = try call.context.audit.latest(Self.mostEntries, before: before)
    let rows = entries.map { number, entry -> HTML in
      """
      <tr><td class="number">\(number)</td><td>\(PageText.time(entry.time, now: call.now))</td>\
      <td>\(entry.label)</td><td>\(entry.action)</td><td>\(entry.subject)</td><td class="side">\(entry.peer)</td></tr>

      """
    }
    let older: HTML =
      entries.count == Self.mostEntries
      ? "<p><a class=\"button\" href=\"/server/audit?before=\(entries.last?.number ?? 0)\">Older</a></p>"
      : .none
    return page(
      "Audit log",
      """
      <div class="scroll"><table><thead><tr><th class="number">No.</th><th>Time</th><th>Who</th><th>Did</th>\
      <th>To what</th><th class="side">From</th></tr></thead><tbody>\(rows)</tbody></table></div>
      \(older)
      """)
  }
}
