import Arguments
import Bytes
import CommandSupport
import CrashService
import ServerStore
import Terminal

/// `mayday alerts target`
struct AlertsTargetCommand: Command {
  static let name = "target"
  static let summary = "Add or change a target of alerts."
  static let discussion = """
    A webhook gets a JSON document, signed with a secret that is printed once, or with --preset the \
    format of a chat. A mail server must offer TLS. Passwords stay in a file or in the environment of \
    `mayday serve`; only the path or the name of the variable is stored. With --server, the password \
    in the file is sent, and stored in the server's home; it is shown nowhere and in no backup.

    Invitations and new releases are mailed to testers through the server of the only mail target, or of the \
    last one that was given --testers.
    """
  static let examples = [
    Example("mayday alerts target ci --webhook https://ci.example.com/hook", "Send to a program."),
    Example("mayday alerts target chat --preset slack --webhook URL", "Send to a Slack channel."),
    Example(
      "mayday alerts target ann --smtp smtps://HOST --from ADDRESS --to ADDRESS", "Send by mail."),
  ]

  @Argument("NAME", help: "The name of the target.") var name: String
  @Option("--webhook", help: "Post to this address.", value: "URL") var webhook: String?
  @Option("--preset", help: "The format of the body.") var preset = Preset.json
  @Option(
    "--secret-file", help: "Sign with the secret in this file instead of a new one.", value: "FILE")
  var secretFile: String?
  @Option(
    "--smtp",
    help:
      "Send mail through this server: smtps://HOST, or smtp://HOST:587 with STARTTLS.",
    value: "URL")
  var server: String?
  @Option("--from", help: "The sender of the mail.", value: "ADDRESS") var sender: String?
  @Option("--to", help: "A recipient of the mail.", value: "ADDRESS") var recipients: [String] =
    []
  @Option("--user", help: "The user name for the mail server.", value: "NAME") var user: String?
  @Option("--password-file", help: "The file with the password.", value: "FILE")
  var passwordFile: String?
  @Option(
    "--password-env", help: "The environment variable of the server that holds the password.",
    value: "NAME")
  var passwordVariable: String?
  @Flag("--without-tls", help: "Send mail unencrypted, to a server on this machine.") var isPlain
  @Flag("--testers", help: "Send mails to testers through this server and from this sender.")
  var isForTesters
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  /// The certificates to trust for the target; with a server, the option is about the connection to that.
  private var authorities: String? { home.server == nil ? home.authority.file : nil }

  /// The spellings of ``AlertTarget/Preset``.
  enum Preset: String, ArgumentValue, CaseIterable {
    case json, slack, teams, mattermost, discord
  }

  func validate() throws(UsageError) {
    guard (webhook == nil) != (server == nil) else {
      throw UsageError("give either --webhook or --smtp")
    }
    if isForTesters, server == nil { throw UsageError("--testers needs --smtp") }
    if server != nil, sender == nil { throw UsageError("--from is missing") }
    if server != nil, recipients.isEmpty { throw UsageError("--to is missing") }
    if passwordFile != nil, passwordVariable != nil {
      throw UsageError("give either --password-file or --password-env")
    }
    if (user == nil) != (passwordFile == nil && passwordVariable == nil) {
      throw UsageError("use --user together with --password-file or --password-env")
    }
    if home.server != nil {
      if passwordVariable != nil {
        throw UsageError("--password-env names a variable of the server: use --password-file")
      }
      return
    }
    for path in [passwordFile, authorities].compactMap({ $0 }) where !path.hasPrefix("/") {
      throw UsageError("'\(path)' must be an absolute path: the server reads it later")
    }
  }

  func run() throws {
    let stored = try home.alerts(makingHome: true)
      .setAlertTarget(try target(), isForTesters: isForTesters)
    messages.console.say(
      "\(name.printable): \(stored.target.text.printable). Try it: mayday alerts test "
        + name.printable)
    if let secret = stored.secret { try Console(colour: .never).write(secret + "\n") }
  }

  private func target() throws -> AlertTarget {
    guard let server else {
      let hook = AlertTarget.Webhook(
        url: webhook ?? "", preset: AlertTarget.Preset(rawValue: preset.rawValue) ?? .json,
        secret: try secretFile.map { path in
          let line = try Self.line(of: path)
          guard line.utf8.count >= 16 else {
            throw CommandFailure(
              "\(path.printable): a secret needs at least 16 characters", .wrongUsage)
          }
          return line
        })
      return AlertTarget(name: name, way: .webhook(hook), authorities: authorities)
    }
    let mail = AlertTarget.Mail(
      server: server, sender: sender ?? "", recipients: recipients, user: user,
      password: try password(), isPlain: isPlain)
    return AlertTarget(name: name, way: .mail(mail), authorities: authorities)
  }

  /// A server of another machine cannot read the file later: it gets the password itself.
  private func password() throws -> String? {
    guard home.server != nil, let passwordFile else {
      return passwordFile.map { "file:" + $0 } ?? passwordVariable.map { "env:" + $0 }
    }
    let line = try Self.line(of: passwordFile)
    guard !line.isEmpty else {
      throw CommandFailure("\(passwordFile.printable): contains no password", .wrongUsage)
    }
    return AlertTarget.storedPassword + line
  }

  private static func line(of path: String) throws -> String {
    let text = try ByteView(reading: path, limit: 4_096).text
    return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }
}
