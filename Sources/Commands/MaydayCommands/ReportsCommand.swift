import APIDocuments
import Arguments
import CrashService
import CrashStore
import Documents
import Identifiers
import JSON
import Query
import Rendering
import Terminal
import TriageModel

/// `mayday reports`
struct ReportsCommand: Command, PagedCommand {
  static let name = "reports"
  static let summary = "List stored reports, newest first."
  static let discussion = """
    A query consists of conditions, such as version:>=1.4 or group:APP-12, and of words that occur \
    in functions, files or messages; all must match. A leading minus negates a term; a|b matches \
    either. See 'mayday help query'.
    """
  static let examples = [
    Example("mayday reports group:TERN-12", "The reports of a group."),
    Example("mayday reports app:Tern --limit 5 --json", "The five newest of an app."),
    Example("mayday reports signal:SIGSEGV --trend", "How many on each day?"),
    Example("mayday reports is:open --by device", "Which devices do they come from?"),
  ]

  @Argument(
    "QUERY", help: "Conditions and words that must match.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("-s", "--sort", help: "Sort order; -NAME reverses it.")
  var sort = SortKey(ReportOrder.time)
  @OptionGroup var list = QueryListOptions()
  @OptionGroup var home = ServiceOptions()

  var isPaged: Bool {
    !list.json && !list.ndjson && !list.csv && !list.printsIDs && list.seconds == nil
  }

  func validate() throws(UsageError) {
    try list.validate()
    _ = try list.countedField()
    _ = try chosenColumns()
    if list.isTrend && (list.columns != nil || list.cursor != nil || list.isReversed) {
      throw UsageError("--trend is one chart: it has no columns, parts or order")
    }
  }

  func run() throws {
    try list.run(words, of: home, page: "/reports", print)
  }

  private func print(_ asked: Query, from service: any CrashService) throws {
    let now = Timestamp.now
    if let field = try list.countedField() {
      return try QueryCounts(field: field, countsGroups: false, list: list).print(
        asked, from: service)
    }
    if list.isTrend { return try printTrend(of: asked, now: now, from: service) }
    var query = ReportQuery(asked)
    query.order = sort.order.order
    query.isReversed = sort.isReversed != list.isReversed
    query.limit = list.storeLimit
    query.after = list.cursor
    let page = try service.reports(query)
    let chosen = try chosenColumns()
    try list.print(
      page, columns: chosen ?? ReportColumns.usual, csvColumns: chosen ?? ReportColumns.all,
      noun: ("report", "reports"), id: \.id,
      advice: { try EmptyResultHint(query: asked).lines(from: service) },
      write: { $0.write($1) })
  }

  private func chosenColumns() throws(UsageError) -> [ListColumn<ReportSummary>]? {
    guard let text = list.columns else { return nil }
    return try ColumnChoice.columns(text, of: ReportColumns.all)
  }

  private func printTrend(of query: Query, now: Timestamp, from service: any CrashService) throws {
    let points = try service.trend(of: query)
    let console = list.console
    guard let newest = points.last?.day else {
      if try list.printedJSON([Int](), { $0.integer($1) }) == false { console.say("No reports.") }
      return
    }
    let counts = Dictionary(
      points.map { (TrendWindow.day($0.day), $0.reports) }, uniquingKeysWith: +)
    let trend = Trend(TrendWindow(days: list.days, newest: newest, now: now), counts: counts)
    let days = Array(zip(trend.window.days.map(TrendWindow.midnight), trend.counts))
    if list.csv {
      var csv = CSV()
      csv.add([.text("day"), .text("reports")])
      for (day, count) in days { csv.add([.text(GroupText.day(day)), .number(String(count))]) }
      return try console.write(csv.text)
    }
    let isPrinted = try list.printedJSON(days) { writer, point in
      writer.beginObject()
      writer.member("day", GroupText.day(point.0))
      writer.member("reports", point.1)
      writer.endObject()
    }
    guard !isPrinted else { return }
    let chart = TrendChart(trend: trend)
    try console.write(lines: chart.lines(width: console.readableWidth, styles: console.styles))
  }
}
