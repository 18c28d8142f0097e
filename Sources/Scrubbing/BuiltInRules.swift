/// The rules that everybody may use, in lists.
///
/// None of them takes the end of a quoted text, and each takes escapes whole, so that JSON stays JSON.
/// Sources of the forms: RFC 6750 (Bearer), RFC 7519 (JWT), RFC 7468 (PEM), RFC 3986 section 3.2.1
/// (passwords in URLs), and what AWS, GitHub, Google, Slack and Stripe document of their keys.
enum BuiltInRules {
  /// Raised with every change.
  static let version = 1

  /// Names of values that nobody else may see.
  private static let secretNames = """
    (password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|\
    authorization|credentials?|session[_-]?id)
    """
  /// Those of them that are also so meant where a sentence goes on behind a colon; a "token:" may be
  /// what a parser did not expect.
  private static let plainNames = """
    (password|passwd|passphrase|secret|(access|auth|refresh|id|api|csrf|session|bearer|user)[_-]?\
    token|api[_-]?key|access[_-]?key|private[_-]?key|session[_-]?id)
    """

  static let lists: [(name: String, purpose: String, rules: [(name: String, pattern: String)])] = [
    (
      "secrets", "keys, tokens, passwords",
      [
        (
          "secret",
          #"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----\K([^-"\\]|\\.)+"#
        ),
        ("secret", #"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]+)?"#),
        ("secret", #"\b(AKIA|ASIA)[A-Z0-9]{16}\b"#),
        ("secret", #"\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})"#),
        ("secret", #"\bxox[a-z]-[A-Za-z0-9-]{10,}"#),
        ("secret", #"\bAIza[A-Za-z0-9_-]{35}"#),
        ("secret", #"\b[srp]k_(live|test)_[A-Za-z0-9]{16,}"#),
        ("secret", #"\bmayday_[A-Za-z0-9]{12}_[A-Za-z0-9]{40,}"#),
        (
          "secret",
          #"(?i)\bauthorization\\?"?\s*[:=]\s*\\?"?\K([a-z]+ +)?[^\s"'\\,;]+"#
        ),
        ("secret", #"(?i)\bbearer\s+\K[a-z0-9._~+/=-]{16,}"#),
        ("secret", #"(?i)\b(set-)?cookie\s*:\s*\K[^\r\n"'\\]+"#),
        ("secret", #"://[^/\s:@"'\\]+:\K[^/\s@"'\\]+(?=@)"#),
        ("secret", #"(?i)"[\w-]*\#(secretNames)"\s*:\s*"\K([^"\\]|\\.)+"#),
        ("secret", #"(?i)\\"[\w-]*\#(secretNames)\\"\s*:\s*\\"\K([^"\\]|\\[^"])+"#),
        ("secret", #"(?i)\b[\w-]*\#(secretNames)=\K([^\s"'\\,;&)]|\\[^"'])+"#),
        ("secret", #"(?i)\b[\w-]*\#(plainNames)\s*[:=]\s*\K([^\s"'\\,;&)]|\\[^"'])+"#),
        ("secret", #"(?i)\b[\w-]*\#(secretNames)\s*[:=]\s*"\K([^"\\]|\\.)+"#),
        ("secret", #"(?i)\b[\w-]*\#(secretNames)\s*[:=]\s*'\K[^'"\\]+"#),
        ("secret", #"(?i)[?&](token|key|sig|signature)=\K[^\s"'\\,;&#]+"#),
      ]
    ),
    (
      "email", "addresses of e-mail",
      [
        (
          "email",
          #"\b[A-Za-z0-9._%+-]+@([A-Za-z]|[0-9][0-9A-WYZa-wyz-])[A-Za-z0-9-]*(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b"#
        )
      ]
    ),
    (
      "home", "whose home folder a path is in",
      [
        (
          "user",
          #"\b(/var|/System/Volumes/Data)?(\\?/)(Users|home)(\\?/)\K[^/\s"'<>:;,()\\]+ [^/\s"'<>:;,()\\]+(?=[/\\])"#
        ),
        ("user", #"\b(/var|/System/Volumes/Data)?(\\?/)(Users|home)(\\?/)\K[^/\s"'<>:;,()\\]+"#),
        (
          "user",
          #"(?i)\b[a-z]:[\\/]+(users|documents and settings)[\\/]+\K[^/\\"'<>|:*?\r\n]+(?=[/\\])"#
        ),
        (
          "user",
          #"(?i)\b[a-z]:[\\/]+(users|documents and settings)[\\/]+\K[^/\\\s"'<>|:*?]+"#
        ),
      ]
    ),
  ]

  /// Names of tags and properties, in small letters and without `_`, `-`, dots and blanks, at whose
  /// end one of these says that the value is a secret.
  static let names = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey",
    "authorization", "credential", "credentials", "cookie", "sessionid",
  ]
}
