internal import CrashModel
internal import HTTP
internal import Passwords
internal import Rendering
internal import ServerStore
internal import WebServer

extension AccountView {
  /// Seconds for which whoever came by a link may set a password without the present one.
  private static let linkGrace: Int64 = 3_600

  /// Whether the session began by a link a short while ago. Any other session may be that of a browser which
  /// somebody left open: it needs the present password.
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
        <p>None is set. To set one, sign in by a new link; an admin makes it.</p>
        """
    }
    let state: HTML =
      stored?.set.map { "Set \(PageText.time($0, now: call.now))." as HTML } ?? "None is set."
    let current: HTML = isFresh ? .none : PasswordFields.current
    return """
      <h2 id="password-of">Password</h2>
      <form method="post" action="/account/password" class="card">\(call.formField)
      \(PasswordFields.username(call.visitor.account.name))
      <p>\(state) A new one signs out your other browsers.</p>
      \(current)
      \(PasswordFields.new(isRequired: true))
      <p><button>Set the password</button></p></form>
      """
  }

  func setPassword() throws -> Response {
    let name = call.visitor.account.name
    let stored = try call.context.accounts.password(of: name)
    guard isFresh || stored?.hash != nil else {
      return try response(problem: "Sign in by a new link to set a password.", .forbidden)
    }
    if let problem = PasswordFields.problem(in: call.form, of: name) {
      return try response(problem: problem, .badRequest)
    }
    if !isFresh {
      let check = PasswordCheck(context: call.context, head: call.request.head)
      switch try check.outcome(of: call.form["password"] ?? "", for: name) {
      case .right: break
      case .wrong: return try response(problem: "The present password is wrong.", .forbidden)
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
