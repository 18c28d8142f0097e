internal import HTTP

/// Advice about a token that a server refused.
enum TokenAdvice {
  /// - Parameter code: The code of the server's answer.
  static func lines(for code: ProblemCode?) -> [String] {
    switch code {
    case .tokenMissing:
      [
        "Give one in $MAYDAY_TOKEN or with --token-file FILE.",
        "An admin makes it with 'mayday tokens add NAME --scope SCOPE'.",
      ]
    case .tokenInvalid, .scopeMissing:
      ["The token is that of --token, --token-file or $MAYDAY_TOKEN."]
    default: []
    }
  }
}
