import Arguments
import CrashModel
import CrashStore
import JSON

/// `mayday remove`
struct RemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove reports for good, such as when a user asks for it."
  static let discussion = """
    The reports go with their submissions and everything that was made of them. Their groups keep \
    their ids and numbers, and forget the installations that no other report is from. The same \
    bytes, ingested again, stay away. The room is given back by `mayday gc`.

    All or none: an id that names no report, or more than one, changes nothing.
    """
  static let examples = [
    Example("mayday remove 5a2c9be20f 77d01c", "Two reports."),
    Example(
      "mayday reports user:42 --json | jq -r '.[].id' | xargs mayday remove",
      "All reports of a user."),
  ]

  @Argument("REPORT", help: "The id of a report, or any beginning of it that only one has.")
  var ids: [String]
  @Flag("--dry-run", help: "Only say which reports would go.") var isDry
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let store = try home.openForReading()
    var seen: Set<String> = []
    let reports = try ids.map { try store.report($0).summary }.filter {
      seen.insert($0.id).inserted
    }
    if !isDry { try store.remove(reports: reports.map(\.id), at: .now) }
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.beginArray()
      for report in reports { writer.write(report) }
      writer.endArray()
      writer.newLine()
      try console.write(writer.takeBytes())
    } else {
      let table = ColumnTable(columns: ReportColumns.usual, items: reports)
      try console.write(lines: table.lines(width: console.width, styles: console.styles))
    }
    let what = GroupText.count(reports.count, "report", "reports")
    console.say(isDry ? "\(what) would be removed." : "\(what) removed.")
  }
}
