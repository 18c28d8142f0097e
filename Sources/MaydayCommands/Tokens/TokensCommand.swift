import Arguments

/// `mayday tokens`
struct TokensCommand: Command {
  static let name = "tokens"
  static let summary = "Say who may do what through the server."
  static var subcommands: [any Command.Type] {
    [TokensListCommand.self, TokensAddCommand.self, TokensRevokeCommand.self]
  }
  static var defaultSubcommand: (any Command.Type)? { TokensListCommand.self }
  static let examples = [Example("mayday tokens add CI --scope symbols", "One for a build.")]

  func run() throws {}
}
