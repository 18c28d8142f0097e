internal import Bytes
internal import CrashService
internal import Crypto
internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore

/// Signs people in and out: with a password, with a link that works once, or through an identity provider or a
/// proxy.
struct SignInPages: Sendable {
  let context: ServerContext

  func add(to router: inout Router) {
    router.get("/sign-in") { try form($0) }
    router.post("/sign-in", body: .memory(limit: .kibibytes(8))) { try signIn($0) }
    router.post("/sign-out", body: .memory(limit: .kibibytes(8))) { try signOut($0) }
    if let provider = context.signIn.provider {
      ProviderPages(pages: self, settings: provider).add(to: &router)
    }
  }

  /// Redirects to the sign-in page, and from there back to the requested page.
  static func redirect(from head: RequestHead) -> Response {
    let path = head.segments.map { "/" + $0.inAddress }.joined()
    let query = head.query.items.map { "\($0.name.inAddress)=\($0.value.inAddress)" }
    let page = path.isEmpty ? "/" : path
    let whole = query.isEmpty ? page : page + "?" + query.joined(separator: "&")
    // Without a search that is too long, the page is still better than the first one.
    return redirect(to: localPath(whole) == whole ? whole : page)
  }

  /// Redirects to the sign-in page, and from there to the page of a form.
  static func redirect(toFormOf head: RequestHead) -> Response {
    redirect(to: FormPage(of: head, QueryItems()).path)
  }

  static func redirect(to path: String) -> Response {
    let next = path == "/" ? "" : "?next=" + path.inAddress
    return .empty(
      .seeOther, headers: ["Location": "/sign-in" + next, "Cache-Control": "no-store"])
  }

  /// Mail scanners open links, so opening the link changes nothing.
  private func form(_ request: Request) throws -> Response {
    let next = Self.localPath(request.query["next"])
    if let code = request.query["code"] {
      guard let account = try context.accounts.account(ofLink: code, now: .now) else {
        return page(next: next, problem: Self.spentLink)
      }
      return linkPage(code, account, next: next)
    }
    if try Visitor(request.head, in: context) != nil {
      return .empty(.seeOther, headers: ["Location": next])
    }
    let proxy = ProxySignIn(context: context)
    if let (_, cookie) = try proxy.visitor(for: request.head) {
      return .empty(.seeOther, headers: ["Location": next, "Set-Cookie": cookie])
    }
    if let name = proxy.name(in: request.head) {
      return page(
        next: next,
        problem:
          "The proxy signed you in as \(name), but there is no account with that name. Ask an admin."
      )
    }
    return page(next: next)
  }

  private static let spentLink = "This link was already used or has expired."

  private static func alert(_ problem: String?) -> HTML {
    problem.map { "<p class=\"message\" role=\"alert\">\($0)</p>" } ?? .none
  }

  /// The page of a sign-in link, which can also set a new password.
  private func linkPage(
    _ code: String, _ account: Account, next: String, problem: String? = nil
  ) -> Response {
    PageDocument(
      title: "Sign in", status: problem == nil ? .ok : .badRequest,
      content: """
        <h1>Sign in as \(account.name)</h1>
        \(Self.alert(problem))
        <form method="post" action="/sign-in" class="card">
        <input type="hidden" name="code" value="\(code)">
        <input type="hidden" name="next" value="\(next)">
        <p>This browser stays signed in for 30 days.</p>
        \(PasswordFields.username(account.name))
        \(PasswordFields.new(isRequired: false))
        <p><button class="primary">Sign in</button></p>
        </form>
        """
    ).response
  }

  /// - Parameters:
  ///   - name: The name as typed.
  func page(
    next: String, name: String = "", problem: String? = nil, status: Status = .forbidden
  ) -> Response {
    PageDocument(
      title: "Sign in", status: problem == nil ? .ok : status,
      content: """
        <h1>Sign in</h1>
        \(Self.alert(problem))
        \(ProviderPages.button(context.signIn.provider, next: next))
        <form method="post" action="/sign-in" class="card">
        <input type="hidden" name="next" value="\(next)">
        <p><label for="name">Name</label><br>
        <input id="name" name="name" value="\(name)" autocomplete="username" autocapitalize="none" \
        spellcheck="false" required></p>
        \(PasswordFields.current())
        <p><button class="primary">Sign in</button></p>
        </form>
        <h2>Sign in with a link</h2>
        <form method="post" action="/sign-in" class="card">
        <input type="hidden" name="next" value="\(next)">
        <p><label for="code">Sign-in link</label><br>
        <input id="code" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required></p>
        <p><button>Sign in with link</button></p>
        </form>
        <h2>Forgot your password?</h2>
        <p>Ask an admin for a sign-in link. It works once, expires after a day, and lets you set a new password. An \
        admin creates it on the server's machine:</p>
        <pre class="message">mayday accounts link NAME</pre>
        """
    ).response
  }

  private func signIn(_ request: Request) throws -> Response {
    guard !request.head.isForeign else {
      return PageDocument.problem(
        "Form refused", "Another site sent it. Open the sign-in page or your link again.",
        .forbidden,
        for: nil
      ).response
    }
    if let refusal = refusal(of: request) { return refusal }
    let form = QueryItems(form: request.bytes.text)
    let next = Self.localPath(form["next"])
    let code = Self.code(form["code"] ?? "")
    return code.isEmpty
      ? try signIn(byPasswordIn: form, next, request)
      : try signIn(byLink: code, form, next, request)
  }

