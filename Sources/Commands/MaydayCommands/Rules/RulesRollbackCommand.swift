import Arguments
import CommandSupport
import CrashStore
import Grouping
import Terminal

/// `mayday rules rollback`
struct RulesRollbackCommand: Command {
  static let name = "rollback"
  static let summary = "Go back to earlier rules of an app, and to the groups of that time."
  static let discussion = """
    Groups that the rules merged are separate again, and groups that they split are one again, \
    including the reports that have arrived since. Works on a home of this machine.
    """
  static let examples = [
    Example("mayday rules rollback", "Back to the rules before the current ones."),
    Example("mayday rules rollback 0", "Back to the first rules."),
  ]

  @Argument("NUMBER", help: "A number of the history; by default the one before.") var number: Int?
  @Option("-a", "--app", help: "The app; optional if there is only one.", value: "NAME") var app:
    String?
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let store = try home.openForReading()
    let record = try store.rules.rollBack(store.app(named: app), to: number, by: author.name) {
      (GroupingRules(builtIn: $0) ?? .standard).digest
    }
    try record.settle(in: store, messages.console)
  }
}
