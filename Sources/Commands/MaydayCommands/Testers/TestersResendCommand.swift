import Arguments
import CommandSupport
import CrashService

/// `mayday testers resend`
struct TestersResendCommand: Command {
  static let name = "resend"
  static let summary = "Replace the open invitations of testers by new ones, and print these."
  static let discussion = """
    Open invitations of these testers end; sessions and update tokens stay. What `mayday testers \
    invite` says of links and mails is true here, too.
    """
  static let examples = [
    Example("mayday testers resend ada@example.org --app Tern", "Her link is lost.")
  ]

  @Argument("EMAIL", help: "The testers.") var emails: [String]
  @Option("--address", help: "Where testers reach the server.", value: "URL") var address: String?
  @OptionGroup var mail = InvitationMailOptions()
  @OptionGroup var app = AppOption()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let invited = try emails.map {
      try service.resendInvitation($0, of: app, by: author.name, mails: mail.mails)
    }
    try InvitedTester.print(invited, at: address, home, output)
  }
}
