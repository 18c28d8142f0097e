import CrashService
import Arguments

/// `mayday apps adopt`
struct AppsAdoptCommand: Command {
  static let name = "adopt"
  static let summary = "Name the app of an unknown App Center secret."
  static let discussion = """
    Reports with an unknown secret belong to an app called unknown- and the start of the secret. \
    This command gives them, and all later ones, to the named app. If an app of that name exists, \
    its groups take in the reports.
    """
  static let examples = [
    Example("mayday apps adopt 5b1e6c1c Tern", "The start of the secret is enough.")
  ]

  @Argument("SECRET", help: "The secret, or the start of it.") var secret: String
  @Argument("NAME", help: "The app's name.") var name: String
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    try home.service().adoptApp(secret: secret, as: name)
  }
}
