import Arguments
import Bytes
import CrashService
import Terminal

/// `mayday testers revoke`
struct TestersRevokeCommand: Command {
  static let name = "revoke"
  static let summary = "End the invitations, sessions and update tokens of testers."
  static let discussion = "They stay in their groups; a new invitation lets them in again."
  static let examples = [
    Example("mayday testers revoke ada@example.org --app Tern", "After her phone was stolen."),
    Example(
      "mayday testers revoke ada@example.org --invitations --app Tern",
      "After a link went to the wrong person."),
  ]

  @Argument("EMAIL", help: "The testers.") var emails: [String]
  @Flag("--invitations", help: "Only unused invitations.") var onlyInvitations
  @OptionGroup var app = AppOption()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    for email in emails {
      let count = try service.revokeTester(
        email, of: app, by: author.name, onlyInvitations: onlyInvitations)
      messages.console.say("\(email.printable): \(count) revoked")
    }
  }
}
