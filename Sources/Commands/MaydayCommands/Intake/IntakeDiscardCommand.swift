import Terminal
import CrashService
import Rendering
import Arguments

/// `mayday intake discard`
struct IntakeDiscardCommand: Command {
  static let name = "discard"
  static let summary = "Delete quarantined submissions permanently."
  static let discussion = "The ledger counts them as refused, unless it already does."
  static let examples = [Example("mayday intake discard 17", "Delete one.")]

  @Argument("ID", help: "Numbers shown by `mayday intake list`.", isRequired: false)
  var ids: [Int]
  @Flag("--all", help: "All quarantined submissions.") var isAll
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func validate() throws(UsageError) {
    if ids.isEmpty == !isAll { throw UsageError("give either IDs or --all") }
  }

  func run() throws {
    let count = try home.service().discardQuarantined(isAll ? nil : ids)
    messages.console.say("\(GroupText.count(count, "submission", "submissions")) discarded.")
  }
}
