import Arguments

/// `mayday config`
struct ConfigCommand: Command {
  static let name = "config"
  static let summary = "Show what is configured, check a file, print an example."
  static let discussion = """
    Where a configuration file is looked for, and what may stand in it: 'mayday help configuration'.
    """
  static var subcommands: [any Command.Type] {
    [ConfigShowCommand.self, ConfigCheckCommand.self, ConfigExampleCommand.self]
  }
  static let examples = [
    Example("mayday config", "What holds, and where it comes from."),
    Example("mayday config example > ~/.config/mayday/mayday.conf", "A file to start from."),
  ]
  static let defaultSubcommand: (any Command.Type)? = ConfigShowCommand.self

  func run() {}
}
