import Arguments
import CrashModel
import CrashStore
import JSON

/// `mayday reports`
struct ReportsCommand: Command {
  static let name = "reports"
  static let summary = "List stored reports, the newest first."
  static let discussion = """
    The query is words that stand in the signature or the reason, and conditions: app:NAME, \
    group:APP-12, version:1.4.0, is:open (or resolved, ignored, regressed). All must hold.
    """
  static let examples = [
    Example("mayday reports group:TERN-12", "The reports of a group."),
    Example("mayday reports app:Tern --limit 5 --json", "The five newest of an app."),
  ]

  @Argument("QUERY", help: "What to narrow the list to.", isRequired: false) var words: [String]
  @Option("--limit", help: "The most reports to print; 0 is all.", value: "N") var limit = 100
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = ListOptions()

  static let fields = ["app", "group", "version", "is"]

  func validate() throws(UsageError) {
    _ = try Query(words, fields: Self.fields)
    if limit < 0 { throw UsageError("--limit cannot be below 0") }
  }

  func run() throws {
    let wanted = try Query(words, fields: Self.fields)
    var query = ReportQuery()
    query.app = wanted.app
    query.group = wanted.group
    query.version = wanted.version
    query.state = wanted.state
    query.text = wanted.text
    query.limit = limit == 0 ? nil : limit + 1
    var reports = try home.openForReading()?.reports(query) ?? []
    let hasMore = limit > 0 && reports.count > limit
    if hasMore { reports.removeLast() }
    let console = output.console
    if try output.printedJSON(reports, { $0.write($1) }) == false {
      if reports.isEmpty { return console.say("No reports.") }
      let list = ReportList(reports: reports)
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    if hasMore { console.say("There are more: --limit 0 prints all.") }
  }
}
