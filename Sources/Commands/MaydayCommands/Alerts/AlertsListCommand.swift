import Alerts
import Arguments
import Bytes
import CommandSupport
import Identifiers
import JSON
import Rendering
import ServerStore
import Terminal

/// `mayday alerts list`
struct AlertsListCommand: Command {
  static let name = "list"
  static let summary = "List rules and targets."
  static let discussion = """
    Only the host of a webhook's address is shown: the rest is often a secret.
    """
  static let examples = [Example("mayday alerts list", "All rules and targets.")]

  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let alerts = AlertsTable(in: try ServerStore(opening: home.existingFolder()))
    let (rules, targets) = (try alerts.rules(), try alerts.targets())
    let console = output.console
    if output.json { return try console.write(json: Self.document(rules, targets)) }
    if targets.isEmpty { return console.say("No alerts. Add a target: mayday alerts target") }
    var columns: [TextTable.Column] = [
      .number("RULE"), .text("WHAT", .atEnd), .text("TO"), .text("WHEN"),
    ]
    let hasProblems = rules.contains { $0.problem != nil }
    if hasProblems { columns.append(.text("PROBLEM", .atEnd)) }
    var table = TextTable(columns)
    for rule in rules {
      var cells = ["\(rule.number)", rule.summary.printable, rule.target, rule.schedule]
      if hasProblems { cells.append(rule.problem?.printable ?? "") }
      table.add(cells)
    }
    if rules.isEmpty {
      console.say("No rules.")
    } else {
      try console.write(lines: table.lines(width: console.width, styles: console.styles) + [""])
    }
    var targetTable = TextTable([.text("TARGET"), .text("WHERE", .atEnd)])
    for target in targets { targetTable.add([target.name, target.summary.printable]) }
    try console.write(lines: targetTable.lines(width: console.width, styles: console.styles))
  }

  private static func document(_ rules: [AlertRule], _ targets: [AlertTarget]) -> [UInt8] {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.key("rules")
    writer.beginArray()
    for rule in rules {
      writer.beginObject()
      writer.member("number", rule.number)
      writer.member("kind", rule.kind.rawValue)
      writer.member("target", rule.target)
      writer.member("app", rule.app)
      writer.member("query", rule.query.isEmpty ? nil : rule.query)
      if rule.kind == .spike || rule.kind == .crashFree {
        writer.member("of", rule.basis.rawValue)
        writer.member("window", rule.window)
        writer.member("least", rule.least)
      }
      if rule.kind == .spike { writer.member("factor", Double(rule.factor) / 100) }
      if rule.kind == .crashFree { writer.member("below", Double(rule.below) / 100) }
      writer.member("text", rule.summary)
      writer.member("digest", rule.digest.text)
      writer.member("quiet", rule.quiet?.text)
      writer.member("zone", DayMinute.zoneText(rule.zone))
      writer.member("schedule", rule.schedule)
      writer.member("created", rule.created.description)
      writer.member("author", rule.author)
      writer.member("problem", rule.problem)
      writer.endObject()
    }
    writer.endArray()
    writer.key("targets")
    writer.beginArray()
    for target in targets {
      writer.beginObject()
      writer.member("name", target.name)
      writer.member("text", target.summary)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.newLine()
    return writer.takeBytes()
  }
}
