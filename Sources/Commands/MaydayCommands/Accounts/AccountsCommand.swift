import Arguments

/// `mayday accounts`
struct AccountsCommand: Command {
  static let name = "accounts"
  static let summary = "Manage who may sign in to the pages of a server."
  static let discussion = """
    People sign in with a link that works once and expires after a day; the browser then stays \
    signed in for 30 days. Programs use tokens instead.

    Roles: viewer, to read; triage, to decide about groups, upload debug files, see the keys of \
    apps, and manage the order of releases, roll-outs and remote configurations, too; admin, to do \
    everything.
    """
  static var subcommands: [any Command.Type] {
    [
      AccountsListCommand.self, AccountsAddCommand.self, AccountsLinkCommand.self,
      AccountsRoleCommand.self, AccountsRemoveCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { AccountsListCommand.self }
  static let examples = [
    Example("mayday accounts add ann --role triage", "Ann may read and decide about groups.")
  ]

  func run() throws {}
}
