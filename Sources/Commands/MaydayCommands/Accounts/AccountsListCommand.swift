import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import JSON
import Rendering
import ServerStore
import Terminal

/// `mayday accounts list`
struct AccountsListCommand: Command {
  static let name = "list"
  static let summary = "List accounts and where they are signed in."
  static let examples = [Example("mayday accounts list", "All accounts and their roles.")]

  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let accounts = try home.service().accounts()
    let console = output.console
    guard !output.json else {
      var writer = JSONWriter(pretty: true)
      writer.write(accounts)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    if accounts.isEmpty { return console.say("No accounts.") }
    var table = TextTable([
      .text("NAME", .atEnd), .text("ROLE"), .text("APP", .atEnd), .number("SESSIONS"),
      .text("SEEN"),
    ])
    for record in accounts {
      let account = record.account
      table.add([
        account.name.printable, account.role.rawValue, account.app?.printable ?? "",
        "\(record.sessions)", record.seen.map { GroupText.day($0) } ?? "never",
      ])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
  }
}
