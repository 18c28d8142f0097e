import Arguments
import CrashModel
import CrashStore
import JSON

/// `mayday groups`
struct GroupsCommand: Command {
  static let name = "groups"
  static let summary = "List the groups of stored reports."
  static let discussion = """
    The query is words that stand in the signature or the reason, and conditions: app:NAME, \
    version:1.4.0, is:open (or resolved, ignored, regressed). All must hold.
    """
  static let examples = [
    Example("mayday groups", "All groups, those with the most reports first."),
    Example("mayday groups app:Tern version:1.4.0 --sort last-seen", "What 1.4.0 has lately."),
    Example("mayday groups Renderer --ndjson", "Groups in whose signature a word stands."),
  ]

  enum Order: String, CaseIterable, ArgumentValue {
    case reports
    case lastSeen = "last-seen"
    case firstSeen = "first-seen"

    var query: GroupQuery.Order {
      switch self {
      case .reports: .reports
      case .lastSeen: .lastSeen
      case .firstSeen: .firstSeen
      }
    }
  }

  @Argument("QUERY", help: "What to narrow the list to.", isRequired: false) var words: [String]
  @Option("--sort", help: "What comes first.") var order = Order.reports
  @Option("--limit", help: "The most groups to print; 0 is all.", value: "N") var limit = 100
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = ListOptions()

  private static let fields = ["app", "version", "is"]

  func validate() throws(UsageError) {
    _ = try Query(words, fields: Self.fields)
    if limit < 0 { throw UsageError("--limit cannot be below 0") }
  }

  func run() throws {
    let wanted = try Query(words, fields: Self.fields)
    var query = GroupQuery()
    query.app = wanted.app
    query.version = wanted.version
    query.state = wanted.state
    query.text = wanted.text
    query.order = order.query
    // One more than is shown tells whether there are more.
    query.limit = limit == 0 ? nil : limit + 1
    var groups = try home.openForReading()?.groups(query) ?? []
    let hasMore = limit > 0 && groups.count > limit
    if hasMore { groups.removeLast() }
    let console = output.console
    if try output.printedJSON(groups, { $0.write($1) }) == false {
      if groups.isEmpty { return console.say("No groups.") }
      let list = GroupList(groups: groups)
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    if hasMore { console.say("There are more: --limit 0 prints all.") }
  }
}
