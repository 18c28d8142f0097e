package import Documents

/// The answer to a command that asks to be signed in. Source of the names: RFC 8628 3.2.
package struct CommandSignIn: Documented, Hashable, Sendable {
  package var deviceCode: String
  package var userCode: String
  package var page: String
  package var pageWithCode: String
  /// Seconds.
  package var lifetime: Int
  /// Seconds.
  package var interval: Int

  package init(
    deviceCode: String, userCode: String, page: String, pageWithCode: String, lifetime: Int,
    interval: Int
  ) {
    self.deviceCode = deviceCode
    self.userCode = userCode
    self.page = page
    self.pageWithCode = pageWithCode
    self.lifetime = lifetime
    self.interval = interval
  }

  package static let declaration = DocumentType(
    "CommandSignIn",
    blank: CommandSignIn(
      deviceCode: "", userCode: "", page: "", pageWithCode: "", lifetime: 0, interval: 0)
  ) {
    DocumentMember("device_code", \.deviceCode, .text, "By which the command asks for its token.")
    DocumentMember(
      "user_code", \.userCode, .text, "Which the user compares with the one on the page.",
      example: "WDJB-MJHT")
    DocumentMember("verification_uri", \.page, .text, "The page that asks for the code.")
    DocumentMember(
      "verification_uri_complete", \.pageWithCode, .text, "The same page with the code.")
    DocumentMember("expires_in", \.lifetime, .count, "Seconds for which the codes are valid.")
    DocumentMember("interval", \.interval, .count, "Seconds between two questions.")
  }
}

/// Whether a command was signed in.
package struct CommandToken: Documented, Hashable, Sendable {
  package enum State: String, CaseIterable, Hashable, Sendable {
    case waiting, granted, refused, expired
  }

  package var state: State
  package var token: String?

  package init(state: State, token: String? = nil) {
    self.state = state
    self.token = token
  }

  package static let declaration = DocumentType(
    "CommandToken", blank: CommandToken(state: .waiting)
  ) {
    DocumentMember("state", \.state, .word)
    DocumentMember("token", optional: \.token, .text, "The token, given once.")
  }
}
