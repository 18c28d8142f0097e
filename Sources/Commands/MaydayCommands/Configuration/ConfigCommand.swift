import Arguments

/// `mayday config`
struct ConfigCommand: Command {
  static let name = "config"
  static let summary = "Show the configuration, check a file, or print an example."
  static let discussion = """
    See 'mayday help configuration' for the search path and the format of configuration files.
    """
  static var subcommands: [any Command.Type] {
    [ConfigShowCommand.self, ConfigCheckCommand.self, ConfigExampleCommand.self]
  }
  static let examples = [
    Example("mayday config", "The settings in effect, and where each comes from."),
    Example("mayday config example > ~/.config/mayday/mayday.conf", "A file to start from."),
  ]
  static let defaultSubcommand: (any Command.Type)? = ConfigShowCommand.self

  func run() {}
}
