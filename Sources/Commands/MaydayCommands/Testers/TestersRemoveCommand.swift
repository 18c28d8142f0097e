import Arguments
import Bytes
import CrashService
import Terminal

/// `mayday testers remove`
struct TestersRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove testers from a group, or from the app."
  static let examples = [
    Example("mayday testers remove ada@example.org --group Beta --app Tern", "From one group."),
    Example("mayday testers remove ada@example.org --app Tern", "From all groups of the app."),
  ]

  @Argument("EMAIL", help: "The testers.") var emails: [String]
  @Option("--group", help: "Only from this distribution group.", value: "GROUP") var group: String?
  @OptionGroup var app = AppOption()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    for email in emails {
      try service.removeTester(email, from: group, of: app, by: author.name)
      messages.console.say("\(email.printable) is removed from \((group ?? app).printable)")
    }
  }
}
