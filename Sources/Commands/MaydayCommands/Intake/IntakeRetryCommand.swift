import Terminal
import CrashService
import Rendering
import Arguments

/// `mayday intake retry`
struct IntakeRetryCommand: Command {
  static let name = "retry"
  static let summary = "Process quarantined submissions again."
  static let discussion =
    "A server that runs takes them within seconds, another one when it starts."
  static let examples = [
    Example("mayday intake retry 17 18", "Retry two."),
    Example("mayday intake retry --all", "All."),
  ]

  @Argument("ID", help: "Numbers shown by `mayday intake list`.", isRequired: false)
  var ids: [Int]
  @Flag("--all", help: "All quarantined submissions.") var isAll
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func validate() throws(UsageError) {
    if ids.isEmpty == !isAll { throw UsageError("ID or --all is needed, and one of the two") }
  }

  func run() throws {
    let count = try home.service().retryQuarantined(isAll ? nil : ids)
    messages.console.say(
      "\(GroupText.count(count, "submission", "submissions")) will be tried again.")
  }
}
