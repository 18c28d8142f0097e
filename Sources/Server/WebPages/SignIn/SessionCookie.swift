internal import HTTP

/// A cookie that scripts cannot read and that forms of other sites do not send.
struct SessionCookie: Sendable {
  /// Proves a session.
  static let session = SessionCookie(plainName: "mayday")
  /// Holds the state of a sign-in through an identity provider until its response.
  static let flow = SessionCookie(plainName: "mayday-provider")

  /// Holds the key of a form that came after the session had ended.
  static let unsent = SessionCookie(plainName: "mayday-form")

  let plainName: String

  /// Over HTTPS, no other host of the domain can set it (RFC 6265bis 4.1.3.2).
  private func name(for head: RequestHead) -> String {
    head.isSecure ? "__Host-" + plainName : plainName
  }

  /// The value that the browser sent.
  func text(in head: RequestHead) -> String? {
    let name = name(for: head)
    for pair in head.headers.values(of: "Cookie").flatMap({ $0.split(separator: ";") }) {
      let parts = pair.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }

  /// The header field that sets it.
  ///
  /// - Parameters:
  ///   - text: The value; `nil` deletes the cookie.
  ///   - lifetime: The lifetime in seconds.
  func field(_ text: String?, lifetime: Int, for head: RequestHead) -> String {
    let secure = head.isSecure ? "; Secure" : ""
    return "\(name(for: head))=\(text ?? ""); Path=/; Max-Age=\(text == nil ? 0 : lifetime); "
      + "HttpOnly; SameSite=Lax" + secure
  }
}
