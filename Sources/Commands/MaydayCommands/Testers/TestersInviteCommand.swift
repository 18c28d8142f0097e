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
    """
  static let examples = [
    Example(
      "mayday testers invite ada@example.org --group Beta --app Tern",
      "Print a link for her.")
  ]

  @Argument("EMAIL", help: "The testers.") var emails: [String]
  @Option("--group", help: "The distribution group.", value: "GROUP") var group: String?
  @Option("--address", help: "Where testers reach the server.", value: "URL") var address: String?
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
      try service.inviteTester($0, to: group ?? "", of: app, by: author.name)
    }
    if try output.printedJSON(invited, { $0.write($1) }) { return }
    let console = output.console
    for invited in invited {
      let start = (address ?? home.server).map { server in
        var server = server
        while server.hasSuffix("/") { server.removeLast() }
        return server
      }
      try console.write(
        "\(invited.tester.email.printable): \(start ?? "")/install/invitations/\(invited.invitation)\n"
      )
    }
  }
}
