internal import Bytes

/// A destination of alerts.
public struct AlertTarget: Hashable, Sendable {
  /// The format of a message: for programs, or for a chat.
  public enum Preset: String, Hashable, Sendable, CaseIterable {
    case json, slack, teams, mattermost, discord
  }

  /// An address to which messages are posted.
  public struct Webhook: Hashable, Sendable {
    public var url: String
    public var preset: Preset
    /// The secret that signs messages; `nil` for none.
    public var secret: String?

    public init(url: String, preset: Preset, secret: String?) {
      self.url = url
      self.preset = preset
      self.secret = secret
    }
  }

  /// A mail server and the recipients.
  public struct Mail: Hashable, Sendable {
    /// `smtps://mail.example.org`, or `smtp://mail.example.org:587`, which must offer STARTTLS.
    public var server: String
    public var sender: String
    public var recipients: [String]
    /// The user name for the server; `nil` for none.
    public var user: String?
    /// The location of the password: `file:/etc/mayday/smtp`, `env:SMTP_PASSWORD`; or `text:` and the password
    /// itself, from who must not read the server's files and variables.
    public var password: String?
    /// Whether mail is sent without TLS.
    public var isPlain: Bool

    public init(
      server: String, sender: String, recipients: [String], user: String? = nil,
      password: String? = nil, isPlain: Bool = false
    ) {
      self.server = server
      self.sender = sender
      self.recipients = recipients
      self.user = user
      self.password = password
      self.isPlain = isPlain
    }
  }

  /// The start of a ``Mail/password`` that is stored in the home.
  public static let storedPassword = "text:"

  public enum Way: Hashable, Sendable {
    case webhook(Webhook)
    case mail(Mail)
  }

  public var name: String
  public var way: Way
  /// A PEM file of CA certificates to trust for the server instead of the system's.
  public var authorities: String?

  public init(name: String, way: Way, authorities: String? = nil) {
    self.name = name
    self.way = way
    self.authorities = authorities
  }

  public static let longestName = 60
  public static let longestURL = 2_000
  public static let longestAddress = 254
  public static let mostRecipients = 20
  /// The longest password that is stored, in bytes.
  public static let longestPassword = 1_000

  /// A new secret for ``Webhook/secret``, with more than 256 random bits.
  public static func newSecret() -> String { RandomBytes.characters(43) }

  /// The type and the host of the target, without secrets: chat addresses contain a secret in their path.
  public var summary: String {
    switch way {
    case .webhook(let hook): "\(hook.preset.rawValue) webhook at \(Self.endpoint(of: hook.url))"
    case .mail(let mail):
      "mail to \(mail.recipients.joined(separator: ", ")) by \(Self.endpoint(of: mail.server))"
    }
  }

  /// Scheme, host and port of an address.
  static func endpoint(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return "…" }
    let rest = url[scheme.upperBound...]
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return String(url[..<scheme.upperBound] + host)
  }

  /// - Throws: ``AlertError/invalid(_:)`` with the problem.
  public func check() throws(AlertError) {
    let isName =
      !name.isEmpty && name.utf8.count <= Self.longestName
      && name.utf8.allSatisfy {
        RandomBytes.isCharacter($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: ".")
      } && name.utf8.contains { !(0x30...0x39).contains($0) }
    guard isName else {
      throw .invalid(
        "'\(name)' cannot be a target's name: use up to \(Self.longestName) letters, digits, - _ and ."
          + ", but not only digits")
    }
    switch way {
    case .webhook(let hook):
      try Self.check(hook.url, schemes: ["https", "http"], what: "a webhook")
    case .mail(let mail):
      try Self.check(mail.server, schemes: ["smtp", "smtps"], what: "a mail server")
      guard (1...Self.mostRecipients).contains(mail.recipients.count) else {
        throw .invalid("a mail target has 1 to \(Self.mostRecipients) recipients")
      }
      for address in [mail.sender] + mail.recipients where !Self.isAddress(address) {
        throw .invalid("'\(address)' is not a mail address; use one such as ann@example.org")
      }
      guard (mail.user == nil) == (mail.password == nil) else {
        throw .invalid("give a user and a password, or neither")
      }
      if let user = mail.user, user.isEmpty || user.utf8.contains(where: { $0 < 0x20 }) {
        throw .invalid("'\(user)' is not a user name for a mail server")
      }
      if let password = mail.password, !Self.isPassword(password) {
        throw .invalid("give the password as file:/path or env:NAME, not as the password itself")
      }
      guard mail.user == nil || !mail.isPlain else {
        throw .invalid("a password needs TLS")
      }
      guard !mail.isPlain || mail.server.hasPrefix("smtp://") else {
        throw .invalid("without TLS, the server's address must begin with smtp://")
      }
    }
  }

  private static func isPassword(_ source: String) -> Bool {
    guard source.hasPrefix(storedPassword) else {
      return source.hasPrefix("file:/") || source.hasPrefix("env:")
    }
    let text = source.utf8.dropFirst(storedPassword.utf8.count)
    return (1...longestPassword).contains(text.count) && text.allSatisfy { $0 >= 0x20 }
  }

  private static func check(
    _ url: String, schemes: [String], what: String
  ) throws(AlertError) {
    let isUsable =
      url.utf8.count <= longestURL && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
      && schemes.contains { url.hasPrefix($0 + "://") }
    let host = endpoint(of: url).split(separator: "/").dropFirst().first ?? ""
    guard isUsable, !host.isEmpty, !host.contains("@") else {
      throw .invalid(
        "\(endpoint(of: url).printable) is not the address of \(what): use \(schemes[0])://HOST…"
          + ", without a user or spaces")
    }
  }

  /// Whether a text is an address that needs no quotes: a name, `@`, labels of a host name. Such addresses
  /// are safe in every header and command; the other forms that RFC 5321 allows are not used in practice.
  static func isAddress(_ text: String) -> Bool {
    guard text.utf8.count <= longestAddress else { return false }
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].count), !parts[1].isEmpty else {
      return false
    }
    // Without `|` and backticks, and without a slash at the start: some mail servers start a program or write
    // a file for such names.
    let marks = Set("!#$%&'*+/=?^_{}~-.".utf8)
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts[0].allSatisfy { RandomBytes.isCharacter($0) || marks.contains($0) }
      && parts[0].first.map { !".-/".utf8.contains($0) } == true
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
          && label.allSatisfy { RandomBytes.isCharacter($0) || $0 == UInt8(ascii: "-") }
      }
  }
}

/// The reason why a rule or a target is refused.
public enum AlertError: Error, Hashable, Sendable, CustomStringConvertible {
  case invalid(String)
  case unknownTarget(String)
  case unknownRule(Int)
  /// The name, and a similar app name if there is one.
  case unknownApp(String, near: String?)
  /// Rules use the target.
  case inUse(String, rules: [Int])

  public var description: String {
    switch self {
    case .invalid(let words): words
    case .unknownTarget(let name): "there is no target named \(name)"
    case .unknownRule(let number): "there is no rule \(number)"
    case .unknownApp(let name, let near):
      "there is no app named \(name)" + (near.map { "; did you mean '\($0)'?" } ?? "")
    case .inUse(let name, let rules):
      "\(name) is in use; first remove rule \(rules.map(String.init).joined(separator: ", "))"
    }
  }
}
