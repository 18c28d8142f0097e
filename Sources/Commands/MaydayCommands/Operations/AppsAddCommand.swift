import CrashService
import Arguments
import Bytes
import Terminal

/// `mayday apps add`
struct AppsAddCommand: Command {
  static let name = "add"
  static let summary = "Create an app, or add an App Center secret to one."
  static let discussion = """
    The secret is what an App Center SDK in the app sends with its reports. Reports that arrived \
    with it earlier stay where they are; `mayday apps adopt` moves them.
    """
  static let examples = [
    Example(
      "mayday apps add Tern --secret 5b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10",
      "Reports with this secret belong to Tern.")
  ]

  @Argument("NAME", help: "The app's name.") var name: String
  @Option("--secret", help: "The App Center secret (App-Secret).", value: "UUID")
  var secret: String?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    try home.service(makingHome: true).addApp(name, secret: secret)
    Console(colour: .auto).say(
      secret.map { "Reports with the secret \($0.printable) belong to \(name.printable)." }
        ?? "\(name.printable) is ready for reports, debug files and releases.")
  }
}
