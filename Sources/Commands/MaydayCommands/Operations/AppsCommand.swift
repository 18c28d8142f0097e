import Arguments

/// `mayday apps`
struct AppsCommand: Command {
  static let name = "apps"
  static let summary = "List, name and configure apps."
  static var subcommands: [any Command.Type] {
    [
      AppsListCommand.self, AppsAddCommand.self, AppsAdoptCommand.self, AppsRenameCommand.self,
      AppsSetCommand.self, AppsProtectCommand.self, AppsUpdatesCommand.self, AppsCleanCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { AppsListCommand.self }
  static let examples = [
    Example("mayday apps set Tern --keep-days 90", "Let `mayday gc` delete older reports.")
  ]

  func run() {}
}
