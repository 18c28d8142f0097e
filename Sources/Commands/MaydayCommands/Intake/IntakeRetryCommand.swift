import Terminal
import CrashService
import Rendering
import Arguments

/// `mayday intake retry`
struct IntakeRetryCommand: Command {
  static let name = "retry"
  static let summary = "Process quarantined submissions again."
  static let discussion =
    "A running server retries them within seconds; otherwise they are retried when it starts."
  static let examples = [
    Example("mayday intake retry 17 18", "Retry two of them."),
    Example("mayday intake retry --all", "Retry every one."),
  ]

  @Argument("ID", help: "Numbers shown by `mayday intake list`.", isRequired: false)
  var ids: [Int]
  @Flag("--all", help: "All quarantined submissions.") var isAll
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func validate() throws(UsageError) {
    if ids.isEmpty == !isAll { throw UsageError("give either IDs or --all") }
  }

  func run() throws {
    let count = try home.service().retryQuarantined(isAll ? nil : ids)
    messages.console.say(
      "\(GroupText.count(count, "submission", "submissions")) will be tried again.")
  }
}
