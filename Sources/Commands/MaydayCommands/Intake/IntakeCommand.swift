import Arguments

/// `mayday intake`
struct IntakeCommand: Command {
  static let name = "intake"
  static let summary = "List, retry or discard quarantined submissions."
  static var subcommands: [any Command.Type] {
    [
      IntakeListCommand.self, IntakeShowCommand.self, IntakeRetryCommand.self,
      IntakeDiscardCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { IntakeListCommand.self }
  static let examples = [
    Example("mayday intake list", "What is quarantined, and why."),
    Example("mayday intake retry --all", "Try all again, for example with a newer version."),
  ]

  func run() throws {}
}
