import Arguments
<<<<<<< HEAD
import CrashStore
import Grouping
import Pipeline
=======
>>>>>>> 418334e8c9f9dfa71de92b45d536bc802dd200f5

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
<<<<<<< HEAD
  @Argument("NAME", help: "The name of the app.") var name: String
  @OptionGroup var home = HomeOptions()
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    guard let store = try home.openForReading() else { throw StoreError.notFound(secret) }
    let console = Console(colour: .auto)
    let count = try AppAdoption(in: store, signer: Signer(rules: .v1))
      .run(secret: secret.lowercased(), into: name)
    if count > 0 { console.say("\(count) submissions are \(name.printable)'s now.") }
=======
  @Argument("NAME", help: "The name of the app, which must be new.") var name: String
  @OptionGroup var home = SourceOfAnswers()
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    try home.answers().adoptApp(secret: secret, as: name)
>>>>>>> 418334e8c9f9dfa71de92b45d536bc802dd200f5
  }
}
