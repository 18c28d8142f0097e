import Arguments
import Bytes
import CommandSupport
import CrashService
import Identifiers
import JSON
import Rendering
import ServerStore
import Terminal

/// `mayday intake-links list`
struct IntakeLinksListCommand: Command {
  static let name = "list"
  static let summary = "List links, newest first."
  static let discussion = "Their secrets are not stored, and so not shown."
  static let examples = [Example("mayday intake-links list", "All links and their use.")]

  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let links = try IntakeLinksTable(in: ServerStore(opening: home.existingFolder())).all()
    let console = output.console
    guard !output.json else { return try printJSON(links, to: console) }
    if links.isEmpty { return console.say("No intake links.") }
    var table = TextTable([
      .text("ID"), .text("LABEL", .atEnd), .text("APP", .atEnd), .text("UNTIL"), .number("FILES"),
      .number("MOST"), .text("USED"),
    ])
    for link in links {
      table.add([
        link.id, link.label.printable, link.app.printable,
        link.revoked.map { "revoked \(GroupText.day($0))" } ?? GroupText.day(link.expires),
        "\(link.files)", link.most.map { "\($0)" } ?? "", link.used.map(GroupText.day) ?? "never",
      ])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
  }

  private func printJSON(_ links: [IntakeLink], to console: Console) throws {
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for link in links {
      writer.beginObject()
      writer.member("id", link.id)
      writer.member("label", link.label)
      writer.member("app", link.app)
      writer.member("created", link.created.description)
      writer.member("expires", link.expires.description)
      writer.member("revoked", link.revoked?.description)
      writer.member("most", link.most)
      writer.member("files", link.files)
      writer.member("used", link.used?.description)
      writer.endObject()
    }
    writer.endArray()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
