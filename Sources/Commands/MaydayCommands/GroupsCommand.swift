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

/// `mayday groups`
struct GroupsCommand: Command, PagedCommand {
  static let name = "groups"
  static let summary = "List groups of stored reports."
  static let discussion = """
    A query consists of conditions, such as version:>=1.4 or is:open, and of words that occur in \
    functions, files or messages; all must match. A leading minus negates a term; a|b matches \
    either. With a condition on reports, counts cover only the matching reports. See 'mayday help \
    query'.
    """
  static let examples = [
    Example("mayday groups", "All groups, most reports first."),
    Example(
      "mayday groups app:Tern version:1.4.0 --sort last-seen",
      "Groups seen in 1.4.0, most recent first."),
    Example("mayday groups is:open --trend", "How many reports arrived each day?"),
    Example(
      "mayday groups is:open --sort change --days 7",
      "Which groups grow most, against the 7 days before?"),
    Example("mayday groups Renderer --by os.version", "Which systems do the reports come from?"),
    Example("mayday groups --columns id,reports,reason --csv", "For a spreadsheet."),
  ]

  @Argument(
    "QUERY", help: "Conditions and words that must match.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("-s", "--sort", help: "Sort order; -NAME reverses it.")
  var sort = SortKey(GroupOrder.reports)
  @OptionGroup var list = QueryListOptions()
  @OptionGroup var home = ServiceOptions()

  var isPaged: Bool {
    !list.json && !list.ndjson && !list.csv && !list.printsIDs && list.seconds == nil
  }

  func validate() throws(UsageError) {
    try list.validate()
    _ = try list.countedField()
    _ = try chosenColumns()
  }

  func run() throws {
    try list.run(words, of: home, page: "/", print)
  }

  private func print(_ asked: Query, from service: any CrashService) throws {
    let now = Timestamp.now
    if let field = try list.countedField() {
      return try QueryCounts(field: field, countsGroups: true, list: list).print(
        asked, from: service)
    }
    var query = GroupQuery(asked)
    query.order = sort.order.order
    query.isReversed = sort.isReversed != list.isReversed
    query.limit = list.storeLimit
    query.after = list.cursor
    (query.changeDays, query.now) = (list.days, now)
    let page = try service.groups(query)
    var trends: GroupTrends?
    // A list in the order of changes shows them.
    if list.isTrend || sort.order == .change {
      trends = try GroupTrends(
        of: page.items, asked, days: list.days, now: now,
        isWhole: page.next == nil && list.cursor == nil, from: service)
    }
    let chosen = try chosenColumns()
    try list.print(
      page, columns: chosen ?? Self.columns(for: page.items, trends, width: list.console.width),
      csvColumns: (chosen ?? GroupColumns.all) + (trends?.csvColumns ?? []),
      noun: ("group", "groups"), id: \.id,
      isQuiet: { $0.state == .resolved || $0.state == .ignored },
      advice: { try EmptyResultHint(query: asked).lines(from: service) },
      write: { writer, group in
        writer.beginObject()
        writer.writeMembers(of: group)
        if let trend = trends?[group] { writer.writeMember(trend) }
        writer.endObject()
      })
  }

  private func chosenColumns() throws(UsageError) -> [ListColumn<GroupSummary>]? {
    guard let text = list.columns else { return nil }
    return try ColumnChoice.columns(text, of: GroupColumns.all)
  }

  /// The default columns of the table.
  private static func columns(
    for groups: [GroupSummary], _ trends: GroupTrends?, width: Int
  ) -> [ListColumn<GroupSummary>] {
    guard let trends else { return GroupColumns.usual(for: groups, width: width) }
    let trend = trends.columns.reduce(0) { $0 + $1.width(for: groups) + 2 }
    var columns = GroupColumns.besideTrend(for: groups, width: width - trend)
    // The signature takes the remaining width.
    columns.insert(contentsOf: trends.columns, at: columns.count - 1)
    return columns
  }
}

extension JSONWriter {
  /// `"trend": {"first": "2026-05-01", "days": [...], "before": 12, "change": 60, "p": 0.0004}`
  mutating func writeMember(_ trend: Trend) {
    key("trend")
    beginObject()
    member("first", GroupText.day(TrendWindow.midnight(trend.window.days.lowerBound)))
    key("days")
    beginArray()
    for count in trend.counts { integer(count) }
    endArray()
    member("before", trend.before)
    member("change", trend.percent)
    member("p", trend.pValue)
    endObject()
  }
}
