import APIDocuments
import Alerts
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
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

  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let alerts = try home.alerts()
    let (rules, targets) = (try alerts.alertRules(), try alerts.alertTargets())
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
      var cells = ["\(rule.number)", rule.summary.printable, rule.target.printable, rule.schedule]
      if hasProblems { cells.append(rule.problem?.printable ?? "") }
      table.add(cells)
    }
    if rules.isEmpty {
      console.say("No rules.")
    } else {
      try console.write(lines: table.lines(width: console.width, styles: console.styles) + [""])
    }
    var targetTable = TextTable([.text("TARGET"), .text("WHERE", .atEnd)])
    for target in targets { targetTable.add([target.name.printable, target.text.printable]) }
    try console.write(lines: targetTable.lines(width: console.width, styles: console.styles))
  }

  private static func document(
    _ rules: [AlertRule], _ targets: [AlertTargetSummary]
  ) -> [UInt8] {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.key("rules")
    writer.write(rules)
    writer.key("targets")
    writer.write(targets)
    writer.endObject()
    writer.newLine()
    return writer.takeBytes()
  }
}
