import Arguments

/// `mayday alerts`
struct AlertsCommand: Command {
  static let name = "alerts"
  static let summary = "Manage alerts about new groups, regressions and spikes."
  static let discussion = """
    A rule defines when to alert; a target defines where the alert goes, by mail or to a webhook. `mayday serve` \
    checks the rules and sends the alerts.
    """
  static var subcommands: [any Command.Type] {
    [
      AlertsListCommand.self, AlertsTargetCommand.self, AlertsAddCommand.self,
      AlertsRemoveCommand.self, AlertsTestCommand.self, AlertsLogCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { AlertsListCommand.self }
  static let examples = [
    Example("mayday alerts add new-group --to team", "Alert the team about each new group.")
  ]

  func run() throws {}
}
