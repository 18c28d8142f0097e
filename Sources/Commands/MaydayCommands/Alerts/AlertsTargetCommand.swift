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
    `mayday serve`; only the path or the name of the variable is stored.

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
  @Option(
    "--ca-file", help: "CA certificates (PEM) to trust instead of the system's.", value: "FILE")
  var authorities: String?
  @OptionGroup var home = HomeOptions()
  @OptionGroup var messages = MessageOptions()

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
    for path in [passwordFile, authorities].compactMap({ $0 }) where !path.hasPrefix("/") {
      throw UsageError("'\(path)' must be an absolute path: the server reads it later")
    }
  }

  func run() throws {
    let alerts = AlertsTable(in: try ServerStore(opening: home.folder()))
    do {
      let (target, newSecret) = try target(alerts)
      try alerts.set(target, now: .now)
      if isForTesters { try alerts.chooseForTesters(name) }
      messages.console.say(
        "\(name.printable): \(target.summary.printable). Try it: mayday alerts test \(name.printable)"
      )
      if let newSecret { try Console(colour: .never).write(newSecret + "\n") }
    } catch let error as AlertError {
      throw CommandFailure(error)
    }
  }

  private func target(_ alerts: AlertsTable) throws -> (target: AlertTarget, newSecret: String?) {
    if let server {
      let password =
        passwordFile.map { "file:" + $0 } ?? passwordVariable.map { "env:" + $0 }
      let mail = AlertTarget.Mail(
        server: server, sender: sender ?? "", recipients: recipients, user: user,
        password: password, isPlain: isPlain)
      return (AlertTarget(name: name, way: .mail(mail), authorities: authorities), nil)
    }
    var hook = AlertTarget.Webhook(
      url: webhook ?? "", preset: AlertTarget.Preset(rawValue: preset.rawValue) ?? .json,
      secret: nil)
    var newSecret: String?
    if let secretFile {
      let text = try ByteView(reading: secretFile, limit: 4_096).text
      guard let line = text.split(whereSeparator: \.isNewline).first, line.utf8.count >= 16 else {
        throw AlertError.invalid("\(secretFile): a secret needs at least 16 characters")
      }
      hook.secret = String(line)
    } else if case .webhook(let former)? = try alerts.targets().first(where: { $0.name == name })?
      .way, former.preset == hook.preset, former.secret != nil
    {
      hook.secret = former.secret
    } else if hook.preset == .json {
      newSecret = AlertTarget.newSecret()
      hook.secret = newSecret
    }
    return (AlertTarget(name: name, way: .webhook(hook), authorities: authorities), newSecret)
  }
}

extension CommandFailure {
  init(_ error: AlertError) {
    let kind: ExitCode =
      switch error {
      case .invalid: .wrongUsage
      case .unknownTarget, .unknownRule, .unknownApp: .notFound
      case .inUse: .failed
      }
    // A query that cannot be parsed is shown on several lines, with a mark under the mistake.
    self.init(error.description.printableLines.joined(separator: "\n"), kind)
  }
}
