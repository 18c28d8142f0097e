import Arguments
import Bytes
import CommandSupport
import CrashService
import Identifiers
import JSON
import Rendering
import ServerStore
import Terminal

/// `mayday accounts list`
struct AccountsListCommand: Command {
  static let name = "list"
  static let summary = "List accounts and where they are signed in."
  static let examples = [Example("mayday accounts list", "All accounts and their roles.")]

  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let accounts = AccountsTable(in: try ServerStore(opening: home.existingFolder()))
    let now = Timestamp.now
    let all = try accounts.all().map {
      (account: $0, sessions: try accounts.sessions(of: $0.name, now: now))
    }
    let console = output.console
    guard !output.json else {
      var writer = JSONWriter(pretty: true)
      writer.beginArray()
      for (account, sessions) in all {
        writer.beginObject()
        writer.member("name", account.name)
        writer.member("role", account.role.rawValue)
        writer.member("app", account.app)
        writer.member("created", account.created.description)
        writer.member("sessions", sessions.count)
        writer.member("seen", sessions.first?.seen.description)
        writer.endObject()
      }
      writer.endArray()
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    if all.isEmpty { return console.say("No accounts.") }
    var table = TextTable([
      .text("NAME", .atEnd), .text("ROLE"), .text("APP", .atEnd), .number("SESSIONS"),
      .text("SEEN"),
    ])
    for (account, sessions) in all {
      table.add([
        account.name.printable, account.role.rawValue, account.app?.printable ?? "",
        "\(sessions.count)", sessions.first.map { GroupText.day($0.seen) } ?? "never",
      ])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
  }
}