  /// A refusal if the address sends too many requests.
  func refusal(of request: Request) -> Response? {
    context.wait(for: request.head, app: nil, isPublic: true).map { wait in
      Self.later(wait, "Too many requests", "Try again in \(wait) seconds.", .tooManyRequests)
    }
  }

  private func signIn(
    byPasswordIn form: QueryItems, _ next: String, _ request: Request
  ) throws -> Response {
    let name = form["name"] ?? ""
    let check = PasswordCheck(context: context, head: request.head)
    switch try check.outcome(of: form["password"] ?? "", for: name) {
    case .wait(let seconds): return Self.tooMany(seconds)
    case .busy: return Self.busy
    case .wrong:
      return page(next: next, name: name, problem: "Incorrect name or password.")
    case .right(let name):
      guard
        let (session, text) = try context.accounts.signIn(
          as: name, by: .password, peer: request.peer,
          agent: request.head.headers["User-Agent"] ?? "", now: .now)
      else { return page(next: next, name: name, problem: "Incorrect name or password.") }
      return try welcome(session, text, to: next, request)
    }
  }

  private func signIn(
    byLink code: String, _ form: QueryItems, _ next: String, _ request: Request
  ) throws -> Response {
    var hash: PasswordHash?
    let password = form["new"] ?? ""
    if !password.isEmpty || form["again"]?.isEmpty == false {
      guard let account = try context.accounts.account(ofLink: code, now: .now) else {
        return page(next: next, problem: Self.spentLink)
      }
      // The link remains valid for another attempt.
      if let problem = PasswordFields.problem(in: form, of: account.name) {
        return linkPage(code, account, next: next, problem: problem)
      }
      guard let made = try PasswordCheck.hash(password, in: context) else { return Self.busy }
      hash = made
    }
    guard
      let (session, text) = try context.accounts.signIn(
        byLink: code, peer: request.peer, agent: request.head.headers["User-Agent"] ?? "",
        now: .now)
    else { return page(next: next, problem: Self.spentLink) }
    if let hash {
      try context.accounts.setPassword(
        hash.text, of: session.account.name, keeping: session.id, now: .now)
      try note("set password", session.account.name, request.head)
    }
    return try welcome(session, text, to: next, request)
  }

  /// Gives the browser its new session.
  func welcome(
    _ session: Session, _ text: String, to next: String, _ request: Request
  ) throws -> Response {
    // The browser's former session ends, so that no session is left behind.
    if let old = try Visitor(request.head, in: context) {
      _ = try context.accounts.endSession(old.session.id, of: old.account.name)
    }
    try note("sign in", session.account.name, request.head)
    return .empty(
      .seeOther,
      headers: [
        "Location": next, "Cache-Control": "no-store",
        "Set-Cookie": SessionCookie.session.field(
          text, lifetime: session.method?.lifetime ?? 0, for: request.head),
      ])
  }

  /// Too many password attempts failed.
  static func tooMany(_ seconds: Int) -> Response {
    let time = seconds < 90 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
    return later(
      seconds, "Too many attempts",
      "Try again in \(time), or sign in with a link now.",
      .tooManyRequests)
  }

  /// Too many passwords are being checked.
  static var busy: Response {
    later(
      busyPause, "The server is busy",
      "Many people are signing in right now. Try again in a few seconds.",
      .serviceUnavailable)
  }

  /// The pause in seconds.
  private static let busyPause = 5

  private static func later(
    _ seconds: Int, _ title: String, _ text: String, _ status: Status
  ) -> Response {
    var response = PageDocument.problem(title, text, status, for: nil).response
    response.headers["Retry-After"] = "\(seconds)"
    return response
  }

  private func signOut(_ request: Request) throws -> Response {
    let form = QueryItems(form: request.bytes.text)
    if let visitor = try Visitor(request.head, in: context) {
      guard !request.head.isForeign, visitor.hasSent(form["form"]) else {
        return PageDocument.problem(
          "Form refused", "Go back, reload the page, and try again.", .forbidden, for: visitor
        ).response
      }
      _ = try context.accounts.endSession(visitor.session.id, of: visitor.account.name)
      try note("sign out", visitor.account.name, request.head)
    }
    return .empty(
      .seeOther,
      headers: [
        "Location": "/sign-in", "Cache-Control": "no-store",
        "Set-Cookie": SessionCookie.session.field(nil, lifetime: 0, for: request.head),
      ])
  }

  func note(_ action: String, _ name: String, _ head: RequestHead) throws {
    try context.audit.note(
      .init(
        time: .now, token: "session", label: name, action: action, subject: name, peer: head.peer))
  }

  /// The code in a pasted link, or a pasted code.
  private static func code(_ text: String) -> String {
    let word = text.split(whereSeparator: \.isWhitespace).first ?? ""
    return word.split(separator: "=").last.map(String.init) ?? ""
  }

  /// The page to continue to; only pages of this server are allowed.
  static func localPath(_ text: String?) -> String {
    guard let text, text.utf8.first == UInt8(ascii: "/"), text.utf8.count <= 2_000,
      !text.hasPrefix("//"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return text
  }
}
