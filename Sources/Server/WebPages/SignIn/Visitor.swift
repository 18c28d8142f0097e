internal import Bytes
internal import CrashService
internal import Crypto
internal import HTTP
internal import ServerCore
internal import ServerStore

/// The account and session that view a page.
struct Visitor: Sendable {
  let session: Session
  /// The token that a form must contain, so that no other site can send it.
  let formToken: String
  let theme: Theme
  /// The address of the list of groups that the visitor saw last.
  var list = "/"

  var account: Account { session.account }

  init(session: Session, cookie: String, theme: Theme) {
    self.session = session
    self.theme = theme
    formToken = HMAC.sha256(of: ByteView("form".utf8), key: Array(cookie.utf8)).hexadecimalDigits
  }

  /// Finds the visitor of a request; `nil` without a session.
  init?(_ head: RequestHead, in context: ServerContext) throws {
    guard let cookie = SessionCookie.session.text(in: head),
      let session = try context.accounts.session(cookie, now: .now)
    else { return nil }
    // A session from a proxy lasts as long as the proxy sends the same name.
    if session.method == .proxy {
      guard
        ProxySignIn(context: context).name(in: head).map(session.account.isCalled) == true
      else { return nil }
    }
    self.init(session: session, cookie: cookie, theme: Theme(head))
    list = LastList(head).address
  }

  /// - Parameter token: The token in the form.
  func hasSent(_ token: String?) -> Bool {
    HMAC.isEqual(Array((token ?? "").utf8), Array(formToken.utf8))
  }
}

extension RequestHead {
  /// Whether the browser reports that a page of another site sent this request.
  var isForeign: Bool {
    headers["Sec-Fetch-Site"].map { !["same-origin", "none"].contains($0) }
      ?? headers["Origin"].map { !$0.hasSuffix("://" + (headers["Host"] ?? "")) } ?? false
  }
}
