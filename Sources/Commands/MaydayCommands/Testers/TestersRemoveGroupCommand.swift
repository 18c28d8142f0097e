import Arguments
import Bytes
import CrashService
import Terminal

/// `mayday testers remove-group`
struct TestersRemoveGroupCommand: Command {
  static let name = "remove-group"
  static let summary = "Remove distribution groups; their testers stay."
  static let examples = [
    Example("mayday testers remove-group Beta --app Tern", "It is offered nothing any more.")
  ]

  @Argument("NAME", help: "The groups.") var names: [String]
  @OptionGroup var app = AppOption()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    for name in names {
      try service.removeDistributionGroup(name, of: app, by: author.name)
      messages.console.say("\(name.printable) is removed")
    }
  }
}
