import Arguments

/// `mayday intake`
struct IntakeCommand: Command {
  static let name = "intake"
  static let summary = "See what a server could not file, try it again, or let it go."
  static var subcommands: [any Command.Type] {
    [
      IntakeListCommand.self, IntakeShowCommand.self, IntakeRetryCommand.self,
      IntakeDiscardCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { IntakeListCommand.self }
  static let examples = [
    Example("mayday intake list", "What was set aside, and why."),
    Example("mayday intake retry --all", "Once more, such as by a newer version."),
  ]

  func run() throws {}
}
