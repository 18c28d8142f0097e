internal import Crypto
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore

extension AccountView {
  /// Seconds after signing in with a link in which a password can be set without the current one.
  private static let linkGrace: Int64 = 3_600

  /// Whether the session recently began with a link. Any other session may be in a browser that was left
  /// open, so it needs the current password.
  private var isFresh: Bool {
    let session = call.visitor.session
    return session.method == .link
      && session.created.seconds > call.now.seconds - Self.linkGrace
  }

  func passwordSection() throws -> HTML {
    let stored = try call.context.accounts.password(of: call.visitor.account.name)
    guard isFresh || stored?.hash != nil else {
      return """
        <h2 id="password-of">Password</h2>
        <p>No password is set. To set one, ask an admin for a new sign-in link.</p>
        """
    }
    let state: HTML =
      stored?.set.map { "Set \(PageText.time($0, now: call.now))." as HTML }
      ?? "No password is set."
    let current: HTML = isFresh ? .none : PasswordFields.current("Current password")
    return """
      <h2 id="password-of">Password</h2>
      <form method="post" action="/account/password" class="card">\(call.formField)
      \(PasswordFields.username(call.visitor.account.name))
      <p>\(state) A new password signs out your other browsers.</p>
      \(current)
      \(PasswordFields.new(isRequired: true))
      <p><button>\(stored?.hash == nil ? "Set" : "Change") password</button></p></form>
      """
  }

  func setPassword() throws -> Response {
    let name = call.visitor.account.name
    let stored = try call.context.accounts.password(of: name)
    guard isFresh || stored?.hash != nil else {
      return try response(problem: "To set a password, sign in with a new link.", .forbidden)
    }
    if let problem = PasswordFields.problem(in: call.form, of: name) {
      return try response(problem: problem, .badRequest)
    }
    if !isFresh {
      let check = PasswordCheck(context: call.context, head: call.request.head)
      switch try check.outcome(of: call.form["password"] ?? "", for: name) {
      case .right: break
      case .wrong: return try response(problem: "The current password is incorrect.", .forbidden)
      case .wait(let seconds): return SignInPages.tooMany(seconds)
      case .busy: return SignInPages.busy
      }
    }
    guard let hash = try PasswordCheck.hash(call.form["new"] ?? "", in: call.context) else {
      return SignInPages.busy
    }
    try call.context.accounts.setPassword(
      hash.text, of: name, keeping: call.visitor.session.id, now: call.now)
    try call.note("set password", name)
    return .empty(.seeOther, headers: ["Location": "/account?done=password"])
  }
}
