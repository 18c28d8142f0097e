internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The admin pages: ledger, quarantine, tokens, accounts, retention and audit log.
struct ServerView {
  let call: PageCall

  private static let mostEntries = 200

  init(_ call: PageCall) { self.call = call }

  private static let parts = [
    ("/server", "Ledger"), ("/server/quarantine", "Quarantine"), ("/server/tokens", "Tokens"),
    ("/server/accounts", "Accounts"), ("/server/retention", "Retention"),
    ("/server/scrubbing", "Scrubbing"), ("/server/erasure", "Erasure"),
    ("/server/alerts", "Alerts"),
    ("/server/audit", "Audit log"),
  ]

  /// A page of the section, under its tabs.
  func page(_ title: String, _ content: HTML) -> Response {
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

  func form(_ action: String, _ button: String, _ fields: HTML = .none) -> HTML {
    """
    <form method="post" action="\(action)">\(call.formField)\(fields)<button class="small">\(button)</button></form>
    """
  }

  /// A button that asks before it removes something.
  ///
  /// - Parameter question: Names it, and the consequences.
  func removal(_ action: String, _ button: String, asks question: String) -> HTML {
    call.removal(action, button, asks: question)
  }

  private func back(_ path: String) -> Response {
    .empty(.seeOther, headers: ["Location": path])
  }

  // MARK: Ledger

  func ledger() throws -> Response {
    let isChecked = call.request.query["check"] != nil
    var ledger = Ledger()
    if isChecked {
      ledger = try call.service.ledger(of: nil)
    } else {
      ledger.accounts = try call.context.store.ledger.accounts(app: nil)
    }
    let check: HTML =
      isChecked
      ? .none
      : "<p><a class=\"button\" href=\"/server?check\">Compare all counts with the stored data</a></p>"
    return page(
      "Ledger",
      """
      <p>The outcome of every submission: stored, already known, refused, trimmed or expired.</p>
      \(LedgerView(ledger: ledger, isChecked: isChecked).content)
      \(check)
      """)
  }

  // MARK: Quarantine

  func quarantine() throws -> Response {
    let all = try call.service.quarantined()
    guard !all.isEmpty else {
      return page(
        "Quarantine",
        """
        <p class="empty">Nothing is quarantined. Submissions that were refused are in the \
        <a href="/server">ledger</a>.</p>
        """)
    }
    var table = CardTable([
      ("No.", .number), ("Received", .side), ("Protocol", .mono), ("Size", .number),
      ("Problem", .text), ("Actions", .actions),
    ])
    for entry in all.prefix(Self.mostEntries) {
      table.add([
        "\(entry.id)", PageText.time(entry.received, now: call.now), "\(entry.route)",
        "\(DebugFileList.size(entry.size))", "\(entry.problem)",
        """
        \(form("/server/quarantine/\(entry.id)/retry", "Retry"))\
        \(removal(
          "/server/quarantine/\(entry.id)/discard", "Discard",
          asks: "Discard submission \(entry.id)? It is deleted for good."))
        """,
      ])
    }
    return page(
      "Quarantine",
      """
      <p>\(GroupText.count(all.count, "submission", "submissions")) could not be stored. A later version of \
      Mayday may succeed.</p>
      \(form("/server/quarantine/all/retry", "Retry all"))
      \(table.markup)
      """)
  }

  func decideAboutQuarantined() throws -> Response {
    var ids: [Int]?
    if call.parameter("id") != "all" {
      guard let id = Int(call.parameter("id")) else {
        throw ServiceError("there is no submission with that number", .notFound)
      }
      ids = [id]
    }
    switch call.parameter("action") {
    case "retry": _ = try call.service.retryQuarantined(ids)
    case "discard" where ids != nil: _ = try call.service.discardQuarantined(ids)
    default: throw ServiceError("unknown action", .notFound)
    }
    try call.note(call.parameter("action") + " quarantined", call.parameter("id"))
    return back("/server/quarantine")
  }

  // MARK: Tokens

  func tokens() throws -> Response { try tokens(made: nil) }

  private func tokens(made: String?) throws -> Response {
    let path = "/server/tokens"
    var table = CardTable([
      ("Label", .text), ("Scopes", .text), ("App", .text), ("Expires", .text), ("Last used", .side),
      ("Actions", .actions),
    ])
    for token in try call.service.tokens() {
      let end: HTML =
        token.revoked != nil
        ? "<span class=\"quiet\">revoked</span>"
        : removal(
          "/server/tokens/\(token.id.inAddress)/revoke", "Revoke",
          asks: "Revoke \(token.label)? Programs that use it are refused from now on.")
      table.add(
        [
          "\(token.label)", "\(token.scopes.map(\.rawValue).sorted().joined(separator: " "))",
          "\(token.app ?? "all")", "\(token.expires.map(GroupText.day) ?? "never")",
          token.used == nil ? "never" : PageText.time(token.used, now: call.now), end,
        ], isQuiet: token.revoked != nil)
    }
    let scopes = TokenScope.allCases.map { scope -> HTML in
      let mark = call.mark(" checked", "scope", scope.rawValue, in: path, else: false)
      return """
        <label><input type="checkbox" name="scope" value="\(scope.rawValue)"\(mark)> \
        <span><b>\(scope.rawValue)</b> <span class="quiet">\(scope.meaning)</span></span></label>

        """
    }
    let shown: HTML =
      made.map {
        "<p role=\"status\"><b>Copy the token now; it is shown only once:</b></p><pre class=\"message\">\($0)</pre>"
      } ?? .none
    return page(
      "Tokens",
      """
      \(shown)
      <form class="card" method="post" action="\(path)">\(call.formField)
      <div class="fields"><label><span>Label</span><input name="label" value="\(call.typed("label", in: path))" required></label>
      <label><span>App</span>\(try appMenu(in: path))</label>
      <label><span>Valid for</span><input name="for" value="\(call.typed("for", in: path))" placeholder="no limit, or 365d"></label></div>
      <fieldset class="choices"><legend>Scopes: what it may do</legend>\(scopes)</fieldset><p><button class="primary">Create token</button></p></form>
      \(table.markup)
      """)
  }

  /// A menu of the apps, in a form that is sent to `path`.
  private func appMenu(in path: String) throws -> HTML {
    let names = try call.service.apps().map { app -> HTML in
      "<option\(call.mark(" selected", "app", app.name, in: path, else: false))>\(app.name)</option>"
    }
    return "<select name=\"app\"><option value=\"\">All apps</option>\(names)</select>"
  }

  private static let roleMeanings = Account.Role.allCases.map { role -> HTML in
    "<div><dt>\(role.rawValue)</dt><dd class=\"quiet\">\(role.meaning)</dd></div>"
  }

  func makeToken() throws -> Response { try tokens(made: try newToken()) }

  /// - Returns: The token's text.
  private func newToken() throws -> String {
    let scopes = Set(call.form.values(of: "scope").compactMap(TokenScope.init(rawValue:)))
    guard let label = call.text("label"), !scopes.isEmpty else {
      throw ServiceError("a token needs a label and at least one scope", .wrongUsage)
    }
    var length: TimeLength?
    if let words = call.text("for") {
      guard let read = TimeLength(argument: words) else {
        throw ServiceError("'\(words)' is not a length of time; use 30d or 12h", .wrongUsage)
      }
      length = read
    }
    let (token, secret) = try call.service.makeToken(
      label: label, scopes: scopes, app: call.text("app"), for: length)
    try call.note("add token", token.id)
    return secret
  }

  func revokeToken() throws -> Response {
    try call.service.revokeToken(call.parameter("id"))
    try call.note("revoke token", call.parameter("id"))
    return back("/server/tokens")
  }

  // MARK: Accounts

  func accounts() throws -> Response { try accounts(link: nil) }

  private func accounts(link: String?) throws -> Response {
    let invitation = "/server/accounts"
    let accounts = call.context.accounts
    var table = CardTable([
      ("Name", .text), ("Role", .text), ("App", .text), ("Sessions", .number), ("Last seen", .side),
      ("Actions", .actions),
    ])
    for account in try accounts.all() {
      let sessions = try accounts.sessions(of: account.name, now: call.now)
      let path = "/server/accounts/" + account.name.inAddress
      table.add([
        "\(account.name)", roleForm(account, path), "\(account.app ?? "all")",
        "\(sessions.count)",
        sessions.isEmpty ? "never" : PageText.time(sessions.first?.seen, now: call.now),
        """
        \(form(path + "/link", "New link"))\
        \(removal(path + "/remove", "Remove", asks: "Remove \(account.name)? It is signed out everywhere."))
        """,
      ])
    }
    let roles = Account.Role.allCases.map { role -> HTML in
      let mark = call.mark(" selected", "role", role.rawValue, in: invitation, else: false)
      return "<option\(mark)>\(role.rawValue)</option>"
    }
    let shown: HTML =
      link.map {
        "<p role=\"status\"><b>Send this link. It works once and expires after a day:</b></p><pre class=\"message\">\($0)</pre>"
      } ?? .none
    return page(
      "Accounts",
      """
      \(shown)
      <form class="card" method="post" action="\(invitation)">\(call.formField)
      <div class="fields"><label><span>Name</span><input name="name" value="\(call.typed("name", in: invitation))" required></label>
      <label><span>Role</span><select name="role">\(roles)</select></label>
      <label><span>App</span>\(try appMenu(in: invitation))</label></div>
      <dl class="choices">\(Self.roleMeanings)</dl>
      <p><button class="primary">Invite</button></p></form>
      \(table.markup)
      """)
  }

  func invite() throws -> Response { try accounts(link: try newAccount()) }

  /// - Returns: The link with which its owner signs in.
  private func newAccount() throws -> String {
    guard let role = call.text("role").flatMap(Account.Role.init(rawValue:)) else {
      throw ServiceError("the role must be viewer, triage or admin", .wrongUsage)
    }
    let added = try call.service.addAccount(
      call.text("name") ?? "", role: role, app: call.text("app"), claimability: .upToDefaultRole)
    try call.note("add account", added.link.name)
    return address(of: added.link)
  }

  func decideAboutAccount() throws -> Response {
    let name = call.parameter("name")
    switch call.parameter("action") {
    case "link":
      let link = try link(name)
      try call.note("make sign-in link", name)
      return try accounts(link: link)
    case "role":
      guard let role = call.text("role").flatMap(Account.Role.init(rawValue:)) else {
        throw ServiceError("the role must be viewer, triage or admin", .wrongUsage)
      }
      _ = try call.service.setRole(role, ofAccount: name)
      try call.note("set role \(role.rawValue)", name)
      return back("/server/accounts")
    case "remove":
      try call.service.removeAccount(name)
      try call.note("remove account", name)
      return back("/server/accounts")
    default: throw ServiceError("unknown action", .notFound)
    }
  }

  /// The menu in which the role of an account is changed.
  private func roleForm(_ account: Account, _ path: String) -> HTML {
    let roles = Account.Role.allCases.map { role -> HTML in
      let mark = call.mark(
        " selected", "role", role.rawValue, in: path + "/role", else: role == account.role)
      return "<option\(mark)>\(role.rawValue)</option>"
    }
    return """
      <form method="post" action="\(path)/role">\(call.formField)\
      <select name="role" aria-label="Role of \(account.name)">\(roles)</select> \
      <button class="small">Change</button></form>
      """
  }

  private func link(_ name: String) throws -> String {
    address(of: try call.service.makeSignInLink(forAccount: name))
  }

  private func address(of link: SignInLink) -> String {
    let origin = call.context.signIn.serverURL ?? call.request.head.origin
    return origin + "/sign-in?code=" + link.code.inAddress
  }

  // MARK: Retention

  func retention() throws -> Response {
    var table = CardTable([
      ("App", .text), ("Days", .number), ("Disk space", .number), ("Reports per group", .number),
    ])
    for app in try call.service.apps() {
      let limits = app.retention
      table.add(
        [
          "<a href=\"\(AppsView.path(app.name))\">\(app.name)</a>",
          "\(limits.days.map(PageText.number) ?? "no limit")",
          "\(limits.bytes.map { DebugFileList.size($0) } ?? "no limit")",
          "\(limits.perGroup.map(PageText.number) ?? "no limit")",
        ], link: true)
    }
    let list: HTML = table.isEmpty ? "<p class=\"empty\">No apps yet.</p>" : table.markup
    return page(
      "Retention",
      """
      <p>The limits for each app's reports. <code>mayday gc</code> deletes reports beyond them; run it \
      every night with a timer.</p>
      \(list)
      """)
  }

  // MARK: Audit log

  func audit() throws -> Response {
    let before = call.request.query["before"].flatMap { Int($0) }
    let entries = try call.context.audit.latest(Self.mostEntries, before: before)
    var table = CardTable([
      ("No.", .number), ("Time", .side), ("By", .text), ("Action", .text), ("Subject", .text),
      ("Address", .mono),
    ])
    for (number, entry) in entries {
      table.add([
        "\(number)", PageText.time(entry.time, now: call.now), "\(entry.label)",
        "\(entry.action)", "<span class=\"breaks\">\(entry.subject)</span>", "\(entry.peer)",
      ])
    }
    let older: HTML =
      entries.count == Self.mostEntries
      ? "<p><a class=\"button\" href=\"/server/audit?before=\(entries.last?.number ?? 0)\">Older</a></p>"
      : .none
    return page(
      "Audit log",
      """
      \(table.markup)
      \(older)
      """)
  }
}
