import Arguments
import CrashModel
import CrashStore
import JSON
import Query

/// `mayday reports`
struct ReportsCommand: Command {
  static let name = "reports"
  static let summary = "List stored reports, the newest first."
  static let discussion = """
    The query is conditions, such as version:>=1.4 or group:APP-12, and words that stand in \
    functions, files or messages; all must hold. A minus sign before one negates it, a|b is either. \
    All fields: mayday fields.
    """
  static let examples = [
    Example("mayday reports group:TERN-12", "The reports of a group."),
    Example("mayday reports app:Tern --limit 5 --json", "The five newest of an app."),
  ]

  @Argument("QUERY", help: "What to narrow the list to.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("--limit", help: "The most reports to print; 0 is all.", value: "N") var limit = 100
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if limit < 0 { throw UsageError("--limit cannot be below 0") }
  }

  func run() throws {
    var query = ReportQuery(try Query(words: words))
    query.limit = limit == 0 ? nil : limit
    let reports = try home.openForReading()?.reports(query) ?? Page()
    let console = output.console
    if try output.printedJSON(reports.items, { $0.write($1) }) == false {
      if reports.isEmpty { return console.say("No reports.") }
      let list = ReportList(reports: reports.items)
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    if reports.next != nil { console.say("There are more: --limit 0 prints all.") }
  }
}
