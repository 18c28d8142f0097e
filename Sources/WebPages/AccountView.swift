internal import CrashModel
internal import HTTP
internal import Rendering
internal import ServerStore
internal import WebServer

/// Who is signed in, and where.
struct AccountView {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  func response() throws -> Response {
    let account = call.visitor.account
    let sessions = try call.context.accounts.sessions(of: account.name, now: call.now)
    let rows = sessions.map { session -> HTML in
      let end: HTML =
        session.id == call.visitor.session.id
        ? "<span class=\"quiet\">this browser</span>"
        : """
        <form method="post" action="/account/sessions/\(session.id)/end">\(call.formField)\
        <button class="small">Sign out</button></form>
        """
      return """
        <tr><td>\(session.agent.isEmpty ? "unknown browser" : session.agent)</td><td>\(session.peer)</td>\
        <td>\(PageText.time(session.seen, now: call.now))</td><td>\(end)</td></tr>
        """
    }
    return call.page(
      account.name,
      """
      <h1>\(account.name)</h1>
      <p>Role: \(account.role.rawValue)\(account.app.map { ", app: \($0)" } ?? "")</p>
      <form method="post" action="/sign-out">\(call.formField)<button>Sign out</button></form>
      <h2>Sessions</h2>
      <div class="scroll"><table><tr><th>Browser</th><th>Address</th><th>Last seen</th><th></th></tr>\(rows)</table></div>
      """)
  }

  /// Back to the page on which the switch was pressed.
  func setTheme() -> Response {
    let theme = call.form["to"].flatMap(Theme.init(rawValue:)) ?? .system
    let origin = call.request.head.origin
    let from = call.request.head.headers["Referer"] ?? ""
    let place = from.hasPrefix(origin + "/") ? String(from.dropFirst(origin.count)) : nil
    return .empty(
      .seeOther,
      headers: [
        "Location": SignInPages.place(place), "Set-Cookie": theme.field(for: call.request.head),
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
