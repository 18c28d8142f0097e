import Arguments
import CrashModel
import CrashStore
import JSON
import ServerStore

/// `mayday erase`
struct EraseCommand: Command {
  static let name = "erase"
  static let summary = "Take away everything that came from a user or an installation."
  static let discussion = """
    Reports go with their attachments and whatever was made of them, sessions and events, and what \
    waits in the queue of a server and names the installation. Groups keep their ids and numbers; the \
    ledger counts what went and why, the audit log that it was asked for. The same bytes stay away \
    when they come again. The room is given back by `mayday gc`; backups are yours to delete.

    It may run while a server does, and may be stopped and done again. What was accepted before and is \
    not filed yet goes when it is filed; what comes later is new.
    """
  static let examples = [
    Example("mayday erase --user jo@example.com --dry-run", "What would go."),
    Example("mayday erase --install 5f0c1d2e-8a3b-4c5d-9e6f-7a8b9c0d1e2f", "An installation."),
  ]

  @Option("--user", help: "The user, as the app calls it.", value: "ID") var user: String?
  @Option("--install", help: "The installation, as reports call it.", value: "ID")
  var install: String?
  @Flag("--dry-run", help: "Only say what would go.") var isDry
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    guard (user == nil) != (install == nil) else {
      throw UsageError("one of --user and --install is needed")
    }
    if (user ?? install)?.isEmpty == true { throw UsageError("ID is empty") }
  }

  func run() throws {
    let console = output.console
    let store = try home.openForReading()
    let erasure = try Erasure(user: user, install: install, in: store)
    let server = try ServerStore(opening: store.home)
    let result = try erasure.run(in: store, IntakeQueue(in: server), isDry: isDry)
    if !isDry {
      try AuditLog(in: server).note(
        .init(
          time: .now, token: "", label: "mayday erase", action: "erase", subject: erasure.mark,
          peer: "command line"))
    }
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(result, isDry: isDry)
      writer.newLine()
      try console.write(writer.takeBytes())
    } else {
      var table = TextTable([.text("WHAT"), .number("COUNT")])
      for (name, count) in result.parts { table.add([name, "\(count)"]) }
      try console.write(lines: table.lines(width: console.width, styles: console.styles))
    }
    if result.pending > 0 {
      console.say(
        "\(GroupText.count(result.pending, "submission is", "submissions are")) not filed yet: what "
          + (isDry ? "is in them is not counted." : "is in them goes when they are."))
    }
    console.say(isDry ? "Nothing was changed." : "Erased.")
  }
}
