internal import Bytes
internal import CrashService
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The page on which an account signs in a command: `mayday login` shows its address and a code.
struct CommandSignInView {
  let call: PageCall

  /// Days for which the token of a command is valid.
  static let days = 90

  init(_ call: PageCall) { self.call = call }

  private static let path = "/sign-in/command"
  private static let title = "Sign in a command"

  func response() throws -> Response {
    let given = call.fields(ofRefused: Self.path) ?? call.request.query
    guard let code = given["code"], !code.isEmpty else { return question() }
    guard let waiting = call.context.commandSignIns.waiting(code) else {
      return question(
        code: code,
        problem: "No command waits with the code \(code). Codes are valid for ten minutes.")
    }
    return confirmation(of: waiting, code: code)
  }

  /// Grants or refuses the token.
  func decide() throws -> Response {
    let code = call.form["code"] ?? ""
    guard let waiting = call.context.commandSignIns.waiting(code) else {
      return question(
        code: code, problem: "The command no longer waits. Start it again: mayday login.")
    }
    guard call.form["decision"] == "allow" else {
      _ = call.context.commandSignIns.decide(code, .refused)
      try call.note("refuse a command", waiting.name)
      return done("\(waiting.name) was refused.")
    }
    let account = call.visitor.account
    let scopes = Set(Self.scopes(of: account).filter { call.form["scope-" + $0.rawValue] != nil })
    guard !scopes.isEmpty else {
      throw ServiceError("choose what the command may do", .wrongUsage)
    }
    let made = try call.context.tokens.make(
      label: "\(account.name) (\(waiting.name))", scopes: scopes, app: account.app,
      expires: Timestamp(seconds: call.now.seconds + Int64(Self.days) * 86_400), account: account,
      now: call.now)
    guard call.context.commandSignIns.decide(code, .granted(token: made.text)) else {
      _ = try call.context.tokens.revoke(made.token.id, now: call.now)
      return question(
        code: code, problem: "The command no longer waits. Start it again: mayday login.")
    }
    try call.note("sign in a command", made.token.id)
    return done("\(waiting.name) is signed in. You can close this page.")
  }

  /// The scopes that a token of the account may have, `admin` last.
  private static func scopes(of account: Account) -> [TokenScope] {
    [.read, .triage, .symbols, .releases, .ingest, .admin].filter(account.allows)
  }

  // MARK: Pages

  private func question(code: String = "", problem: String? = nil) -> Response {
    let message: HTML =
      problem.map { "<p class=\"message\" role=\"alert\">\($0)</p>" } ?? .none
    var page = call.page(
      Self.title,
      """
      <h1>\(Self.title)</h1>
      \(message)
      <form method="get" action="\(Self.path)">
      <p><label>Code <input name="code" value="\(code)" required autocomplete="off" \
      autocapitalize="characters" spellcheck="false" maxlength="20"></label> <button>Continue</button></p>
      </form>
      <p class="quiet"><code>mayday login</code> prints the code.</p>
      """)
    if problem != nil { page.status = .notFound }
    return page
  }

  private func confirmation(of waiting: CommandSignIns.Waiting, code: String) -> Response {
    let account = call.visitor.account
    let boxes = Self.scopes(of: account).map { scope -> HTML in
      let name = "scope-" + scope.rawValue
      let checked = call.mark(" checked", name, "on", in: Self.path, else: scope != .admin)
      return """
        <p><label><input type="checkbox" name="\(name)"\(checked)> \
        <strong>\(scope.rawValue)</strong>: \(Self.meaning(of: scope))</label></p>

        """
    }
    return call.page(
      Self.title,
      """
      <h1>\(Self.title)</h1>
      <p>A command on <strong>\(waiting.name)</strong>, at the address \(waiting.peer), asks to be signed \
      in as <strong>\(account.name)</strong>. Allow it only if you started it, and if it printed this code:</p>
      <p class="code">\(code.uppercased())</p>
      <form method="post" action="\(Self.path)">\(call.formField)
      <input type="hidden" name="code" value="\(code)">
      <fieldset><legend>The command may</legend>
      \(boxes)</fieldset>
      <p><button name="decision" value="allow">Allow</button> \
      <button name="decision" value="refuse">Refuse</button></p>
      </form>
      <p class="quiet">The token is valid for \(Self.days) days, and allows no more than your account does.</p>
      """)
  }

  private func done(_ text: String) -> Response {
    call.page(Self.title, "<h1>\(Self.title)</h1><p role=\"status\">\(text)</p>")
  }

  private static func meaning(of scope: TokenScope) -> String {
    switch scope {
    case .read: "read everything"
    case .triage: "decide about groups"
    case .symbols: "add debug files"
    case .releases: "distribute releases"
    case .ingest: "submit reports"
    case .admin: "everything, including tokens"
    }
  }
}
