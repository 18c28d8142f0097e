internal import HTTP

/// A cookie of ours: scripts of a page do not see it, and forms of other sites do not send it.
struct SessionCookie: Sendable {
  /// Proves a session.
  static let session = SessionCookie(plainName: "mayday")
  /// Keeps what a sign-in at an identity provider needs when it comes back.
  static let flow = SessionCookie(plainName: "mayday-provider")

  private let plainName: String

  /// Over HTTPS no other host of the domain can set it (RFC 6265bis 4.1.3.2).
  private func name(for head: RequestHead) -> String {
    head.isSecure ? "__Host-" + plainName : plainName
  }

  /// What the browser sent.
  func text(in head: RequestHead) -> String? {
    let name = name(for: head)
    for pair in head.headers.values(of: "Cookie").flatMap({ $0.split(separator: ";") }) {
      let parts = pair.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }

  /// The field that sets it.
  ///
  /// - Parameters:
  ///   - text: `nil` takes it away.
  ///   - lifetime: In seconds.
  func field(_ text: String?, lifetime: Int, for head: RequestHead) -> String {
    let secure = head.isSecure ? "; Secure" : ""
    return "\(name(for: head))=\(text ?? ""); Path=/; Max-Age=\(text == nil ? 0 : lifetime); "
      + "HttpOnly; SameSite=Lax" + secure
  }
}
