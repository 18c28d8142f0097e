import Arguments

/// `mayday tokens`
struct TokensCommand: Command {
  static let name = "tokens"
  static let summary = "Manage the API tokens of a server."
  static var subcommands: [any Command.Type] {
    [TokensListCommand.self, TokensAddCommand.self, TokensRevokeCommand.self]
  }
  static var defaultSubcommand: (any Command.Type)? { TokensListCommand.self }
  static let examples = [Example("mayday tokens add CI --scope symbols", "A token for CI builds.")]

  func run() throws {}
}
