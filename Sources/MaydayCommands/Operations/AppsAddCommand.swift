import Arguments

/// `mayday apps add`
struct AppsAddCommand: Command {
  static let name = "add"
  static let summary = "Make an app, or give an app a secret."
  static let discussion = """
    The secret is what an App Center SDK in the app sends with its reports. What came with it before \
    stays where it is; `mayday apps adopt` takes that along.
    """
  static let examples = [
    Example(
      "mayday apps add Tern --secret 5b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10",
      "Reports with this secret are Tern's.")
  ]

  @Argument("NAME", help: "The name of the app.") var name: String
  @Option("--secret", help: "An App-Secret of App Center's SDKs.", value: "UUID")
  var secret: String?
  @OptionGroup var home = SourceOfAnswers()
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    try home.answers(makingHome: true).addApp(name, secret: secret)
  }
}
