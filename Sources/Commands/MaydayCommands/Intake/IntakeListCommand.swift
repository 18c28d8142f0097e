import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import Identifiers
import JSON
import Pipeline
import Rendering
import ServerStore
import Terminal

/// `mayday intake list`
struct IntakeListCommand: Command {
  static let name = "list"
  static let summary = "List quarantined submissions, oldest first."
  static let examples = [
    Example(
      "mayday intake list --json | jq -r '.[].problem' | sort | uniq -c", "Count the reasons.")
  ]

  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    let records = try home.service().quarantined()
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.beginArray()
      for record in records { writer.write(record) }
      writer.endArray()
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    var table = TextTable([
      .number("ID"), .text("RECEIVED"), .text("INTAKE"), .number("SIZE"), .number("TRIED"),
      .text("WHY", .atEnd),
    ])
    for record in records {
      table.add([
        "\(record.id)", String(record.received.description.prefix(16)), record.route.printable,
        DebugFileList.size(record.size), "\(record.attempts)", record.problem.printable,
      ])
    }
    if !records.isEmpty {
      try console.write(lines: table.lines(width: console.width, styles: console.styles))
    }
    console.say("\(GroupText.count(records.count, "submission", "submissions")) quarantined.")
  }
}
