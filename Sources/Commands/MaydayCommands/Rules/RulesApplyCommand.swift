import Arguments
import CommandSupport
import CrashStore
import Grouping
import Pipeline
import Rendering
import Terminal

/// `mayday rules apply`
struct RulesApplyCommand: Command {
  static let name = "apply"
  static let summary = "Group an app's reports by rules of your own."
  static let discussion = """
    All stored reports get new signatures and are regrouped; groups keep their ids and decisions, \
    and their histories record what changed. Manual merges and splits are kept. Without FILE, the \
    app keeps its own rules. If interrupted, any command that stores reports resumes it. Works on \
    a home of this machine.
    """
  static let examples = [
    Example("mayday rules apply tern.rules", "After mayday rules preview tern.rules.")
  ]

  @Argument("FILE", help: "Grouping rules; - is standard input.") var file: String?
  @OptionGroup var change = RuleChangeOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var messages = MessageOptions()

  func validate() throws(UsageError) {
    guard file == nil, change.version == nil else { return }
    throw UsageError("FILE or --builtin is missing")
  }

  func run() throws {
    let store = try home.openForReading()
    let app = try store.app(named: change.app)
    let rules = try change.rules(file, for: app, in: store)
    let before = try GroupingRules.inForce(for: app, in: store)
    guard rules.digest != before.digest else {
      // The last run was interrupted: resume it.
      guard try store.rules.waitingCount(of: app) > 0,
        let record = try store.rules.history(of: app).first
      else { throw RuleSetError.unchanged(app: app) }
      return try record.settle(in: store, messages.console)
    }
    let record = try store.rules.apply(
      builtIn: rules.version, text: rules.own?.text ?? "", digest: rules.digest, to: app,
      by: author.name)
    try record.settle(in: store, messages.console)
  }
}

extension RuleSetRecord {
  /// Signs the waiting reports, and prints the outcome.
  func settle(in store: CrashStore, _ console: Console) throws {
    let groups = try store.rules.groupCount(of: app)
    let signed = try ReprocessingJob.run(in: store, console)
    let now = try store.rules.groupCount(of: app)
    console.say(
      "\(app): rules \(number); \(GroupText.count(signed, "report", "reports")) signed,"
        + " \(GroupText.count(groups, "group", "groups")) before, \(now) now")
  }
}
