internal import Bytes
internal import CrashModel
internal import CrashService
internal import HTTP
internal import Rendering
internal import ServerStore
internal import WebServer

/// How somebody signs in and out: by a link that is good once.
struct SignInPages: Sendable {
  let context: ServerContext

  func add(to router: inout Router) {
    router.get("/sign-in") { try form($0) }
    router.post("/sign-in", body: .memory(limit: .kibibytes(8))) { try signIn($0) }
    router.post("/sign-out", body: .memory(limit: .kibibytes(8))) { try signOut($0) }
  }

  /// To the sign-in page, and from there back to the page that was asked for.
  static func redirect(from head: RequestHead) -> Response {
    let path = head.segments.map { "/" + $0.inAddress }.joined()
    return redirect(to: path.isEmpty ? "/" : path)
  }

  static func redirect(to path: String) -> Response {
    let next = path == "/" ? "" : "?next=" + path.inAddress
    return .empty(
      .seeOther, headers: ["Location": "/sign-in" + next, "Cache-Control": "no-store"])
  }

  /// Programs that look at mail open its links, so the link itself changes nothing.
  private func form(_ request: Request) throws -> Response {
    let next = Self.place(request.query["next"])
    if let code = request.query["code"] {
      guard let account = try context.accounts.account(ofLink: code, now: .now) else {
        return page(next: next, problem: "This link was used, or it is older than a day.")
      }
      return PageDocument(
        title: "Sign in",
        content: """
          <h1>Sign in as \(account.name)</h1>
          <form method="post" action="/sign-in" class="card">
          <input type="hidden" name="code" value="\(code)">
          <input type="hidden" name="next" value="\(next)">
          <p>This browser stays signed in for 30 days.</p>
          <p><button class="primary">Sign in</button></p>
          </form>
          """
      ).response
    }
    if try Visitor(request.head, in: context) != nil {
      return .empty(.seeOther, headers: ["Location": next])
    }
    return page(next: next, problem: nil)
  }

  private func page(next: String, problem: String?) -> Response {
    let alert: HTML = problem.map { "<p class=\"message\" role=\"alert\">\($0)</p>" } ?? .none
    return PageDocument(
      title: "Sign in", status: problem == nil ? .ok : .forbidden,
      content: """
        <h1>Sign in</h1>
        \(alert)
        <form method="post" action="/sign-in" class="card">
        <input type="hidden" name="next" value="\(next)">
        <p><label for="code">Sign-in link</label><br>
        <input id="code" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required></p>
        <p><button class="primary">Sign in</button></p>
        </form>
        <h2>No link?</h2>
        <p>An admin makes one on the machine of the server. It is good once, for a day:</p>
        <pre class="message">mayday accounts link NAME</pre>
        """
    ).response
  }

  private func signIn(_ request: Request) throws -> Response {
    guard !request.head.isForeign else {
      return PageDocument.problem(
        "This form is not from here", "Another site sent it. Open your link again.", .forbidden,
        for: nil
      ).response
    }
    let form = QueryItems(form: request.bytes.text)
    let next = Self.place(form["next"])
    if let wait = context.wait(for: request.head, app: nil, isPublic: true) {
      var response = PageDocument.problem(
        "Too many requests", "Try again in \(wait) seconds.", .tooManyRequests, for: nil
      ).response
      response.headers["Retry-After"] = "\(wait)"
      return response
    }
    guard
      let (session, text) = try context.accounts.signIn(
        byLink: Self.code(form["code"] ?? ""), peer: request.peer,
        agent: request.head.headers["User-Agent"] ?? "", now: .now)
    else {
      return page(next: next, problem: "This link was used, or it is older than a day.")
    }
    // A browser that was signed in before is signed out: nobody can leave a session of theirs here.
    if let old = try Visitor(request.head, in: context) {
      _ = try context.accounts.endSession(old.session.id, of: old.account.name)
    }
    try note("sign in", session.account.name, request.head)
    return .empty(
      .seeOther,
      headers: [
        "Location": next, "Cache-Control": "no-store",
        "Set-Cookie": SessionCookie.field(
          text, lifetime: AccountsTable.sessionLifetime, for: request.head),
      ])
  }

  private func signOut(_ request: Request) throws -> Response {
    let form = QueryItems(form: request.bytes.text)
    if let visitor = try Visitor(request.head, in: context) {
      guard !request.head.isForeign, visitor.hasSent(form["form"]) else {
        return PageDocument.problem(
          "This form is not from here", "Go back, reload, try again.", .forbidden, for: visitor
        ).response
      }
      _ = try context.accounts.endSession(visitor.session.id, of: visitor.account.name)
      try note("sign out", visitor.account.name, request.head)
    }
    return .empty(
      .seeOther,
      headers: [
        "Location": "/sign-in", "Cache-Control": "no-store",
        "Set-Cookie": SessionCookie.field(nil, lifetime: 0, for: request.head),
      ])
  }

  private func note(_ action: String, _ name: String, _ head: RequestHead) throws {
    try context.audit.note(
      .init(
        time: .now, token: "session", label: name, action: action, subject: name, peer: head.peer))
  }

  /// A whole link, or the code in it.
  private static func code(_ text: String) -> String {
    let word = text.split(whereSeparator: \.isWhitespace).first ?? ""
    return word.split(separator: "=").last.map(String.init) ?? ""
  }

  /// Where to go on: a page of this server and nothing else.
  static func place(_ text: String?) -> String {
    guard let text, text.utf8.first == UInt8(ascii: "/"), text.utf8.count <= 2_000,
      !text.hasPrefix("//"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return text
  }
}
