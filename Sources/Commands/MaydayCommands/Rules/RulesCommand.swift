import Arguments

/// `mayday rules`
struct RulesCommand: Command {
  static let name = "rules"
  static let summary = "Show the rules that group reports, and choose an app's rules."
  static var subcommands: [any Command.Type] {
    [
      RulesShowCommand.self, RulesCheckCommand.self, RulesPreviewCommand.self,
      RulesApplyCommand.self, RulesRollbackCommand.self, RulesHistoryCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { RulesShowCommand.self }
  static let examples = [
    Example("mayday rules show death.rules:12", "The rule that an explanation cites.")
  ]

  func run() {}
}
