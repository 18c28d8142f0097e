import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import JSON
import Rendering
import Terminal
import Updates

/// `mayday testers invite`
struct TestersInviteCommand: Command {
  static let name = "invite"
  static let summary = "Invite testers to a distribution group, and print their invitations."
  static let discussion = """
    Each invitation is a link that a tester opens on the device that has the app; it is valid for \
    two weeks, and shown only once. --address is where testers reach the server. A tester who has \
    accepted one needs another only on another device.

    The server mails them, too, if `mayday alerts target --testers` set up a mail server.
    """
  static let examples = [
    Example(
      "mayday testers invite ada@example.org --group Beta --app Tern",
      "Print a link for her.")
  ]

  @Argument("EMAIL", help: "The testers.") var emails: [String]
  @Option("--group", help: "The distribution group.", value: "GROUP") var group: String?
  @Option("--address", help: "Where testers reach the server.", value: "URL") var address: String?
  @OptionGroup var mail = InvitationMailOptions()
  @OptionGroup var app = AppOption()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if group == nil { throw UsageError("--group is missing: mayday testers groups lists them") }
  }

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let invited = try emails.map {
      try service.inviteTester(
        $0, to: group ?? "", of: app, by: author.name, mails: mail.mails)
    }
    try InvitedTester.print(invited, at: address, home, output)
  }
}

/// Whether invitations are mailed.
struct InvitationMailOptions {
  @Flag("--mail", help: "Mail them, or fail if no mail server is set up.") var isMailed
  @Flag("--no-mail", help: "Only print them.") var isNotMailed

  func validate() throws(UsageError) {
    if isMailed, isNotMailed { throw UsageError("--mail and --no-mail exclude each other") }
  }

  /// `nil` where neither is given.
  var mails: Bool? { isMailed ? true : isNotMailed ? false : nil }
}

extension InvitedTester {
  /// Prints invitations as links.
  ///
  /// - Parameter address: Where testers reach the server; `nil` for where the command does.
  static func print(
    _ invited: [InvitedTester], at address: String?, _ home: ServiceOptions, _ output: ListOptions
  ) throws {
    if try output.printedJSON(invited, { $0.write($1) }) { return }
    let console = output.console
    var start = address ?? home.server ?? ""
    while start.hasSuffix("/") { start.removeLast() }
    for invited in invited {
      let email = invited.tester.email.printable
      try console.write("\(email): \(start)/install/invitations/\(invited.invitation)\n")
      if invited.isMailed {
        console.say("\(email): the server mails it")
      } else if invited.tester.isUnsubscribed {
        console.say("\(email) wants no mails: send the link yourself")
      }
    }
    let problem = try address.map { PhoneAddress.problem(of: $0) } ?? home.addressProblem()
    if let problem { console.say(problem.printable) }
  }
}
