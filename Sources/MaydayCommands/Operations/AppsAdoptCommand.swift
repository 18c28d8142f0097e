import Arguments

/// `mayday apps adopt`
struct AppsAdoptCommand: Command {
  static let name = "adopt"
  static let summary = "Name the app of a secret that came unannounced."
  static let discussion = """
    Reports with a secret that nobody has named are kept apart, in an app called unknown- and the \
    start of the secret. All of them are the named app's afterwards, and so is what comes later. Where \
    there is an app of that name already, they are filed again as its own, and find its groups.
    """
  static let examples = [
    Example("mayday apps adopt 5b1e6c1c Tern", "The start of the secret is enough.")
  ]

  @Argument("SECRET", help: "The secret, or the start of it.") var secret: String
  @Argument("NAME", help: "The name of the app.") var name: String
  @OptionGroup var home = SourceOfAnswers()
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    try home.answers().adoptApp(secret: secret, as: name)
  }
}
