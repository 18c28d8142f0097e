import Arguments
import CrashModel
import CrashStore
import JSON
import Query

/// `mayday groups`
struct GroupsCommand: Command {
  static let name = "groups"
  static let summary = "List the groups of stored reports."
  static let discussion = """
    The query is conditions, such as version:>=1.4 or is:open, and words that stand in functions, \
    files or messages; all must hold. A minus sign before one negates it, a|b is either. Of a \
    condition on reports, the figures are those of the reports that fit. All fields: mayday fields.
    """
  static let examples = [
    Example("mayday groups", "All groups, those with the most reports first."),
    Example("mayday groups app:Tern version:1.4.0 --sort last-seen", "What 1.4.0 has lately."),
    Example("mayday groups Renderer --ndjson", "Groups in whose crashes a word stands."),
  ]

  enum Order: String, CaseIterable, ArgumentValue {
    case reports
    case lastSeen = "last-seen"
    case firstSeen = "first-seen"
    case versions, installs

    var query: GroupQuery.Order {
      switch self {
      case .reports: .reports
      case .lastSeen: .lastSeen
      case .firstSeen: .firstSeen
      case .versions: .versions
      case .installs: .installs
      }
    }
  }

  @Argument("QUERY", help: "What to narrow the list to.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("--sort", help: "What comes first.") var order = Order.reports
  @Option("--limit", help: "The most groups to print; 0 is all.", value: "N") var limit = 100
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if limit < 0 { throw UsageError("--limit cannot be below 0") }
  }

  func run() throws {
    var query = GroupQuery(try Query(words: words))
    query.order = order.query
    query.limit = limit == 0 ? nil : limit
    let groups = try home.openForReading()?.groups(query) ?? Page()
    let console = output.console
    if try output.printedJSON(groups.items, { $0.write($1) }) == false {
      if groups.isEmpty { return console.say("No groups.") }
      let list = GroupList(groups: groups.items)
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    if groups.next != nil { console.say("There are more: --limit 0 prints all.") }
  }
}
