import Arguments

/// `mayday intake discard`
struct IntakeDiscardCommand: Command {
  static let name = "discard"
  static let summary = "Take submissions that were set aside away for good."
  static let discussion = "The ledger counts them as refused, unless it has done so before."
  static let examples = [Example("mayday intake discard 17", "One of them.")]

  @Argument("ID", help: "The numbers that intake list shows.", isRequired: false)
  var ids: [Int]
  @Flag("--all", help: "All that were set aside.") var isAll
  @OptionGroup var home = SourceOfAnswers()
  @OptionGroup var messages = MessageOptions()

  func validate() throws(UsageError) {
    if ids.isEmpty == !isAll { throw UsageError("ID or --all is needed, and one of the two") }
  }

  func run() throws {
    let count = try home.answers().discardSetAside(isAll ? nil : ids)
    messages.console.say("\(GroupText.count(count, "submission", "submissions")) discarded.")
  }
}
