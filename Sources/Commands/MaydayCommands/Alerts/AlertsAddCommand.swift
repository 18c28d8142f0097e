import Alerts
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import ServerStore
import Spelling
import Terminal

/// `mayday alerts add`
struct AlertsAddCommand: Command {
  static let name = "add"
  static let summary = "Add an alert rule for a target."
  static let discussion = """
    Kinds: new-group; regression, a resolved group that came back; spike, more reports than in the week \
    before; crash-free, a rate below a percentage; missing-symbols, for a release with reports in the last \
    seven days; quarantine, submissions that could not be stored; release, one that was published; \
    invitation, a tester who was invited.
    """
  static let examples = [
    Example("mayday alerts add new-group --to team --app Tern", "Each new group of an app."),
    Example(
      "mayday alerts add spike --to team --quiet 22:00-07:00 --zone +01:00",
      "At night, hold alerts until the morning."),
    Example(
      "mayday alerts add crash-free --to ann --below 99.5 --of users --digest 09:00",
      "Every morning, if too many users saw a crash."),
  ]

  @Argument("KIND", help: "What to alert about.") var kind: String
  @Option("--to", help: "The target.", value: "NAME") var target: String?
  @Option("-a", "--app", help: "Only this app.", value: "APP") var app: String?
  @Option("--query", help: "Only for reports or groups that match this query.", value: "QUERY")
  var query: String?
  @Option(
    "--digest", help: "When to send: immediately, hourly, or daily at a time such as 09:00.",
    value: "WHEN")
  var digest = "immediately"
  @Option(
    "--quiet", help: "Hold alerts until these hours end: 22:00-07:00.",
    value: "HOURS")
  var quiet: String?
  @Option("--zone", help: "The time zone of --digest and --quiet: +01:00.", value: "OFFSET")
  var zone = "UTC"
  @Option(
    "--window", help: "The time span of a spike (1h) or a crash-free rate (1d).", value: "TIME")
  var window: String?
  @Option(
    "--least",
    help: "The minimum number of reports for a spike (10), or sessions for a rate (100).",
    value: "N")
  var least: Int?
  @Option(
    "--factor", help: "How many times the usual number of reports is a spike (3).", value: "N")
  var factor: String?
  @Option("--below", help: "The crash-free rate below which to alert (99).", value: "PERCENT")
  var below: String?
  @Option(
    "--of", help: "What to count: groups or app for spike, sessions or users for crash-free.",
    value: "WHAT")
  var basis: String?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func validate() throws(UsageError) {
    let names = AlertRule.Kind.allCases.map(\.rawValue)
    if !names.contains(kind) {
      let near = Suggestion.nearest(to: kind, among: names)
      throw UsageError(
        "there is no kind '\(kind)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
          + "\n" + NameList.lines("Kinds", names))
    }
    if target == nil { throw UsageError("--to is missing") }
  }

  func run() throws {
    var fields = AlertRuleFields()
    (fields.kind, fields.target, fields.app) = (kind, target ?? "", app)
    (fields.query, fields.digest, fields.quiet, fields.zone) = (query, digest, quiet, zone)
    (fields.window, fields.least) = (window, least.map(String.init))
    (fields.factor, fields.below, fields.basis) = (factor, below, basis)
    let rule = try home.alerts(makingHome: true).addAlertRule(fields, by: "command line")
    messages.console.say(
      "Rule \(rule.number): \(rule.summary.printable), to \(rule.target.printable), \(rule.schedule)"
    )
  }
}
