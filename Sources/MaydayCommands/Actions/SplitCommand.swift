import Arguments
import CrashModel
import CrashStore
import JSON

/// `mayday split`
struct SplitCommand: Command {
  static let name = "split"
  static let summary = "Split a part off a group, into a new one."
  static let discussion = """
    With --key, the reports that have one of the keys move, and those that come with them follow. \
    With --where, those that match a query, which is kept as a rule for what comes. What was split \
    off stays so, whatever symbols or other rules say later. `undo` puts it back, with what has \
    come since.

    Without either, the keys of the group are listed.
    """
  static let examples = [
    Example("mayday split TERN-3", "Which keys has it?"),
    Example("mayday split TERN-3 --key 5b1c --key 90dc", "Two of them are another crash."),
    Example("mayday split TERN-3 --where 'version:>=2.1'", "Since 2.1 it is another crash."),
  ]

  @Argument("ID", help: "A group.") var id: String
  @Option("--key", help: "A key, or how it begins.", value: "KEY") var keys: [String] = []
  @Option("--where", help: "What the reports must match: see `mayday fields`.", value: "QUERY")
  var rule: String?
  @OptionGroup var options = ActionOptions()

  func validate() throws(UsageError) {
    if rule != nil && !keys.isEmpty {
      throw UsageError("--key and --where are two ways to split: give one of them")
    }
  }

  func run() throws {
    if rule == nil && keys.isEmpty { return try list() }
    // Both groups are printed, as those are that were named.
    try options.decide(
      rule.map { .splitWhere($0) } ?? .split(keys: keys), about: [id], isList: true
    ) { groups in
      guard let new = groups.last else { return }
      options.output.console.say(
        "\(GroupText.count(new.reports, "report", "reports")) moved to \(new.id.printable)")
    }
  }

  private func list() throws {
    let keys = try options.home.answers().keys(ofGroup: id)
    let console = options.output.console
    guard options.output.json else {
      let list = KeyList(keys: keys)
      return try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for key in keys { writer.write(key) }
    writer.endArray()
    writer.newLine()
    try console.write(writer.takeBytes())
  }
}
