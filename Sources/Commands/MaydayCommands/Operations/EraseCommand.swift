import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Rendering
import ServerStore
import Terminal

/// `mayday erase`
struct EraseCommand: Command {
  static let name = "erase"
  static let summary = "Erase everything that came from a user or an installation."
  static let discussion = """
    Deletes reports with their attachments and everything derived from them, sessions, events, and \
    waiting submissions that name the installation. Groups keep their ids and counts; the ledger \
    records what was deleted and why, the audit log that it was requested. The same bytes are \
    refused when they arrive again. `mayday gc` frees the disk space; backups are yours to delete.

    It may run beside a server, and may be interrupted and repeated. Submissions accepted before \
    the request are erased once they are processed; later ones are kept.
    """
  static let examples = [
    Example("mayday erase --user jo@example.com --dry-run", "Show what would be deleted."),
    Example(
      "mayday erase --install 5f0c1d2e-8a3b-4c5d-9e6f-7a8b9c0d1e2f", "Erase an installation."),
  ]

  @Option("--user", help: "The user's id in reports.", value: "ID") var user: String?
  @Option("--install", help: "The installation's id in reports.", value: "ID")
  var install: String?
  @Flag("--dry-run", help: "Only print what would be deleted.") var isDry
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    guard (user == nil) != (install == nil) else {
      throw UsageError("give --user or --install")
    }
    if (user ?? install)?.isEmpty == true { throw UsageError("ID is empty") }
  }

  func run() throws {
    let console = output.console
    let person = user.map { ErasedPerson.user($0) } ?? .install(install ?? "")
    let result = try home.service().erase(person, isDry: isDry)
    if !isDry && home.server == nil { try note(person) }
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(ErasureDocument(result: result, isDry: isDry))
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      var table = TextTable([.text("WHAT"), .number("COUNT")])
      for (name, count) in result.parts { table.add([name, "\(count)"]) }
      try console.write(lines: table.lines(width: console.width, styles: console.styles))
    }
    if result.pending > 0 {
      console.say(
        "\(GroupText.count(result.pending, "submission is", "submissions are")) still waiting; "
          + (isDry
            ? "they are not included in these counts." : "they are erased when they are processed.")
      )
    }
    console.say(isDry ? "Nothing was changed." : "Erased.")
  }

  /// Notes the erasure in the audit log of a home; a server does so itself.
  private func note(_ person: ErasedPerson) throws {
    let store = try home.home.openForReading()
    try AuditLog(in: ServerStore(opening: store.home)).note(
      .init(
        time: .now, token: "", label: "mayday erase", action: "erase",
        subject: Erasure(person, in: store).mark, peer: "command line"))
  }
}
