import Arguments

/// `mayday testers`
struct TestersCommand: Command {
  static let name = "testers"
  static let summary = "Manage the testers and distribution groups that get releases."
  static let discussion = """
    A release published to a public group is offered to all users of the app; one published to a private \
    group, to its testers once they have accepted an invitation. Every app has the private group \
    Collaborators.
    """
  static var subcommands: [any Command.Type] {
    [
      TestersListCommand.self, TestersInviteCommand.self, TestersResendCommand.self,
      TestersRemoveCommand.self, TestersRevokeCommand.self, TestersMailsCommand.self,
      TestersGroupsCommand.self, TestersAddGroupCommand.self, TestersEditGroupCommand.self,
      TestersRemoveGroupCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { TestersListCommand.self }
  static let examples = [
    Example("mayday testers add-group Beta --app Tern", "A private group."),
    Example("mayday testers invite ada@example.org --group Beta --app Tern", "Its first tester."),
  ]

  func run() {}
}
